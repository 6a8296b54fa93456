/**
 * Plans an index bot's trades to bring a vault to its targets. Pure; used by previews, runs and paper bots. USD and
 * percent have 18 decimals.
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import type { Address } from "../chain/Address.ts"
import { max, min } from "../chain/Quantity.ts"
import type { Token } from "../chain/Token.ts"

/** A vault's holding of a token. */
export interface Holding {
  readonly token: Token
  /** Smallest units; null while the vault platform does not value it. */
  readonly balance: bigint | null
  /** USD per whole token, 18 decimals; null while the oracle has no fresh price. */
  readonly price: bigint | null
  /** True if the vault can trade it: an enabled asset that is not a position. */
  readonly inVault: boolean
}

interface Target {
  readonly token: Token
  /** Percent of the whole vault. */
  readonly weight: number
  /** Percentage points; null for the index's default. */
  readonly tolerance: number | null
}

export interface Order {
  readonly held: ReadonlyArray<Holding>
  readonly targets: ReadonlyArray<Target>
  /** The asset that sells receive and buys spend. */
  readonly quote: Token
  /** Percentage points that a weight may be off. */
  readonly tolerance: number
  /** Maximum value of all sells and buys together. */
  readonly maxUsd18: bigint
  /** Minimum value of a trade. */
  readonly minTradeUsd18: bigint
  /** Percent by which a trade's proceeds may be below the oracle's value. */
  readonly slippage: number
  /** Trade even if nothing is out of tolerance. */
  readonly force: boolean
  /** Assets that must not be traded. */
  readonly without?: ReadonlySet<Address>
}

/** A target and its current holding. */
interface Allocation {
  readonly token: Token
  readonly targetPct18: bigint
  readonly currentPct18: bigint
  readonly drift18: bigint
  readonly valueUsd18: bigint
  readonly targetUsd18: bigint
  /** Percentage points. */
  readonly tolerance: number
  readonly outOfBand: boolean
  readonly inVault: boolean
}

/** A swap between an asset and the quote. Smallest units; `minOut` by the oracle, less the slippage. */
export interface Leg {
  readonly side: "sell" | "buy"
  readonly asset: Token
  readonly from: Token
  readonly to: Token
  readonly amount: bigint
  readonly minOut: bigint
  readonly usd18: bigint
}

export interface Plan {
  readonly totalUsd18: bigint
  readonly allocations: ReadonlyArray<Allocation>
  /** Holdings other than the targets and the quote: never traded, but part of the total value. */
  readonly unmanaged: ReadonlyArray<{ readonly token: Token; readonly usd18: bigint; readonly pct18: bigint }>
  readonly needsRebalance: boolean
  /** Sells before buys. */
  readonly legs: ReadonlyArray<Leg>
}

/** The held tokens whose value is unknown: the value of the whole vault, and so every weight, is unknown with them. */
export class Unpriced extends Data.TaggedError("Unpriced")<{ readonly tokens: ReadonlyArray<Token> }> {}

const one18 = 10n ** 18n
const hundred18 = 100n * one18

/** Converts a percentage exactly as written. */
export const percent18 = (percent: number): bigint => BigDecimal.scale(BigDecimal.fromNumberUnsafe(percent), 18).value

const unitsOf = ({ decimals }: Token): bigint => 10n ** BigInt(decimals)
const sum = <A>(items: ReadonlyArray<A>, of: (item: A) => bigint) => items.reduce((whole, item) => whole + of(item), 0n)

/** A held token whose balance and price are known. */
interface PricedHolding extends Holding {
  readonly balance: bigint
  readonly price: bigint
  readonly usd18: bigint
}

/** The desired trade of an asset, before any limit. */
interface Want {
  readonly side: "sell" | "buy"
  readonly of: PricedHolding
  readonly usd18: bigint
}

