/** From an admitted write to its answer: commit the intent, wake its vault, wait a while for the outcome. */
import type { Sharding } from "@effect/cluster/Sharding"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import type { NewIntent } from "@vault-trader/core/intent/Acceptance"
import { Backlog, type BacklogFull } from "@vault-trader/core/intent/Backlog"
import type { IntentRequest, Outcome } from "@vault-trader/core/intent/Intent"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { answered, awaited } from "../gate/Asking.ts"
import { Ending } from "../gate/Ending.ts"

/** A write as a handler hands it over. */
export interface Write {
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly request: IntentRequest
  readonly idempotencyKey: string | undefined
  readonly dryRun: boolean
}

export class Intents extends Context.Tag("vault-trader/server/intent/Intents")<Intents, {
  /** The endpoint's answer: its success, `pending`, a dry run's plan, or the failure. Decoded by the endpoint's own schema. */
  readonly carryOut: <A, I>(answer: Schema.Schema<A, I>, write: Write) => Effect.Effect<A, Failure, Caller>
}>() {
  /** `waitSeconds`: how long an answer waits for the outcome before it says `pending`. */
  static readonly layer = (waitSeconds: number): Layer.Layer<Intents, never, IntentStore | Backlog | Ending | Sharding> =>
    Layer.effect(
      Intents,
      Effect.gen(function*() {
        const store = yield* IntentStore
        const backlog = yield* Backlog
        const vaults = yield* Vault.client
        const ending = yield* Ending

        /** A repeat is answered however full it is: nothing more is accepted for it. */
        const unlessKnown = (intent: NewIntent, full: BacklogFull) =>
          Effect.flatMap(
            store.known(intent),
            Option.match({ onNone: () => Effect.fail(busy(full)), onSome: (known) => Effect.succeed(known) })
          )

        const accept = (write: Write, caller: Caller["Type"]) =>
          Effect.gen(function*() {
            const intent: NewIntent = {
              wallet: caller.wallet,
              keyId: caller.keyId,
              endpoint: write.endpoint,
              network: write.network,
              pool: write.pool,
              request: write.request,
              idempotencyKey: write.idempotencyKey ?? null
            }
            const acceptance = yield* backlog.within(intent, store.accept(intent)).pipe(
              Effect.catchTag("BacklogFull", (full) => unlessKnown(intent, full)),
              // The interpreter says of a failing database that nothing was accepted, or that it is not known.
              Effect.catchTags({ SqlError: (error) => Effect.die(error), AcceptanceUnknown: (unknown) => Effect.die(unknown) })
            )
            yield* Effect.annotateCurrentSpan(IntentTrace.attribute, acceptance.id)
            yield* Effect.logDebug("an intent was accepted").pipe(Effect.annotateLogs(IntentTrace.attribute, acceptance.id))
            if (acceptance._tag === "accepted") return acceptance.id
            return yield* new ValidationFailure({
              code: "1010",
              message: `idempotency_key: was used for another request (intent ${acceptance.id}); use a new key for a new request`
            })
          }).pipe(Effect.withSpan("intent.accept", { captureStackTrace: false }))

        const outcomeOf = (id: string, write: Write): Effect.Effect<Option.Option<Outcome>> =>
          awaited(vaults(idOf(write.network, write.pool)).execute({ intentId: id }), { ending, seconds: waitSeconds })

        const pending = (id: string) =>
          Effect.map(Effect.option(Effect.timeout(store.find(id), "2 seconds")), (found) => {
            const hash = Option.getOrNull(Option.map(Option.flatten(found), ({ txHash }) => txHash))
            const stands = Option.isNone(found) ? "Accepted" : hash === null ? "Accepted; no transaction is signed yet" : "Sent; what came of it is not known yet"
            return { status: "pending", intent_id: id, tx_hash: hash, message: `${stands}. Ask getIntent for what became of it.` }
          })

        const preview = (write: Write, caller: Caller["Type"]) =>
          Effect.map(
            answered(vaults(idOf(write.network, write.pool)).preview({ wallet: caller.wallet, request: write.request })),
            ({ details, gas, gas_cost, charge }) => ({
              // Only what the endpoint's answer has a place for at its top is shown there.
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

        const told = (id: string, outcome: Outcome) =>
          outcome._tag === "Succeeded"
            ? Effect.succeed({ status: "success", intent_id: id, tx_hash: outcome.txHash, message: outcome.message, ...outcome.result })
            : Effect.fail(failureOf(id, outcome))

        return {
          carryOut: (answer, write) =>
            Effect.gen(function*() {
              const caller = yield* Caller
              const decode = Schema.decodeUnknown(answer)
              if (write.dryRun) return yield* Effect.orDie(decode(yield* preview(write, caller)))
              const id = yield* accept(write, caller)
              const outcome = yield* outcomeOf(id, write)
              const body = Option.isSome(outcome) ? yield* told(id, outcome.value) : yield* pending(id)
              return yield* Effect.orDie(decode(body))
            })
        }
      })
    )
}

const belongings = { ofVault: "This vault", ofWallet: "This wallet", ofService: "The service" } as const

/** 2021, before anything is committed. */
const busy = ({ limit, of }: BacklogFull) =>
  new ExecutionFailure({
    errorType: "busy",
    message: `${belongings[of]} has ${limit} requests open, as many as may be; nothing was accepted. Try again when some of them are over.`
  })

/** The failure an intent ended in, with the intent's id and its transaction's hash. */
export const failureOf = (id: string, { failure, txHash }: Extract<Outcome, { readonly _tag: "Failed" }>): Failure =>
  failure._tag === "ValidationFailure"
    ? failure
    : new ExecutionFailure({
      errorType: failure.errorType,
      message: failure.message,
      intentId: id,
      ...(txHash === null ? {} : { txHash })
    })
