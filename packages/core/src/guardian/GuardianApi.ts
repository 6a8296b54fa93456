/** The endpoints that set, reset, delete and show guardians of vaults. */
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import * as Endpoint from "../endpoint/Endpoint.ts"
import * as Params from "../endpoint/Params.ts"
import { GuardianPreview } from "./Guardian.ts"
import { Kind, terms } from "./GuardianParams.ts"
import { ActionView, GuardianEventView, GuardianView } from "./GuardianView.ts"

const pool = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const about = { apiKey: Params.ApiKey, network: Params.Network, pool: Params.Pool }
const protocol = Schema.optional(Params.Protocol)

const viewExample = {
  ...{ id: "01936f5a-0000-7000-8000-000000000002", network: "base", pool, gasWallet: pool, kind: "health_factor" },
  ...{ state: "armed", paper: false, floor: "1.25", target: "1.5", prefer: ["repay", "unlend", "deleverage"] },
  ...{ max_daily_loss: null, max_total_loss: null, max_age: null, max_depeg: null, assets: null },
  ...{ close_into: null, close_positions: null },
  ...{ min_gas: null, target_gas: null, slippage: 1, confirmations: 2 },
  reading: "The vault has a health factor of 1.8.",
  reason: "The vault has a health factor of 1.8. The floor is 1.25.",
  ...{ holds: false, open_intent_id: null, failures: 0, skipped: [], proposed_refill: null, kill_switch: null },
  ...{ tripped_at: null, checked_at: "2026-11-20T10:00:10.000Z", created_at: "2026-11-20T10:00:00.000Z" }
}

export class GuardianApi extends RpcGroup.make(
  Endpoint.make("setGuardian", {
    class: "changesConfig",
    trader: true,
    method: "POST",
    summary: "Set a guardian of the vault: a rule that watches it all the time and acts, holds trades or reports. A " +
      "vault has one of each kind; its actions are intents, executed and billed like the wallet's own requests.",
    params: {
      ...about,
      kind: Kind,
      ...terms,
      paper: Schema.optional(Params.Flag("Watch and report only: nothing is sent, held or stopped.")),
      protocol,
      dryRun: Schema.optional(Params.Flag("Set nothing: say what the guardian reads now, and what it would do."))
    },
    success: { data: Schema.NullOr(GuardianView), plan: Schema.NullOr(GuardianPreview), message: Schema.String },
    exampleRequest: { kind: "gas", min_gas: "0.005" },
    failsWith: ["market_not_available", "price_unavailable"],
    example: {
      data: viewExample,
      plan: null,
      message: "The health_factor guardian is set. Call getGuardians for what it does."
    }
  }),
  Endpoint.make("getGuardians", {
    class: "readOnly",
    fromRows: true,
    summary: "The vault's guardians with their last readings, their actions and their history, fifty of each at most.",
    params: { ...about, protocol },
    success: {
      guardians: Schema.Array(Schema.Struct({
        data: GuardianView,
        actions: Schema.Array(ActionView),
        events: Schema.Array(GuardianEventView)
      })),
      message: Schema.NullOr(Schema.String)
    },
    example: {
      guardians: [{
        data: viewExample,
        actions: [],
        events: [{ at: "2026-11-20T10:00:00.000Z", kind: "set", reason: "It was set." }]
      }],
      message: null
    }
  }),
  Endpoint.make("resetGuardian", {
    class: "changesConfig",
    fromRows: true,
    method: "POST",
    summary:
      "Arm a guardian again, above all a loss breaker that has tripped: losses count from now on. Bots and orders that " +
      "it has stopped stay stopped until resumeBot.",
    params: { ...about, kind: Kind, protocol },
    success: { data: GuardianView, message: Schema.String },
    exampleRequest: { kind: "gas" },
    failsWith: ["rpc_unavailable", "busy"],
    example: { data: viewExample, message: "The health_factor guardian is armed again." }
  }),
  Endpoint.make("deleteGuardian", {
    class: "changesConfig",
    fromRows: true,
    method: "DELETE",
    summary:
      "Delete a guardian of the vault, even when no node answers. Trades that it holds go on; an action that is already " +
      "planned ends.",
    params: { ...about, kind: Kind, protocol },
    success: { data: Schema.NullOr(GuardianView), message: Schema.String },
    exampleRequest: { kind: "gas" },
    failsWith: ["rpc_unavailable", "busy"],
    example: { data: { ...viewExample, reason: "It was deleted." }, message: "The health_factor guardian is deleted." }
  })
) {}
