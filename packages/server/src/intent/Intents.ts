/** Answers an admitted write: commits the intent, wakes its vault and waits a while for the outcome. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import type { NewIntent } from "@vault-trader/core/intent/IntentInsert"
import { Backlog, type BacklogFull } from "@vault-trader/core/intent/Backlog"
import type { Intent, IntentRequest, Outcome } from "@vault-trader/core/intent/Intent"
import { queueOf } from "@vault-trader/core/intent/IntentQueue"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import { executor } from "@vault-trader/core/vault/WalletQueue"
import type { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { read, awaitOutcome, bounded, query } from "../gate/ActorCall.ts"
import { GracefulShutdown } from "../gate/GracefulShutdown.ts"
import * as RequestState from "../wire/RequestState.ts"
import { conflict, released } from "../gate/IdempotentWrites.ts"

/** A write as a handler passes it. */
export interface Write {
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly request: IntentRequest
  readonly idempotencyKey: string | undefined
  readonly dryRun: boolean
}

export class Intents extends Context.Service<Intents, {
  /** Returns the endpoint's response: success, `pending` or a dry run's plan. Fails with the intent's failure. */
  readonly write: <A, I>(answer: Schema.Codec<A, I>, write: Write) => Effect.Effect<A, Failure, Caller>
}>()("vault-trader/server/intent/Intents") {
  /** `waitSeconds`: how long to wait for the outcome before answering `pending`. */
  static readonly layer = (
    waitSeconds: number
  ): Layer.Layer<Intents, never, IntentStore | Backlog | GracefulShutdown | Sharding> =>
    Layer.effect(
      Intents,
      Effect.gen(function*() {
        const store = yield* IntentStore
        const backlog = yield* Backlog
        const vaults = yield* Vault.client
        const execute = yield* executor
        const ending = yield* GracefulShutdown

        /** Returns a known intent despite a full backlog, since a repeat adds nothing; refuses a new one. */
        const unlessKnown = (intent: NewIntent, full: BacklogFull) =>
          Effect.flatMap(
            store.known(intent),
            Option.match({ onNone: () => Effect.fail(busy(full)), onSome: (known) => Effect.succeed(known) })
          )

        const intentOf = (write: Write, caller: Caller["Service"]): NewIntent => ({
          wallet: caller.wallet,
          keyId: caller.keyId,
          endpoint: write.endpoint,
          network: write.network,
          pool: write.pool,
          request: write.request,
          idempotencyKey: write.idempotencyKey ?? null
        })

        /** Returns the intent of a repeat, or the conflict if its key belongs to another request. */
        const findRepeated = (intent: NewIntent) =>
          Effect.flatMap(query(store.known(intent)), Option.match({ onNone: () => released, onSome: Effect.succeed }))

        const acceptNew = (intent: NewIntent) =>
          Effect.gen(function*() {
            const timeout = yield* RequestState.within("1 minute")
            const offered = Effect.andThen(RequestState.note("offered"), store.acceptWithin(intent, timeout))
            // Counting the open intents comes before the commit and can hang as well, so both are inside.
            return yield* RequestState.committed(backlog.within(intent, offered)).pipe(
              Effect.catchTag("BacklogFull", (full) => unlessKnown(intent, full)),
              // For a failing database, the interpreter reports that nothing was accepted or that the outcome is
              // unknown.
              Effect.catchTags({
                SqlError: (error) => Effect.die(error),
                AcceptanceUnknown: (unknown) => Effect.die(unknown)
              })
            )
          })

        const accept = (intent: NewIntent, repeats: boolean) =>
          Effect.gen(function*() {
            const acceptance = yield* repeats ? findRepeated(intent) : acceptNew(intent)
            yield* RequestState.note("settled")
            yield* Effect.annotateCurrentSpan(IntentTrace.attribute, acceptance.id)
            yield* Effect.logDebug("an intent was accepted").pipe(
              Effect.annotateLogs(IntentTrace.attribute, acceptance.id)
            )
            if (acceptance._tag === "accepted") return acceptance.id
            return yield* conflict(acceptance.id)
          }).pipe(Effect.withSpan("intent.accept", undefined, { captureStackTrace: false }))

        /** Reads an intent from the ledger; none if it does not answer in time. */
        const findIntent = (id: string) =>
          Effect.map(
            Effect.option(bounded(store.find(id), { patience: "2 seconds", onTimeout: () => "silent" })),
            Option.flatten
          )

        const outcomeOf = (id: string, intent: NewIntent): Effect.Effect<Option.Option<Outcome>> =>
          awaitOutcome(execute(queueOf(intent), id), { ending, seconds: waitSeconds })

        const outcomeIn = (found: Option.Option<Intent>) =>
          Option.flatMap(found, ({ outcome }) => Option.fromNullishOr(outcome))

        const pending = (id: string, found: Option.Option<Intent>) => {
          const hash = Option.getOrNull(Option.map(found, ({ txHash }) => txHash))
          const state = Option.isNone(found)
            ? "Accepted"
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

        /**
         * Answers for an accepted intent. A repeat of a finished one uses its row, so the vault's actor need not be
         * reachable.
         */
        const answerOf = (id: string, intent: NewIntent, repeats: boolean) =>
          Effect.gen(function*() {
            const before = repeats ? outcomeIn(yield* findIntent(id)) : Option.none()
            const outcome = Option.isSome(before) ? before : yield* outcomeOf(id, intent)
            if (Option.isSome(outcome)) return yield* toAnswer(id, outcome.value)
            const row = yield* findIntent(id)
            const ended = outcomeIn(row)
            return Option.isSome(ended) ? yield* toAnswer(id, ended.value) : pending(id, row)
          })

        const preview = (write: Write, caller: Caller["Service"]) =>
          Effect.map(
            read(vaults(idOf(write.network, write.pool)).preview({ wallet: caller.wallet, request: write.request })),
            ({ details, gas, gas_cost, charge }) => ({
              // At the top level, the endpoint's schema keeps only the fields it declares.
              ...details,
              charge: { ...charge },
              status: "success",
              dryRun: true,
              plan: { ...details, gas, gas_cost, charge: { ...charge } },
              intent_id: null,
              tx_hash: null,
              message: "Dry run: nothing was sent."
            })
          )

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

        return {
          write: (answer, write) =>
            Effect.gen(function*() {
              const caller = yield* Caller
              const decode = Schema.decodeUnknownEffect(answer)
              if (write.dryRun) return yield* Effect.orDie(decode(yield* preview(write, caller)))
              const repeats = caller.repeats !== undefined
              const intent = intentOf(write, caller)
              const id = yield* accept(intent, repeats)
              return yield* Effect.orDie(decode(yield* answerOf(id, intent, repeats)))
            })
        }
      })
    )
}

const openText = {
  ofVault: (limit: number) => `This vault has ${limit} requests of this wallet open`,
  ofWallet: (limit: number) => `This wallet has ${limit} requests open`,
  ofService: (limit: number) => `The service has ${limit} requests open`
} as const

/** Refuses with 2021, before anything is committed. */
const busy = ({ limit, of }: BacklogFull) =>
  new ExecutionFailure({
    errorType: "busy",
    message: `${openText[of](limit)}, the maximum; nothing was accepted. Try again when some have finished.`
  })

/** Returns an intent's failure with the intent's id and its transaction's hash. */
export const failureOf = (id: string, { failure, txHash }: Extract<Outcome, { readonly _tag: "Failed" }>): Failure =>
  failure._tag === "ValidationFailure"
    ? failure
    : new ExecutionFailure({
      errorType: failure.errorType,
      message: failure.message,
      intentId: id,
      ...(txHash === null ? {} : { txHash })
    })
