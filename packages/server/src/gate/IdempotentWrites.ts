/**
 * Writes with an idempotency key. The key is looked up in the ledger before anything else is checked, and again before
 * such a write is refused: a refusal must not hide that another request with the same key was accepted meanwhile.
 */
import { ChargeStore } from "@vault-trader/core/billing/ChargeStore"
import { keyReference, orderReference } from "@vault-trader/core/billing/ChargeView"
import type { Address } from "@vault-trader/core/chain/Address"
import type { EndpointFacts } from "@vault-trader/core/endpoint/Endpoint"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { IntentStore } from "@vault-trader/core/intent/IntentStore"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { bounded, query } from "./ActorCall.ts"
import { LedgerUnknown } from "../wire/ServiceUnavailable.ts"
import { beginLastLookup, type Claim, RequestState, type WriteName } from "../wire/RequestState.ts"

/**
 * Returns the name under which a write is done once: its idempotency key, or a charge's reference. Reads, dry runs and
 * previews have none.
 */
export const nameOf = (facts: EndpointFacts, params: Readonly<Record<string, unknown>>): WriteName | undefined => {
  const { dryRun, execute, idempotency_key: key, order_id: order } = params
  const takes = (param: string) => facts.params.some(({ name }) => name === param)
  if (facts.class !== "movesFunds" || dryRun === true || (takes("execute") && execute !== true)) return undefined
  if (takes("order_id")) {
    const reference = typeof order === "string"
      ? orderReference(order)
      : typeof key === "string"
      ? keyReference(key)
      : undefined
    return reference === undefined ? undefined : { ledger: "charges", text: reference }
  }
  return typeof key === "string" ? { ledger: "requests", text: key } : undefined
}

/** Refuses a request whose key names another one. */
export const conflict = (id: string) =>
  new ValidationFailure({
    code: "1010",
    message: `idempotency_key: was used for another request (intent ${id}); use a new key for a new request`
  })

/** Refuses a repeat whose key was released between two lookups, because its seven days are over. */
export const released = explain({ _tag: "IdempotencyKeyReleased" }, "nothingAccepted")

export class IdempotentWrites extends Context.Service<IdempotentWrites, {
  /**
   * Finds the intent, order, run or charge with this name. If there is none, the current request may accept one until
   * it ends.
   */
  readonly named: (wallet: Address, name: WriteName) => Effect.Effect<Option.Option<string>>
  /**
   * Runs the current request. If it fails while its key is unused, looks the key up again. If another request with the
   * key was accepted meanwhile, runs this one again as a repeat. Dies with `LedgerUnknown` if the lookup cannot be
   * completed in time.
   */
  readonly settled: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}>()("vault-trader/server/gate/IdempotentWrites") {
  static readonly layer: Layer.Layer<IdempotentWrites, never, ChargeStore | IntentStore> = Layer.effect(
    IdempotentWrites,
    Effect.gen(function*() {
      const store = yield* IntentStore
      const charges = yield* ChargeStore
      const claims = new Map<string, { count: number; readonly free: Latch.Latch }>()

      const idOf = (wallet: Address, { ledger, text }: WriteName) => `${wallet}/${ledger}/${text}`

      /** Counts the current request among those that may accept a write under this name. */
      const claim = (wallet: Address, name: WriteName) =>
        Effect.map(RequestState, (state) => {
          if (state === undefined || state.claim !== undefined) return
          const id = idOf(wallet, name)
          const entry = claims.get(id) ?? { count: 0, free: Latch.makeUnsafe(false) }
          entry.count += 1
          claims.set(id, entry)
          let isReleased = false
          const leave = () => {
            if (isReleased) return
            isReleased = true
            entry.count -= 1
            if (entry.count > 0) return
            claims.delete(id)
            entry.free.openUnsafe()
          }
          state.claim = { wallet, name, leave }
        })

      /** Waits until no request of this process can accept a write under this name. */
      const awaitOtherClaims = ({ name, wallet }: Claim) =>
        Effect.suspend(() => claims.get(idOf(wallet, name))?.free.await ?? Effect.void)

      const named = (wallet: Address, { ledger, text }: WriteName) =>
        query(
          ledger === "requests"
            ? store.findByIdempotencyKey(wallet, text)
            : Effect.map(charges.find(wallet, text), Option.map(({ id }) => id))
        )

      return {
        named: (wallet, name) => Effect.andThen(claim(wallet, name), named(wallet, name)),
        settled: (request) =>
          Effect.gen(function*() {
            const state = yield* RequestState
            if (state?.name === undefined) return yield* request
            const first = yield* Effect.ensuring(
              Effect.result(request),
              Effect.sync(() => {
                if (!state.committing) state.claim?.leave()
              })
            )
            const { claim } = state
            if (Result.isSuccess(first)) return first.success
            if (claim === undefined || state.standing === "settled") return yield* Effect.fail(first.failure)
            yield* beginLastLookup
            yield* Effect.orDie(
              bounded(awaitOtherClaims(claim), { timeout: "1 minute", onTimeout: () => new LedgerUnknown() })
            )
            if (Option.isSome(yield* named(claim.wallet, claim.name))) return yield* request
            if (state.standing === "doubtful") return yield* Effect.die(new LedgerUnknown())
            return yield* Effect.fail(first.failure)
          })
      }
    })
  )
}

/** Idempotent writes with the ledgers they are looked up in. */
export const IdempotentWritesLive = Layer.provide(IdempotentWrites.layer, [ChargeStore.layer, IntentStore.layer])
