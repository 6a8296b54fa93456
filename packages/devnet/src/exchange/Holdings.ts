/**
 * Holdings of an account, as its balances and as a ledger of its orders give them: exact decimals by asset, to be
 * compared.
 */
import * as BigDecimal from "effect/BigDecimal"
import type * as ExchangeLedger from "./ExchangeLedger.ts"
import * as Decimal from "./Decimal.ts"

/** An ended order as a ledger stores it. `filled` is in the base, `cost` in the quote of `BASE-QUOTE`. */
export interface Executed {
  readonly side: string
  readonly pair: string
  readonly filled: string
  readonly cost: string
  readonly fees: ReadonlyArray<{ readonly currency: string; readonly amount: string }> | null
}

const formatAmount = (amount: BigDecimal.BigDecimal) => BigDecimal.format(BigDecimal.normalize(amount))

/** Computes the holdings that the orders result in. `first` is what the account held before the first order. */
export const implied = (
  first: Readonly<Record<string, string>>,
  orders: ReadonlyArray<Executed>
): Readonly<Record<string, string>> => {
  const sums = new Map(Object.entries(first).map(([asset, amount]) => [asset, BigDecimal.fromStringUnsafe(amount)]))
  const add = (asset: string, amount: BigDecimal.BigDecimal) =>
    sums.set(asset, BigDecimal.sum(sums.get(asset) ?? BigDecimal.fromBigInt(0n), amount))
  for (const { cost, fees, filled, pair, side } of orders) {
    const [base = "", quote = ""] = pair.split("-")
    const sign = BigDecimal.fromBigInt(side === "buy" ? 1n : -1n)
    add(base, BigDecimal.multiply(sign, BigDecimal.fromStringUnsafe(filled)))
    add(quote, BigDecimal.multiply(BigDecimal.negate(sign), BigDecimal.fromStringUnsafe(cost)))
    for (const fee of fees ?? []) add(fee.currency, BigDecimal.negate(BigDecimal.fromStringUnsafe(fee.amount)))
  }
  return Object.fromEntries([...sums].map(([asset, amount]) => [asset, formatAmount(amount)]))
}

/** Returns the exchange's balances, free and locked together. */
export const held = ({ balances }: Pick<ExchangeLedger.Account, "balances">): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [...balances].map((
      [asset, { free, locked }]
    ) => [asset, formatAmount(BigDecimal.fromStringUnsafe(Decimal.show(free + locked)))])
  )
