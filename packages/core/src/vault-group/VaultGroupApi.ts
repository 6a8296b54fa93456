/** The endpoints that set, show, remove and trade groups of vaults. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { Hash } from "../chain/Address.ts"
import { Quantity } from "../chain/Quantity.ts"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { GroupMember } from "./VaultGroup.ts"
import { GroupName, Members, SplitBy } from "./VaultGroupParams.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const id = "01936f5a-0000-7000-8000-000000000000"
const hash = "0x7d6a6b0f2f6f0c5b3f0f0f4f7f3b1b0a4c4b4e4d5a5b5c5d5e5f606162636465"

export const GroupView = Schema.Struct({
  group: Schema.String,
  members: Schema.Array(GroupMember),
  created_at: Schema.String,
  updated_at: Schema.String
})

/**
 * The result at one vault. `skipped`: it holds nothing to sell. `refused`: nothing was accepted for it. `fail`: its
 * intent failed. `unknown`: a repeat of the call, with the same idempotency key, finds out.
 */
export const memberStates = ["success", "pending", "fail", "skipped", "refused", "unknown"] as const
export type MemberState = typeof memberStates[number]

export const MemberResult = Schema.Struct({
  network: Schema.String,
  pool: Schema.String,
  state: Schema.Literals(memberStates),
  message: Schema.String,
  intent_id: Schema.NullOr(Schema.String),
  tx_hash: Schema.NullOr(Hash),
  /** The trade's size: percent of the vault's holding, or an amount in human units. */
  share: Schema.NullOr(Schema.Number),
  amount: Schema.NullOr(Schema.String),
  sold: Schema.NullOr(Quantity),
  bought: Schema.NullOr(Quantity)
})
export type MemberResult = typeof MemberResult.Type

const view = {
  group: "majors",
  members: [{ network: "base", pool, weight: 60 }],
  created_at: "2026-11-20T10:00:00.000Z",
  updated_at: "2026-11-20T10:00:00.000Z"
}
const about = { apiKey: Params.ApiKey, group: GroupName }

export class VaultGroupApi extends RpcGroup.make(
  Endpoint.make("setVaultGroup", {
    class: "changesConfig",
    method: "POST",
    summary:
      "Name vaults that tradeGroup trades as one; the same name again replaces them. Nothing is checked on chain.",
    params: { ...about, members: Members },
    success: { data: GroupView, message: Schema.String },
    example: { data: view, message: "The group majors is set: 1 vault." }
  }),
  Endpoint.make("getVaultGroups", {
    class: "readOnly",
    summary: "The groups of the key's wallet, by name.",
    params: { apiKey: Params.ApiKey },
    success: { groups: Schema.Array(GroupView) },
    example: { groups: [view] }
  }),
  Endpoint.make("removeVaultGroup", {
    class: "changesConfig",
    method: "DELETE",
    summary: "Remove a group. Its vaults stay as they are, and trades that were accepted continue.",
    params: about,
    success: { data: Schema.NullOr(GroupView), message: Schema.String },
    example: { data: view, message: "The group majors is removed." }
  }),
  Endpoint.make("tradeGroup", {
    class: "movesFunds",
    method: "POST",
    summary:
      "Make the same trade in each vault of a group, each as a vaultTrade, billed as one. Needs `idempotency_key`, and " +
      "`share` of each holding or an `amount` for all. Refused as a whole if the key may not trade a vault.",
    params: {
      ...about,
      from: Params.Asset("Asset to sell"),
      to: Params.Asset("Asset to buy"),
      ...Params.sizeParams,
      split: Schema.optional(SplitBy),
      platform: Schema.optional(Params.Platform),
      slippage: Schema.optional(Params.Slippage),
      dryRun: Schema.optional(Params.DryRun),
      valid_for: Schema.optional(Params.ValidFor)
    },
    success: {
      /** The first trade's; `results` has each. */
      intent_id: Schema.NullOr(Schema.String),
      group: Schema.String,
      results: Schema.Array(MemberResult)
    },
    failsWith: ["limit_exceeded", "rpc_unavailable", "busy", "insufficient_balance"],
    exampleRequest: { to: "WETH", share: 50, idempotency_key: "signal-2026-11-20T10:00Z" },
    example: {
      intent_id: id,
      tx_hash: hash,
      message: "1 of 1 vaults traded.",
      group: "majors",
      results: [{
        ...{ network: "base", pool, state: "success", intent_id: id, tx_hash: hash, share: 50, amount: null },
        message: "Sold 1000 USDC for 0.332 WETH on uniswapV3.",
        sold: { asset: pool, symbol: "USDC", amount: "1000", raw: "1000000000" },
        bought: { asset: pool, symbol: "WETH", amount: "0.332", raw: "332000000000000000" }
      }]
    }
  })
) {}
