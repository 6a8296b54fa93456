/**
 * Ends requests for changes: applies those whose approvals are complete, ends vetoed and expired ones, and requests the
 * approval of changed settings. One instance per service. Every round reads and verifies everything again.
 */
import { ApprovalPolicy } from "@vault-trader/core/change-approval/ApprovalSettings"
import * as ChangeApplication from "@vault-trader/core/change-approval/ChangeApplication"
import type { ChangeRequest } from "@vault-trader/core/change-approval/ChangeRequest"
import { ChangeRequestStore } from "@vault-trader/core/change-approval/ChangeRequestStore"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { LaneQuarantineStore } from "@vault-trader/core/gas-wallet/LaneQuarantineStore"
import * as Clock from "effect/Clock"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Singleton from "effect/cluster/Singleton"
import {
  approvedValues,
  isApproved,
  MoneySettings,
  settingChange,
  type SettingKind,
  settingKinds
} from "./ApprovedSettings.ts"
import { verify } from "./VoteCheck.ts"

const logFailure = <A, E, R>(what: string, effect: Effect.Effect<A, E, R>) =>
  Effect.catchCause(effect, (cause) => Effect.logWarning(`${what} failed and is retried`, cause))

/** Most requests that one round reads. */
const perRound = 1_000

const logEnd = ({ id, kind, summary }: ChangeRequest, state: string, note: string | null) =>
  Effect.logInfo(`a change was ${state}: ${summary}`).pipe(
    Effect.annotateLogs({ request: id, kind, ...(note === null ? {} : { note }) })
  )

/** Ends one open request, if it is due. */
const decide = (request: ChangeRequest) =>
  Effect.gen(function*() {
    const { end } = yield* ChangeRequestStore
    const close = (state: "cancelled" | "expired" | "vetoed", note: string) =>
      Effect.flatMap(end(request.id, state, note), (ended) => ended ? logEnd(request, state, note) : Effect.void)
    const verified = yield* verify(request)
    if (Option.isNone(verified)) {
      return yield* close("cancelled", "its row is not a proposal of this service, or was changed")
    }
    const { change, tally } = verified.value
    if (tally.isVetoed) return yield* close("vetoed", "vetoed by an approver")
    // An approval that completes in time counts, also if this process was not there to see it.
    if (tally.isComplete) {
      const state = yield* ChangeApplication.apply(request.id, change)
      if (Option.isSome(state)) yield* logEnd(request, state.value, null)
      return
    }
    if ((yield* Clock.currentTimeMillis) >= DateTime.toEpochMillis(request.expiresAt)) {
      yield* close("expired", "not enough approvals in time")
    }
  })

/** Requests the approval of settings that differ from the approved ones. */
const requestSettings = (kind: SettingKind) =>
  Effect.gen(function*() {
    if (yield* isApproved(kind)) return
    const { delayHours, needed } = yield* ApprovalPolicy
    const requests = yield* ChangeRequestStore
    const change = settingChange(kind, yield* approvedValues(kind), (yield* MoneySettings)[kind])
    const before = yield* Clock.currentTimeMillis
    const request = yield* requests.propose(change, { proposer: "service", delayHours })
    if (DateTime.toEpochMillis(request.createdAt) < before) return
    yield* Effect.logWarning(
      `settings wait for ${needed} approvals, and until then nothing is paid under them: ${request.summary}`
    ).pipe(Effect.annotateLogs({ request: request.id, kind }))
  })

/** Runs one round. Each request is ended although another one fails. */
export const round = Effect.gen(function*() {
  const requests = yield* ChangeRequestStore
  const open = yield* requests.list({ onlyOpen: true, limit: perRound })
  yield* Effect.forEach(open, (request) => logFailure(`the change of request ${request.id}`, decide(request)), {
    discard: true
  })
  yield* Effect.forEach(settingKinds, (kind) => logFailure(`the request for ${kind} settings`, requestSettings(kind)), {
    discard: true
  })
})

/** The rounds, where changes need approvals. */
export const layer = Layer.unwrap(
  Effect.map(ApprovalPolicy, ({ needed }) =>
    needed === 0
      ? Layer.empty
      : Singleton.make(
        "ChangeApprovals",
        logFailure("a round of approvals", round).pipe(Effect.andThen(Effect.sleep("2 seconds")), Effect.forever)
      ))
).pipe(Layer.provide([KeyLimitStore.layer, LaneQuarantineStore.layer]))