/** Returns the proceeds of an amount at the oracle's prices, smallest units, rounded down. */
const fairOf = (amount: bigint, from: PricedHolding, to: PricedHolding): bigint =>
  amount * from.price * unitsOf(to.token) / (to.price * unitsOf(from.token))

/** Returns the minimum proceeds by the oracle's prices and the slippage, rounded up. */
const minOutOf = (amount: bigint, from: PricedHolding, to: PricedHolding, slippage: number): bigint => {
  const fair = fairOf(amount, from, to)
  return (fair * (hundred18 - percent18(slippage)) + hundred18 - 1n) / hundred18
}

const legOf = ({ of, side }: Want, usd18: bigint, quote: PricedHolding, slippage: number): Leg => {
  const [from, to] = side === "sell" ? [of, quote] : [quote, of]
  const desired = usd18 * unitsOf(from.token) / from.price
  const amount = side === "sell" ? min(desired, of.balance) : desired
  return {
    side,
    asset: of.token,
    from: from.token,
    to: to.token,
    amount,
    minOut: minOutOf(amount, from, to, slippage),
    usd18: amount * from.price / unitsOf(from.token)
  }
}

/** The spendable balance of the quote: all of it except its own target. */
interface QuoteBudget {
  readonly quote: PricedHolding
  readonly kept18: bigint
}

/** Builds all wanted sells, and the buys that the quote can pay for, scaled to the cap. */
const fit = (
  wants: ReadonlyArray<Want>,
  { kept18, quote }: QuoteBudget,
  { maxUsd18, slippage }: Order
): ReadonlyArray<Leg> => {
  const sells = wants.filter(({ side }) => side === "sell")
  const buys = wants.filter(({ side }) => side === "buy")
  const sold = sum(sells, ({ usd18 }) => usd18)
  const desired = sum(buys, ({ usd18 }) => usd18)
  const room = quote.usd18 + sold - kept18
  const bought = min(desired, max(room, 0n))
  const whole = sold + bought
  const [part, parts] = whole > maxUsd18 ? [maxUsd18, whole] : [1n, 1n]
  const selling = sells.map((want) => ({ want, leg: legOf(want, want.usd18 * part / parts, quote, slippage) }))
  // Rounding to whole units can reduce the proceeds slightly, so buys spend only the quote that will be there.
  const there = quote.balance + sum(selling, ({ leg, want }) => fairOf(leg.amount, want.of, quote))
  const spent = min(bought * part / parts, there * quote.price / unitsOf(quote.token))
  const buying = buys.map((want) => legOf(want, want.usd18 * spent / desired, quote, slippage))
  return [...selling.map(({ leg }) => leg), ...buying]
}

/**
 * Drops trades below the minimum, the smallest first and buys before sells; the remaining trades share the value it
 * frees.
 */
const worthTrading = (wants: ReadonlyArray<Want>, purse: QuoteBudget, order: Order): ReadonlyArray<Leg> => {
  const legs = fit(wants, purse, order)
  const tooSmall = legs.filter(({ amount, minOut, usd18 }) =>
    usd18 < order.minTradeUsd18 || amount === 0n || minOut === 0n
  )
    .sort(inOrder).at(-1)
  if (tooSmall === undefined) return legs
  return worthTrading(wants.filter(({ of }) => of.token.address !== tooSmall.asset.address), purse, order)
}

const inOrder = (left: Leg, right: Leg): number =>
  left.side !== right.side
    ? (left.side === "sell" ? -1 : 1)
    : left.usd18 === right.usd18
    ? 0
    : left.usd18 > right.usd18
    ? -1
    : 1

const isPriced = ({ price }: Holding) => price !== null && price > 0n

/** Returns the value of a holding in USD, 18 decimals; null while it is unknown. */
export const usd18Of = ({ balance, price, token }: Holding): bigint | null =>
  balance === null || price === null || price === 0n ? null : balance * price / unitsOf(token)

