/** Amounts of a vault's assets: their value by the vault's own oracle, for display only, and parts of them. */
import type { Quantity } from "@vault-trader/core/chain/Quantity"

/** An asset with its price in USD; null without one. */
export interface Priced {
  readonly asset: string
  readonly price: number | null
}

/** Returns a quantity's value in USD; undefined without a price. */
export const valueOf = (
  holdings: ReadonlyArray<Priced>,
  { amount, asset }: Pick<Quantity, "amount" | "asset">
): number | undefined => {
  const price = holdings.find((holding) => holding.asset === asset)?.price
  return price === null || price === undefined ? undefined : Number(amount) * price
}

/** Returns a part of a decimal amount, rounded down, with the decimals that the amount has. Exact: no binary fractions. */
export const partOf = (held: string, percent: number): string => {
  const [whole = "0", fraction = ""] = held.split(".")
  const scaled = (BigInt(`${whole}${fraction}`) * BigInt(percent) / 100n).toString().padStart(fraction.length + 1, "0")
  if (fraction === "") return scaled
  const text = `${scaled.slice(0, -fraction.length)}.${scaled.slice(-fraction.length)}`
  return text.replace(/\.?0+$/, "")
}
