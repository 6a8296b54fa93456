/**
 * The bracket of an exchange bot: take-profit and stop-loss, in percent of what the bot paid. Pure; all quantities are
 * exact decimals in human units.
 */
import * as BigDecimal from "effect/BigDecimal"
import * as Schema from "effect/Schema"
import { show } from "./ExchangeDecision.ts"
import type { ExchangeOrder } from "./ExchangeOrder.ts"

type Big = BigDecimal.BigDecimal

/** The percentages of a bot that has a bracket, or a part of one. */
export interface Bracket {
  /** Percent above the entry price. */
  readonly takeProfit: number | null
  /** Percent below the entry price. */
  readonly stopLoss: number | null
}

export const hasBracket = ({ stopLoss, takeProfit }: Bracket): boolean => stopLoss !== null || takeProfit !== null

const Condition = Schema.Literals(["take_profit", "stop_loss"])
export type Condition = typeof Condition.Type

/** The prices of a pair at its exchange: the best bid and ask of its book, and its last trade. */
export interface Quotation {
  readonly bid: Big
  readonly ask: Big
  readonly last: Big
}

/** A condition that a check has found fulfilled. `at`: unix milliseconds. */
export interface Sighting {
  readonly condition: Condition
  readonly revision: number
  readonly at: number
}

/** Milliseconds between the two checks that confirm a condition, at least. */
export const confirmMillis = 5_000

/**
 * A triggered bracket. It is committed before an order is decided, and closes the position until nothing worth an order
 * is left of it.
 */
export const Exit = Schema.Struct({
  condition: Condition,
  /** Average price of the position, in the quote. */
  entry: Schema.String,
  /** The bid that triggered it. */
  price: Schema.String,
  /** Amount to sell, in the base. */
  amount: Schema.String,
  /** The bot's revision since the trigger: its sales from there on are those of the exit. */
  revision: Schema.Int,
  /** ISO 8601. */
  at: Schema.String,
  ended: Schema.Boolean
})
export type Exit = typeof Exit.Type

/** The amount that a bot has bought and not sold. */
export interface Position {
  /** In the base. */
  readonly amount: Big
  /** Average price, in the quote. */
  readonly entry: Big
}

const zero = BigDecimal.fromBigInt(0n)
const hundred = BigDecimal.fromBigInt(100n)
/** Percent of a position that a sale may leave and still have closed it: fees and steps leave that much. */
const dust = BigDecimal.fromBigInt(1n)

/**
 * Returns the position that executed orders have built, oldest first: purchases less their fees in the base, at their
 * average price. A sale takes from it and leaves the price as it is. None when it is closed.
 */
export const positionOf = (
  orders: ReadonlyArray<Pick<ExchangeOrder, "side" | "filled" | "cost" | "fees">>,
  base: string
): Position | undefined => {
  let [amount, entry] = [zero, zero]
  for (const { cost, fees, filled, side } of orders) {
    if (filled === null || cost === null || !BigDecimal.isPositive(filled)) continue
    if (side === "buy") {
      const paid = BigDecimal.sum(BigDecimal.multiply(amount, entry), cost)
      entry = BigDecimal.divideUnsafe(paid, BigDecimal.sum(amount, filled))
      const fee = (fees ?? []).filter(({ currency }) => currency === base).reduce(
        (sum, each) => BigDecimal.sum(sum, BigDecimal.fromStringUnsafe(each.amount)),
        zero
      )
      amount = BigDecimal.sum(amount, BigDecimal.subtract(filled, fee))
    } else {
      const rest = BigDecimal.subtract(amount, filled)
      const isClosed = !BigDecimal.isGreaterThan(BigDecimal.multiply(rest, hundred), BigDecimal.multiply(amount, dust))
      amount = isClosed ? zero : rest
    }
  }
  return BigDecimal.isPositive(amount) ? { amount, entry } : undefined
}

const percentOf = (value: Big, percent: number) =>
  BigDecimal.divideUnsafe(BigDecimal.multiply(value, BigDecimal.fromNumberUnsafe(percent)), hundred)

/** Returns the condition that a bid fulfils; none while it is between the two prices. */
export const conditionOf = ({ stopLoss, takeProfit }: Bracket, entry: Big, bid: Big): Condition | undefined => {
  if (!BigDecimal.isPositive(bid)) return undefined
  if (
    stopLoss !== null &&
    BigDecimal.isLessThanOrEqualTo(bid, BigDecimal.subtract(entry, percentOf(entry, stopLoss)))
  ) return "stop_loss"
  return takeProfit !== null &&
      BigDecimal.isGreaterThanOrEqualTo(bid, BigDecimal.sum(entry, percentOf(entry, takeProfit)))
    ? "take_profit"
    : undefined
}

/** Percent of the bid by which the last trade or the ask may differ from it. */
const mostApart = 2

/**
 * Returns true for a bid that the last trade or the ask confirms. A bid that is far from both is a wrong price, or a tiny
 * order alone in its book.
 */
export const isConfirmedBid = ({ ask, bid, last }: Quotation): boolean => {
  const most = percentOf(bid, mostApart)
  return BigDecimal.isPositive(bid) &&
    [last, ask].some((other) =>
      BigDecimal.isPositive(other) &&
      BigDecimal.isLessThanOrEqualTo(BigDecimal.abs(BigDecimal.subtract(bid, other)), most)
    )
}

/** Returns true when an earlier check saw the same condition of the same terms, long enough ago. */
export const confirms = (earlier: Sighting | undefined, { at, condition, revision }: Sighting): boolean =>
  earlier?.condition === condition && earlier.revision === revision && at - earlier.at >= confirmMillis

/** Returns what an exit has still to sell, after what it has sold. */
export const remainderOf = ({ amount }: Exit, sold: Big): Big => {
  const rest = BigDecimal.subtract(BigDecimal.fromStringUnsafe(amount), sold)
  return BigDecimal.isPositive(rest) ? rest : zero
}

const words = { take_profit: "Take-profit", stop_loss: "Stop-loss" } as const

/** Words a condition that waits for its confirmation. */
export const waitText = (condition: Condition, { bid }: Pick<Quotation, "bid">, quote: string): string =>
  `${words[condition]} at ${show(bid)} ${quote} is confirmed by the next check, or was a wrong price.`

/** Words a bid that nothing confirms. */
export const doubtText = ({ ask, bid, last }: Quotation, quote: string): string =>
  `The bid of ${show(bid)} ${quote} is far from the last trade at ${show(last)} and from the ask of ${show(ask)}: ` +
  "no bracket sells at it."

/** Describes the trigger of an exit. */
export const describe = ({ condition, entry, price }: Exit, quote: string): string =>
  `${words[condition]} at ${price} ${quote} (bought at ${show(BigDecimal.fromStringUnsafe(entry))}).`
