/** The faults of the fake key providers, and the counts of their requests. */
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"

export type ProviderName = "aws-kms" | "gcp-kms" | "web3signer"

/**
 * Refusals: too many requests, no access, a disabled key, a deleted key, a key that waits for its deletion, HTTP 500.
 * No answer at all: `silence`. Wrong answers: a signature by another key, with a high s, of another digest, bytes that
 * are no signature, a checksum that does not match.
 */
export type KeyFault =
  | "throttled"
  | "denied"
  | "disabled"
  | "gone"
  | "pendingDeletion"
  | "serverError"
  | "silence"
  | "otherKey"
  | "highS"
  | "otherDigest"
  | "garbage"
  | "wrongChecksum"

export interface KeyFaults {
  /** Sets the fault of a provider, for a number of requests or until it is replaced. */
  readonly inject: (provider: ProviderName, fault: KeyFault, times?: number) => Effect.Effect<void>
  /** Removes all faults; requests that got no answer get one. */
  readonly heal: Effect.Effect<void>
  /** Runs before each signature is returned, until it is replaced. */
  readonly holdSignatures: (hold: Effect.Effect<void>) => Effect.Effect<void>
  /** Counts the requests for signatures that a provider has received. */
  readonly signRequests: (provider: ProviderName) => Effect.Effect<number>
  /** Logs a request and returns the fault that applies to it. */
  readonly meet: (provider: ProviderName, isSigning: boolean) => Effect.Effect<KeyFault | undefined>
}

export const make: Effect.Effect<KeyFaults> = Effect.gen(function*() {
  const silence = yield* Latch.make(false)
  const faults = new Map<ProviderName, { readonly fault: KeyFault; left: number }>()
  const counts = new Map<ProviderName, number>()
  let held: Effect.Effect<void> = Effect.void
  return {
    inject: (provider, fault, times = Number.POSITIVE_INFINITY) =>
      Effect.andThen(silence.close, Effect.sync(() => faults.set(provider, { fault, left: times }))),
    heal: Effect.andThen(Effect.sync(() => faults.clear()), silence.open),
    holdSignatures: (hold) =>
      Effect.sync(() => {
        held = hold
      }),
    signRequests: (provider) => Effect.sync(() => counts.get(provider) ?? 0),
    meet: (provider, isSigning) =>
      Effect.gen(function*() {
        if (isSigning) {
          counts.set(provider, (counts.get(provider) ?? 0) + 1)
          yield* held
        }
        const entry = faults.get(provider)
        if (entry === undefined || entry.left === 0) return undefined
        entry.left -= 1
        if (entry.fault !== "silence") return entry.fault
        yield* silence.await
        return undefined
      })
  }
})
