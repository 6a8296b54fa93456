/**
 * Trades the vaults of a group. The call is committed before its first trade, with what it does in each vault; each trade
 * is then a `vaultTrade` of its own, under an idempotency key made of the call's id. A repeat finds both.
 */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as Uuid from "@vault-trader/core/storage/Uuid"
import {
  finishingHours,
  type GroupCall,
  type GroupRequest,
  type MemberPlan,
  tradeKey
} from "@vault-trader/core/vault-group/VaultGroup"
import type { MemberResult } from "@vault-trader/core/vault-group/VaultGroupApi"
import { isSame, VaultGroupStore } from "@vault-trader/core/vault-group/VaultGroupStore"
import * as BigDecimal from "effect/BigDecimal"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { Gatekeeper } from "../endpoint/Gatekeeper.ts"
import { query } from "../gate/ActorCall.ts"
import { conflict, IdempotentWrites } from "../gate/IdempotentWrites.ts"
import { Intents } from "../intent/Intents.ts"
import { type VaultTrade, vaultTradeOf } from "../trading/TradingApi.ts"
import * as RequestState from "../wire/RequestState.ts"
import * as GroupPlan from "./GroupPlan.ts"

type By = Caller["Service"]

/** A call with the seconds since it was committed. */
interface Accepted {
  readonly call: Pick<GroupCall, "id" | "members">
  readonly ageSeconds: number
}

/** A trade that would be made. */
interface Preview extends Pick<MemberResult, "network" | "pool" | "share" | "amount" | "message"> {
  readonly state: MemberResult["state"] | "planned"
  readonly plan: unknown
}

type Outcome = Pick<MemberResult, "state" | "message"> & Partial<MemberResult>

/** Builds the request of a member's trade. */
const requestOf = (request: GroupRequest, { amount, network, pool, share }: MemberPlan) => ({
  ...{ network, pool, from: request.from, to: request.to },
  ...(share === null ? {} : { share }),
  ...(amount === null ? {} : { amount }),
  ...(request.slippage === null ? {} : { slippage: request.slippage }),
  ...(request.platform === null ? {} : { platform: request.platform }),
  ...(request.validFor === null ? {} : { valid_for: request.validFor })
})

const resultOf = ({ amount, network, pool, share }: MemberPlan, outcome: Outcome): MemberResult => ({
  ...{ network, pool, intent_id: null, tx_hash: null, share, sold: null, bought: null },
  amount: amount === null ? null : BigDecimal.format(amount),
  ...outcome
})

/** Returns the result at a vault that the plan leaves out. */
export const untraded = (plan: MemberPlan): MemberResult =>
  resultOf(plan, { state: plan.decision === "skip" ? "skipped" : "refused", message: plan.reason ?? "" })

/** Converts the answer of a trade. */
const ofAnswer = (answer: VaultTrade["answer"]): Outcome => {
  const { intent_id, message, tx_hash } = answer
  if (answer.status === "pending") return { state: "pending", message, intent_id, tx_hash }
  if ("dryRun" in answer) return { state: "success", message }
  return { state: "success", message, intent_id, tx_hash, sold: answer.sold, bought: answer.bought }
}

/** Converts the failure of a trade: refused if no intent was accepted for it. */
const ofFailure = (failure: Failure, intentId: string | undefined): Outcome => ({
  state: intentId === undefined ? "refused" : "fail",
  message: failure.message,
  intent_id: intentId ?? null,
  tx_hash: failure._tag === "ExecutionFailure" ? (failure.txHash ?? null) as MemberResult["tx_hash"] : null
})

const unknown: Outcome = {
  state: "unknown",
  message: "It is not known whether this trade was accepted. Repeat the call with the same idempotency_key."
}

const expired = new ValidationFailure({
  code: "1010",
  message:
    `group: no trade of this vault is known, and the call is older than ${finishingHours} hours, so none begins; ` +
    "use a new idempotency_key"
})

/** Returns the state of a trade within the request for its group: the same deadline, and an idempotency key of its own. */
const stateOf = (key: string) =>
  Effect.map(
    Effect.flatMap(RequestState.RequestState, (outer) =>
      outer === undefined ? RequestState.begin : Effect.succeed(outer)),
    (outer): RequestState.State => ({
      ...{ deadline: outer.deadline, reserved: outer.reserved, standing: "untouched", intentId: undefined },
      ...{ name: { ledger: "requests", text: key }, claim: undefined, committing: false }
    })
  )

