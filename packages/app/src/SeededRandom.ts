/** A seeded random number generator: the same seed makes the same choices. */
export interface SeededRandom {
  /** A number from 0 up to, but not including, 1. */
  readonly next: () => number
  /** A whole number from 0 up to, but not including, the limit. */
  readonly below: (limit: number) => number
  /** Returns true with this probability. */
  readonly happens: (probability: number) => boolean
  readonly one: <A>(from: readonly [A, ...Array<A>]) => A
}

/** mulberry32: small, fast, good enough to choose faults. */
export const make = (seed: number): SeededRandom => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (limit: number) => Math.floor(next() * limit)
  return {
    next,
    below,
    happens: (probability) => next() < probability,
    one: (from) => from[below(from.length)] ?? from[0]
  }
}
