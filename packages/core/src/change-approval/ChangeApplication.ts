/** Carries out a change whose approvals are complete, together with the end of its request, in one transaction. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Audit from "../audit/Audit.ts"
import type { LaneQuarantine } from "../gas-wallet/LaneQuarantine.ts"
import { LaneQuarantineStore } from "../gas-wallet/LaneQuarantineStore.ts"
import { KeyLimitStore } from "../gas-wallet/KeyLimitStore.ts"
import * as LaneRelease from "../intent/LaneRelease.ts"
import { ChangeRequestStore } from "./ChangeRequestStore.ts"
import type { RequestState } from "./ChangeRequest.ts"
import { isSame, LaneChange, type ProposedChange } from "./ProposedChange.ts"

type Stores = ChangeRequestStore | KeyLimitStore | LaneQuarantineStore | SqlClient.SqlClient

/** Builds the release of a lane with the evidence that its quarantine has now. */
export const laneChange = (
  { createdAt, evidence, kind, network, wallet }: LaneQuarantine,
  { by, runsRequests }: Pick<LaneChange, "by" | "runsRequests">
): LaneChange =>
  LaneChange.make({
    network,
    wallet,
    quarantine: {
      kind,
      since: DateTime.formatIso(createdAt),
      count: evidence.count,
      transactions: evidence.transactions
    },
    runsRequests,
    by
  })

/** Carries out a change; returns why it can no longer be carried out. Settings take effect by the request itself. */
const carryOut = (change: ProposedChange): Effect.Effect<string | undefined, SqlError, Stores> =>
  Effect.gen(function*() {
    switch (change._tag) {
      case "limits": {
        const { after, before, manager, wallet } = change
        const raised = yield* (yield* KeyLimitStore).raise(wallet, { from: before, to: after, manager })
        return raised ? undefined : "the limits changed since"
      }
      case "lanes": {
        const { by, network, runsRequests, wallet } = change
        const sql = yield* SqlClient.SqlClient
        yield* sql`select id from lane_quarantines
          where network = ${network} and wallet = ${wallet} and released_at is null for update`
        const quarantine = yield* (yield* LaneQuarantineStore).find(network, wallet)
        if (!Option.exists(quarantine, (now) => isSame(laneChange(now, { by, runsRequests }), change))) {
          return Option.isNone(quarantine)
            ? "the lane is no longer quarantined"
            : "the quarantine's evidence changed since"
        }
        yield* LaneRelease.release({ network, wallet, by, runsRequests })
        return undefined
      }
      case "treasury":
      case "policy":
        return undefined
    }
  })

/** Applies an approved change, unless its request was ended by another; returns the state in which the request ended. */
export const apply = (
  id: string,
  change: ProposedChange
): Effect.Effect<Option.Option<RequestState>, SqlError, Stores> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const requests = yield* ChangeRequestStore
    return yield* Audit.transaction(
      sql,
      Effect.gen(function*() {
        // A lowering locks the wallet and then cancels its requests, so the wallet is locked first here, too.
        if (
          "wallet" in change
        ) yield* sql`select 1 from gas_wallets where address = ${change.wallet} for no key update`
        const open = yield* sql`select id from approval_requests where id = ${id}::uuid and status = 'open' for update`
        if (open.length === 0) return Option.none()
        const fault = yield* carryOut(change)
        // The lowering of a limit cancels its wallet's open requests, and a raise lowers nothing, so this one is open still.
        const state = fault === undefined ? "applied" as const : "cancelled" as const
        return (yield* requests.end(id, state, fault ?? null)) ? Option.some(state) : Option.none()
      })
    )
  })