const unpricedOf = ({ held, quote, targets }: Order) => {
  const named = new Set([quote.address, ...targets.map(({ token }) => token.address)])
  return held.filter((each) =>
    each.balance === null || !isPriced(each) && (each.balance > 0n || (each.inVault && named.has(each.token.address)))
  )
}

const allocationOf = (
  target: Target,
  held: PricedHolding | undefined,
  totalUsd18: bigint,
  tolerance: number
): Allocation => {
  const valueUsd18 = held?.usd18 ?? 0n
  const targetPct18 = percent18(target.weight)
  const currentPct18 = totalUsd18 === 0n ? 0n : valueUsd18 * hundred18 / totalUsd18
  const drift18 = currentPct18 - targetPct18
  const own = target.tolerance ?? tolerance
  return {
    token: held?.token ?? target.token,
    targetPct18,
    currentPct18,
    drift18,
    valueUsd18,
    targetUsd18: totalUsd18 * targetPct18 / hundred18,
    tolerance: own,
    outOfBand: (drift18 < 0n ? -drift18 : drift18) > percent18(own),
    inVault: held?.inVault ?? false
  }
}

const wantOf = (of: PricedHolding, { targetUsd18, valueUsd18 }: Allocation): ReadonlyArray<Want> =>
  valueUsd18 === targetUsd18
    ? []
    : valueUsd18 > targetUsd18
    ? [{ side: "sell", of, usd18: valueUsd18 - targetUsd18 }]
    : [{ side: "buy", of, usd18: targetUsd18 - valueUsd18 }]

/** Compares the vault with its targets and plans the trades; none while every weight is in tolerance. */
export const plan = (order: Order): Result.Result<Plan, Unpriced> => {
  const unpriced = unpricedOf(order)
  if (unpriced.length > 0) return Result.fail(new Unpriced({ tokens: unpriced.map(({ token }) => token) }))
  const held = new Map(order.held.map((each): [Address, PricedHolding] => {
    // Unknown values were refused above, except for an empty holding that nothing depends on.
    return [each.token.address, {
      ...each,
      balance: each.balance ?? 0n,
      price: each.price ?? 0n,
      usd18: usd18Of(each) ?? 0n
    }]
  }))
  const totalUsd18 = sum([...held.values()], ({ usd18 }) => usd18)
  const allocations = order.targets.map((target) =>
    allocationOf(target, held.get(target.token.address), totalUsd18, order.tolerance)
  )
  const needsRebalance = totalUsd18 > 0n && allocations.some(({ inVault, outOfBand }) => inVault && outOfBand)
  const managed = new Set([order.quote.address, ...order.targets.map(({ token }) => token.address)])
  const unmanaged = [...held.values()].filter(({ balance, token }) => balance > 0n && !managed.has(token.address))
    .map(({ token, usd18 }) => ({ token, usd18, pct18: totalUsd18 === 0n ? 0n : usd18 * hundred18 / totalUsd18 }))
  const quote = held.get(order.quote.address)
  const legs = quote === undefined || !quote.inVault || !(needsRebalance || order.force)
    ? []
    : legsOf(order, allocations, held, quote)
  return Result.succeed({ totalUsd18, allocations, unmanaged, needsRebalance, legs })
}

const legsOf = (
  order: Order,
  allocations: ReadonlyArray<Allocation>,
  held: ReadonlyMap<Address, PricedHolding>,
  quote: PricedHolding
) => {
  const wants = allocations.flatMap((allocation) => {
    const { address } = allocation.token
    const of = held.get(address)
    const isLeft = of === undefined || !of.inVault || address === quote.token.address ||
      order.without?.has(address) === true
    return isLeft ? [] : wantOf(of, allocation)
  })
  const kept18 = allocations.find(({ token }) => token.address === quote.token.address)?.targetUsd18 ?? 0n
  return [...worthTrading(wants, { quote, kept18 }, order)].sort(inOrder)
}
