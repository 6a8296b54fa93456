/**
 * The permits that a signer has issued and that are not used yet, by submission. They stay in its memory: each permits
 * one signature, of exactly the reviewed call, a short time after its review.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import type { Permit, Review } from "../gas-wallet/SigningPolicy.ts"

/** How long a review permits a signature: a lane signs within seconds of it. */
const lifetimeMillis = 60_000

/** Maximum number of unused permits; the oldest are dropped first. */
const maxPermits = 20_000

export interface IssuedPermits {
  /** Keeps the permits of a review, each in the place of an earlier one of its submission. */
  readonly keep: (review: Review) => Effect.Effect<void>
  /** Takes the permits of these submissions; undefined where one has none, and then none is taken. */
  readonly take: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Permit> | undefined>
}

export const make = (): IssuedPermits => {
  const issued = new Map<string, { readonly permit: Permit; readonly at: number }>()
  return {
    keep: ({ permits, refusals }) =>
      Effect.map(Clock.currentTimeMillis, (at) => {
        for (const key of refusals.keys()) issued.delete(key)
        for (const [key, permit] of permits) {
          issued.delete(key)
          issued.set(key, { permit, at })
        }
        for (const [key, each] of issued) {
          if (issued.size <= maxPermits && at - each.at < lifetimeMillis) break
          issued.delete(key)
        }
      }),
    take: (keys) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const found = keys.flatMap((key) => issued.get(key) ?? [])
        const isComplete = found.length === keys.length && new Set(keys).size === keys.length &&
          found.every(({ at }) => now - at < lifetimeMillis)
        if (!isComplete) return undefined
        for (const key of keys) issued.delete(key)
        return found.map(({ permit }) => permit)
      })
  }
}
