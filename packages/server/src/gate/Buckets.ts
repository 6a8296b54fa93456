/** Token buckets by name, in bounded memory. */
/** Capacity of a bucket, and tokens regained per minute. */
export interface Share {
  readonly burst: number
  readonly perMinute: number
}

interface Bucket {
  tokens: number
  at: number
}

/**
 * Takes a token at a time, unix milliseconds, and returns the number of tokens before. If that is below 1, no token was
 * taken.
 */
export type Buckets = (name: string, share: Share, now: number) => number

/** `capacity`: maximum number of buckets in memory; beyond it the least recently used one is dropped. */
export const make = (capacity: number): Buckets => {
  const buckets = new Map<string, Bucket>()
  return (name, { burst, perMinute }, now) => {
    const bucket = buckets.get(name) ?? { tokens: burst, at: now }
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) * perMinute / 60_000)
    // Moved to the end: the map is ordered by last use, so the first entry is dropped.
    buckets.delete(name)
    buckets.set(name, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    if (buckets.size > capacity) buckets.delete(buckets.keys().next().value ?? "")
    return tokens
  }
}
