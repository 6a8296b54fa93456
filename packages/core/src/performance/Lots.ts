/**
 * Matches what was sold with what was bought before, lot by lot. Quantities are smallest units, USD has 18 decimals.
 * Deterministic: the same movements in the same order have the same result, with every unit and every cost counted once.
 */
import type { LotMethod } from "./Performance.ts"

/**
 * A purchase, a sale, or quantity that left without a sale. What was `lent` stays in its lots, which `returned` brings
 * back.
 */
export interface Movement<A = unknown> {
  readonly kind: "bought" | "sold" | "left" | "lent" | "returned"
  readonly asset: string
  readonly quantity: bigint
  /** The cost of a purchase, or the proceeds of a sale; null where it is not known. */
  readonly usd18: bigint | null
  /** Unix milliseconds. */
  readonly time: number
  /** Passed through to the result. */
  readonly about: A
}

/** A lot, or what is left of it. */
export interface Lot<A = unknown> {
  readonly asset: string
  readonly quantity: bigint
  readonly cost18: bigint | null
  readonly time: number
  readonly about: A
}

/** The sale of a part of a lot; `lot` is null for quantity without a purchase. */
export interface Matched<A = unknown> {
  readonly asset: string
  readonly quantity: bigint
  readonly proceeds18: bigint | null
  readonly cost18: bigint | null
  readonly time: number
  readonly about: A
  readonly lot: { readonly time: number; readonly about: A } | null
}

export interface LotResult<A = unknown> {
  readonly sold: ReadonlyArray<Matched<A>>
  /** The parts of lots that left without a sale. */
  readonly left: ReadonlyArray<Matched<A>>
  readonly open: ReadonlyArray<Lot<A>>
}

/** Returns the index of the lot that is sold next: the older of equals. A lot without a known cost is the cheapest. */
const nextOf = (lots: ReadonlyArray<Lot>, method: LotMethod): number => {
  if (method === "fifo") return 0
  if (method === "lifo") return lots.length - 1
  let best = 0
  for (let index = 1; index < lots.length; index++) {
    const [one, other] = [lots[best]!, lots[index]!]
    // Compares cost per unit without a division: a/b < c/d is a·d < c·b.
    if ((one.cost18 ?? -1n) * other.quantity < (other.cost18 ?? -1n) * one.quantity) best = index
  }
  return best
}

/** Splits an amount in proportion; the part is rounded down, the rest has what remains. */
const partOf = (amount: bigint | null, part: bigint, whole: bigint): bigint | null =>
  amount === null ? null : part === whole ? amount : amount * part / whole

const minus = (amount: bigint | null, part: bigint | null): bigint | null =>
  amount === null || part === null ? null : amount - part

/** Takes a quantity from the lots, and returns what of it was matched with which lot. */
const take = <A>(lots: Array<Lot<A>>, movement: Movement<A>, method: LotMethod): ReadonlyArray<Matched<A>> => {
  const { about, asset, time } = movement
  const matched: Array<Matched<A>> = []
  let [left, proceeds] = [movement.quantity, movement.usd18]
  while (left > 0n && lots.length > 0) {
    const index = nextOf(lots, method)
    const lot = lots[index]!
    const quantity = lot.quantity < left ? lot.quantity : left
    const cost18 = partOf(lot.cost18, quantity, lot.quantity)
    const proceeds18 = partOf(proceeds, quantity, left)
    matched.push({ asset, quantity, proceeds18, cost18, time, about, lot: { time: lot.time, about: lot.about } })
    if (quantity === lot.quantity) lots.splice(index, 1)
    else lots[index] = { ...lot, quantity: lot.quantity - quantity, cost18: minus(lot.cost18, cost18) }
    proceeds = minus(proceeds, proceeds18)
    left -= quantity
  }
  return left === 0n
    ? matched
    : [...matched, { asset, quantity: left, proceeds18: proceeds, cost18: null, time, about, lot: null }]
}

/** Moves a quantity from lots to others, where each part keeps its time and cost; returns what no lot had. */
const move = <A>(from: Array<Lot<A>>, to: Array<Lot<A>>, movement: Movement<A>, method: LotMethod): bigint => {
  let missing = 0n
  for (const { cost18, lot, quantity } of take(from, movement, method)) {
    if (lot === null) missing += quantity
    else to.push({ asset: movement.asset, quantity, cost18, time: lot.time, about: lot.about })
  }
  to.sort((one, other) => one.time - other.time)
  return missing
}

/** Matches movements, which are in the order of time. */
export const match = <A>(movements: ReadonlyArray<Movement<A>>, method: LotMethod): LotResult<A> => {
  const byAsset = new Map<string, Array<Lot<A>>>()
  const lentByAsset = new Map<string, Array<Lot<A>>>()
  const [sold, left]: [Array<Matched<A>>, Array<Matched<A>>] = [[], []]
  for (const movement of movements) {
    if (movement.quantity <= 0n) continue
    const { about, asset, kind, quantity, time, usd18 } = movement
    const lots = byAsset.get(asset) ?? []
    byAsset.set(asset, lots)
    const lent = lentByAsset.get(asset) ?? []
    lentByAsset.set(asset, lent)
    if (kind === "bought") lots.push({ asset, quantity, cost18: usd18, time, about })
    else if (kind === "lent") move(lots, lent, movement, "fifo")
    else if (kind === "returned") {
      const missing = move(lent, lots, movement, "fifo")
      if (missing > 0n) lots.push({ asset, quantity: missing, cost18: null, time, about })
    } else (kind === "sold" ? sold : left).push(...take(lots, movement, method))
  }
  return { sold, left, open: [...byAsset.values(), ...lentByAsset.values()].flat() }
}

/** Sums the gains whose cost and proceeds are both known. */
export const gainOf = (sold: ReadonlyArray<Matched>): bigint =>
  sold.reduce(
    (sum, { cost18, proceeds18 }) => cost18 === null || proceeds18 === null ? sum : sum + proceeds18 - cost18,
    0n
  )
