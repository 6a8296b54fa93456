/** Token buckets by name, in bounded memory. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"

/** How many tokens a bucket holds, and how many it regains a minute. */
export interface Share {
  readonly burst: number
  readonly perMinute: number
}

interface Bucket {
  tokens: number
  at: number
}

/** Takes a token; returns the tokens there were before. Under 1, none was taken. */
export type Buckets = (name: string, share: Share) => Effect.Effect<number>

/** `capacity`: buckets in memory before the one that was used longest ago is forgotten. */
export const make = (capacity: number): Buckets => {
  const buckets = new Map<string, Bucket>()
  return (name, { burst, perMinute }) =>
    Effect.map(Clock.currentTimeMillis, (now): number => {
      const bucket = buckets.get(name) ?? { tokens: burst, at: now }
      const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perMinute / 60_000)
      // Moved to the end: the map's order is by last use, so the first ones are the ones to forget.
      buckets.delete(name)
      buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
      if (buckets.size > capacity) buckets.delete(buckets.keys().next().value ?? "")
      return tokens
    })
}