const makeTrades = Effect.gen(function*() {
  const { admitAs } = yield* Gatekeeper
  const { settled } = yield* IdempotentWrites
  const vaultTrade = vaultTradeOf(yield* Intents)

  /** Trades one vault as its own request would, or answers for the trade that was accepted before. */
  const tradeOne = (
    { ageSeconds, call }: Accepted,
    request: GroupRequest,
    given: { readonly apiKey: Redacted.Redacted<string>; readonly by: By }
  ) =>
  (plan: MemberPlan, index: number): Effect.Effect<MemberResult> =>
    Effect.gen(function*() {
      if (plan.decision !== "trade") return untraded(plan)
      const { network, pool } = plan
      const key = tradeKey(call.id, index)
      const state = yield* stateOf(key)
      const params = { apiKey: given.apiKey, ...requestOf(request, plan), idempotency_key: key }
      const once = Effect.gen(function*() {
        const by = yield* admitAs(GroupPlan.tradeFacts, params, given.by)
        if (by.repeats === undefined) {
          if (ageSeconds > finishingHours * 3600) return yield* expired
          const barred = GroupPlan.barredForSubKey(by, network, pool)
          if (barred !== undefined) return yield* barred
        }
        return yield* Effect.provideService(vaultTrade(params), Caller, by)
      })
      const outcome = yield* settled(once).pipe(
        Effect.map(ofAnswer),
        Effect.catch((failure) => Effect.succeed(ofFailure(failure, state.intentId))),
        Effect.catchCause((cause) =>
          Cause.hasInterruptsOnly(cause)
            ? Effect.failCause(cause)
            : Effect.as(Effect.logError("a group's trade of a vault failed with a defect", cause), unknown)
        ),
        Effect.provideService(RequestState.RequestState, state)
      )
      return resultOf(plan, outcome)
    })

  return {
    carryOut: (
      accepted: Accepted,
      request: GroupRequest,
      apiKey: Redacted.Redacted<string>,
      { repeats: _, ...by }: By
    ) =>
      Effect.forEach(accepted.call.members, tradeOne(accepted, request, { apiKey, by }), { concurrency: "unbounded" })
  }
})

const makeCalls = Effect.gen(function*() {
  const store = yield* VaultGroupStore
  const intents = yield* IntentStore

  /** Finds the call that a repeat is about; a key of another request is a conflict. */
  const find = (wallet: By["wallet"], id: string, request: GroupRequest): Effect.Effect<Accepted, ValidationFailure> =>
    Effect.flatMap(
      query(store.findCall(wallet, id)),
      (found) =>
        Option.isSome(found) && isSame(found.value.call.request, request)
          ? Effect.succeed(found.value)
          : Effect.fail(conflict(id))
    )

  /** Commits a call. If a request with its key was faster, finds that one's call. */
  const commit = (request: GroupRequest, members: ReadonlyArray<MemberPlan>, by: By, idempotencyKey: string) =>
    Effect.gen(function*(): Effect.fn.Return<Accepted, ValidationFailure> {
      const { keyId, subKey, wallet } = by
      const id = yield* Uuid.v7
      const call = { id, wallet, keyId, subKeyId: subKey?.id ?? null, idempotencyKey, request, members }
      const isNew = yield* RequestState.committed(
        Effect.andThen(RequestState.note("offered"), query(store.accept(call)))
      )
      yield* RequestState.note("settled")
      if (isNew) return { call, ageSeconds: 0 }
      const other = yield* query(intents.findByIdempotencyKey(wallet, idempotencyKey))
      if (Option.isNone(other)) return yield* Effect.die(new Error("an idempotency key was released during its lookup"))
      return yield* find(wallet, other.value, request)
    })

  return { find, commit }
})

const makePreview = Effect.gen(function*() {
  const vaultTrade = vaultTradeOf(yield* Intents)

  /** Asks what a vault's trade would be. */
  const previewOne = (request: GroupRequest, apiKey: Redacted.Redacted<string>) => (plan: MemberPlan) =>
    Effect.gen(function*(): Effect.fn.Return<Preview, never, Caller> {
      const { amount, message, network, pool, share, state } = untraded(plan)
      const about = { network, pool, share, amount }
      if (plan.decision !== "trade") return { ...about, state, message, plan: null }
      return yield* vaultTrade({ apiKey, ...requestOf(request, plan), dryRun: true }).pipe(
        Effect.map((answer) => ({
          ...{ ...about, state: "planned" as const, message: answer.message },
          plan: "plan" in answer ? answer.plan : null
        })),
        Effect.catch((failure) =>
          Effect.succeed({ ...about, state: "refused" as const, message: failure.message, plan: null })
        )
      )
    })

  return {
    preview: (members: ReadonlyArray<MemberPlan>, request: GroupRequest, apiKey: Redacted.Redacted<string>) =>
      Effect.forEach(members, previewOne(request, apiKey), { concurrency: "unbounded" })
  }
})

/** Builds the functions that commit, find, carry out and preview calls. */
export const make = Effect.gen(function*() {
  return { ...(yield* makeCalls), ...(yield* makeTrades), ...(yield* makePreview) }
})
