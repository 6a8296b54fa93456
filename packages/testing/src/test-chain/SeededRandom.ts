/**
 * Seeded random numbers, the same for the same seed now and in every later version: PCG-XSH-RR with 64 bits of state.
 */

export interface SeededRandom {
  /** At least 0, less than 1, with 53 random bits. */
  readonly number: () => number
  /** A whole number, at least 0 and less than `limit`. */
  readonly integer: (limit: number) => number
}

const multiplier = 0x5851f42d4c957f2dn
const increment = 0x14057b7ef767814fn

const word = (value: bigint) => BigInt.asUintN(64, value)

/** Makes a generator. `high` and `low` are the two halves of the seed, 32 bits each. */
export const make = (high: number, low: number): SeededRandom => {
  let state = 0n
  const next = (): number => {
    const old = state
    state = word(old * multiplier + increment)
    const mixed = Number(BigInt.asUintN(32, (old >> 18n ^ old) >> 27n))
    const turn = Number(old >> 59n)
    return (mixed >>> turn | mixed << (-turn & 31)) >>> 0
  }
  next()
  state = word(state + (BigInt(high >>> 0) << 32n) + BigInt(low >>> 0))
  next()
  const number = () => {
    const first = next() & 0x03ffffff
    return (first * 2 ** 27 + (next() & 0x07ffffff)) / 2 ** 53
  }
  return { number, integer: (limit) => Math.round(number() * Number.MAX_SAFE_INTEGER) % limit }
}
