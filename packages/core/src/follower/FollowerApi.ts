/** The endpoints that set, remove and show followers of vaults. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { FollowerPreview } from "./Follower.ts"
import { terms } from "./FollowerParams.ts"
import { FollowerEventView, FollowerView, TradeView } from "./FollowerView.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const leader = "0x00000000000000000000000000000000000000b1"
const about = { apiKey: Params.ApiKey, network: Params.Network, pool: Params.Pool }
const protocol = Schema.optional(Params.Protocol)

const viewExample = {
  ...{ id: "01936f5a-0000-7000-8000-000000000004", network: "base", pool, leader, leader_kind: "vault" },
  ...{ gasWallet: pool, state: "following", base: "USDC", ratio: 50, threshold: 2, max_weight: 40, max_usd: "1000" },
  ...{ max_usd_interval: "5000", interval: 86_400, assets: null, without: [], delay: 600, slippage: 1, max_impact: 1 },
  leader_usd: 250_000,
  weights: [{ asset: pool, symbol: "WETH", weight: 60, target: 30, reason: null }],
  reading: "The leader is worth $250000: WETH 60.00 %.",
  reason: "Every weight is within 2 percentage points of its target.",
  ...{ open_intent_id: null, failures: 0, kill_switch: null, stopped_at: null },
  ...{ checked_at: "2026-11-20T10:00:10.000Z", created_at: "2026-11-20T10:00:00.000Z" }
}

export class FollowerApi extends RpcGroup.make(
  Endpoint.make("setFollower", {
    class: "changesConfig",
    trader: true,
    method: "POST",
    summary:
      "Make the vault follow a leader: it copies the weights of another vault, or of any address, within caps. " +
      "Its trades are intents, executed and billed like the wallet's own requests. A vault follows one leader.",
    params: {
      ...about,
      ...terms,
      protocol,
      dryRun: Schema.optional(Params.Flag("Set nothing: say what the follower reads now, and what it would trade."))
    },
    success: { data: Schema.NullOr(FollowerView), plan: Schema.NullOr(FollowerPreview), message: Schema.String },
    exampleRequest: { leader, max_usd: "1000" },
    failsWith: ["price_unavailable"],
    example: {
      data: viewExample,
      plan: null,
      message: "The vault follows the leader. Call getFollowers for what it does."
    }
  }),
  Endpoint.make("getFollowers", {
    class: "readOnly",
    fromRows: true,
    summary: "The leader that the vault follows, with the last reading, the trades and the history, fifty of each at " +
      "most; and the vaults that this key's wallet has set to follow the vault.",
    params: { ...about, protocol },
    success: {
      followers: Schema.Array(Schema.Struct({
        data: FollowerView,
        trades: Schema.Array(TradeView),
        events: Schema.Array(FollowerEventView)
      })),
      message: Schema.NullOr(Schema.String)
    },
    example: {
      followers: [{
        data: viewExample,
        trades: [],
        events: [{ at: "2026-11-20T10:00:00.000Z", kind: "set", reason: "It was set." }]
      }],
      message: null
    }
  }),
  Endpoint.make("removeFollower", {
    class: "changesConfig",
    fromRows: true,
    method: "DELETE",
    summary:
      "End that the vault follows a leader, even when no node answers. It keeps what it holds; a trade that is " +
      "already planned ends.",
    params: { ...about, protocol },
    success: { data: Schema.NullOr(FollowerView), message: Schema.String },
    failsWith: ["rpc_unavailable", "busy"],
    example: { data: { ...viewExample, reason: "It was removed." }, message: "The vault no longer follows the leader." }
  })
) {}
