/** The amount of a refill in wei, exact: from typed USD, or a percentage of what the manager's wallet can spare. */

/** Typed USD, or a percentage of the spare balance. */
export type Amount = { readonly _tag: "usd"; readonly text: string } | {
  readonly _tag: "part"
  readonly percent: 25 | 50 | 75 | 100
}

const ether = 10n ** 18n

/** Converts a price of the service (USD, six decimals) to 18 decimals. */
const price18 = (usd: number): bigint => BigInt(Math.round(usd * 1e6)) * 10n ** 12n

/** Parses typed USD to 18 decimals; undefined unless it is an amount above 0. */
const usd18Of = (text: string): bigint | undefined => {
  const [, whole = "", fraction = ""] = /^(\d*)\.?(\d*)$/.exec(text.replaceAll(",", "").trim()) ?? []
  const raw = BigInt(whole + fraction.slice(0, 18).padEnd(18, "0"))
  return raw > 0n ? raw : undefined
}

/** Returns the amount in wei; undefined while unknown. `spare` is the balance minus the transaction's maximum cost. */
export const weiOf = (amount: Amount, price: number | undefined, spare: bigint | undefined): bigint | undefined => {
  if (amount._tag === "part") return spare === undefined ? undefined : spare * BigInt(amount.percent) / 100n
  const usd18 = usd18Of(amount.text)
  return usd18 === undefined || price === undefined || price <= 0 ? undefined : usd18 * ether / price18(price)
}

/** Converts wei to USD with cents, rounded down so that a shown amount is always covered. */
export const usdOf = (wei: bigint, price: number): string =>
  (Number(wei * price18(price) / ether / 10n ** 16n) / 100).toFixed(2)
