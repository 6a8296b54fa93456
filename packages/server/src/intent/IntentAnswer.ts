/** Answers for an accepted intent: waits a while for its outcome, and otherwise answers `pending`. */
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import type { NewIntent } from "@vault-trader/core/intent/IntentInsert"
import type { Intent, Outcome } from "@vault-trader/core/intent/Intent"
import { queueOf } from "@vault-trader/core/intent/IntentQueue"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { executor } from "@vault-trader/core/vault/WalletQueue"
import type { Sharding } from "effect/cluster/Sharding"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { awaitOutcome, bounded } from "../gate/ActorCall.ts"
import { GracefulShutdown } from "../gate/GracefulShutdown.ts"

const outcomeIn = (found: Option.Option<Intent>) =>
  Option.flatMap(found, ({ outcome }) => Option.fromNullishOr(outcome))

const pending = (id: string, found: Option.Option<Intent>) => {
  const hash = Option.getOrNull(Option.map(found, ({ txHash }) => txHash))
  const waiting = Option.getOrNull(Option.map(found, ({ waiting }) => waiting))
  const state = Option.isNone(found)
    ? "Accepted"
    : waiting !== null
    ? `Waiting: ${waiting.replace(/\.$/, "")}`
    : hash === null
    ? "Accepted; no transaction is signed yet"
    : "Sent; the outcome is not known yet"
  return {
    status: "pending",
    intent_id: id,
    tx_hash: hash,
    message: `${state}. Call getIntent for the outcome.`
  }
}

/** Returns an intent's failure with the intent's id and its transaction's hash. */
const failureOf = (id: string, { failure, txHash }: Extract<Outcome, { readonly _tag: "Failed" }>): Failure =>
  failure._tag === "ValidationFailure"
    ? failure
    : new ExecutionFailure({
      errorType: failure.errorType,
      message: failure.message,
      intentId: id,
      ...(txHash === null ? {} : { txHash })
    })

const toAnswer = (id: string, outcome: Outcome) =>
  outcome._tag === "Succeeded"
    ? Effect.succeed({
      status: "success",
      intent_id: id,
      tx_hash: outcome.txHash,
      message: outcome.message,
      ...outcome.result
    })
    : Effect.fail(failureOf(id, outcome))

/** Returns the wire fields of an accepted intent's response, or fails with the intent's failure. */
type Answer = (
  id: string,
  intent: NewIntent,
  repeats: boolean
) => Effect.Effect<Readonly<Record<string, unknown>>, Failure>

/** `waitSeconds`: how long to wait for the outcome before answering `pending`. */
export const make = (
  waitSeconds: number
): Effect.Effect<Answer, never, IntentStore | GracefulShutdown | Sharding> =>
  Effect.gen(function*() {
    const store = yield* IntentStore
    const execute = yield* executor
    const ending = yield* GracefulShutdown

    /** Reads an intent from the ledger; none if it does not answer in time. */
    const findIntent = (id: string) =>
      Effect.map(
        Effect.option(bounded(store.find(id), { timeout: "2 seconds", onTimeout: () => "silent" })),
        Option.flatten
      )

    const outcomeOf = (id: string, intent: NewIntent): Effect.Effect<Option.Option<Outcome>> =>
      awaitOutcome(execute(queueOf(intent), id), { ending, seconds: waitSeconds })

    /**
     * Answers for an accepted intent. A repeat of a finished one uses its row, so the vault's actor need not be
     * reachable.
     */
    return (id, intent, repeats) =>
      Effect.gen(function*() {
        const before = repeats ? outcomeIn(yield* findIntent(id)) : Option.none()
        const outcome = Option.isSome(before) ? before : yield* outcomeOf(id, intent)
        if (Option.isSome(outcome)) return yield* toAnswer(id, outcome.value)
        const row = yield* findIntent(id)
        const ended = outcomeIn(row)
        return Option.isSome(ended) ? yield* toAnswer(id, ended.value) : pending(id, row)
      })
  })
