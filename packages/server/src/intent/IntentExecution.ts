/** Executes an admitted write: commits the intent, wakes its vault and waits a while for the outcome. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Backlog } from "@vault-trader/core/intent/Backlog"
import type { NewIntent } from "@vault-trader/core/intent/IntentInsert"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import type { IntentStore } from "@vault-trader/core/intent/IntentStore"
import { idOf, Vault } from "@vault-trader/core/vault/Vault"
import type { Sharding } from "effect/cluster/Sharding"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { read } from "../gate/ActorCall.ts"
import type { GracefulShutdown } from "../gate/GracefulShutdown.ts"
import * as IntentAcceptance from "./IntentAcceptance.ts"
import * as IntentAnswer from "./IntentAnswer.ts"

/** An admitted write of the current caller. */
export interface Write {
  readonly endpoint: string
  readonly network: Network
  readonly pool: Address
  readonly request: IntentRequest
  readonly idempotencyKey: string | undefined
  /** The caller's lifetime of the transaction, in seconds. */
  readonly validFor?: number | undefined
  readonly dryRun: boolean
  /** True when an unfinished identical request is answered with instead of a second one. */
  readonly absorbed: boolean
}

const intentOf = (write: Write, caller: Caller["Service"]): NewIntent => ({
  wallet: caller.wallet,
  keyId: caller.keyId,
  subKeyId: caller.subKey?.id ?? null,
  endpoint: write.endpoint,
  network: write.network,
  pool: write.pool,
  request: write.request,
  idempotencyKey: write.idempotencyKey ?? null,
  validFor: write.validFor ?? null,
  absorbed: write.absorbed
})

/** Says that a response is about the unfinished intent of an identical request. */
const twinNote = (id: string) =>
  ` This is the answer of intent ${id}, an identical request that was unfinished; no second one was made. ` +
  "Send duplicate=true for a second one, or an idempotency_key with every request."

type Fields = Readonly<Record<string, unknown>>

/** Adds the note to the message of an answer, or of its failure. */
const withTwinNote = (id: string, answer: Effect.Effect<Fields, Failure>): Effect.Effect<Fields, Failure> =>
  Effect.mapBoth(answer, {
    onSuccess: (fields) => ({ ...fields, message: `${String(fields["message"])}${twinNote(id)}` }),
    onFailure: (failure) =>
      failure._tag === "ValidationFailure"
        ? new ValidationFailure({ code: failure.code, message: `${failure.message}${twinNote(id)}` })
        : new ExecutionFailure({
          errorType: failure.errorType,
          message: `${failure.message}${twinNote(id)}`,
          ...(failure.intentId === undefined ? {} : { intentId: failure.intentId }),
          ...(failure.txHash === undefined ? {} : { txHash: failure.txHash })
        })
  })

export class IntentExecution extends Context.Service<IntentExecution, {
  /** Returns the endpoint's response: success, `pending` or a dry run's plan. Fails with the intent's failure. */
  readonly execute: <A, I>(answer: Schema.Codec<A, I>, write: Write) => Effect.Effect<A, Failure, Caller>
}>()("vault-trader/server/intent/IntentExecution") {
  /** `waitSeconds`: how long to wait for the outcome before answering `pending`. */
  static readonly layer = (
    waitSeconds: number
  ): Layer.Layer<IntentExecution, never, IntentStore | Backlog | GracefulShutdown | Sharding> =>
    Layer.effect(
      IntentExecution,
      Effect.gen(function*() {
        const vaults = yield* Vault.client
        const accept = yield* IntentAcceptance.make
        const answerOf = yield* IntentAnswer.make(waitSeconds)

        const preview = (write: Write, caller: Caller["Service"]) =>
          Effect.map(
            read(
              vaults(idOf(write.network, write.pool)).preview({
                wallet: caller.wallet,
                request: write.request,
                subKeyId: caller.subKey?.id
              })
            ),
            ({ details, gas, gas_cost, charge }) => ({
              // At the top level, the endpoint's schema keeps only the fields it declares.
              ...details,
              network: write.network,
              charge: { ...charge },
              status: "success",
              dryRun: true,
              plan: { ...details, gas, gas_cost, charge: { ...charge } },
              intent_id: null,
              tx_hash: null,
              message: "Dry run: nothing was sent."
            })
          )

        return {
          execute: (answer, write) =>
            Effect.gen(function*() {
              const caller = yield* Caller
              const decode = Schema.decodeUnknownEffect(answer)
              if (write.dryRun) return yield* Effect.orDie(decode(yield* preview(write, caller)))
              const repeats = caller.repeats !== undefined
              const intent = intentOf(write, caller)
              const { id, twin } = yield* accept(intent, repeats)
              const answered = answerOf(id, intent, repeats)
              const fields = yield* twin ? withTwinNote(id, answered) : answered
              return yield* Effect.orDie(decode({ network: write.network, ...fields }))
            })
        }
      })
    )
}
