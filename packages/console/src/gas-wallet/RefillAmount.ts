/** How much a refill sends: what was typed in USD, or a part of what the manager's wallet can spare. Exact, in wei. */
import { toRaw } from "@vault-trader/core/chain/Quantity"
import * as BigDecimal from "effect/BigDecimal"
import * as Option from "effect/Option"

/** Typed dollars, or percent of what can be spared. */
export type Amount = { readonly _tag: "usd"; readonly text: string } | { readonly _tag: "part"; readonly percent: 25 | 50 | 75 | 100 }

const ether = 10n ** 18n

/** A price of the service (USD, six decimals) with 18 decimals. */
export const price18 = (usd: number): bigint => BigInt(Math.round(usd * 1e6)) * 10n ** 12n

/** Dollars as typed, 18 decimals; undefined where it is no amount above nothing. */
const usd18Of = (text: string): bigint | undefined => {
  const value = Option.getOrUndefined(BigDecimal.fromString(text.replaceAll(",", "").trim()))
  const raw = value === undefined ? 0n : toRaw(value, 18)
  return raw > 0n ? raw : undefined
}

/** Wei; undefined while it is not known. `spare` is the balance less what the transaction itself may cost. */
export const weiOf = (amount: Amount, price: number | undefined, spare: bigint | undefined): bigint | undefined => {
  if (amount._tag === "part") return spare === undefined ? undefined : spare * BigInt(amount.percent) / 100n
  const usd18 = usd18Of(amount.text)
  return usd18 === undefined || price === undefined || price <= 0 ? undefined : usd18 * ether / price18(price)
}

/** Dollars of wei in whole cents, rounded down: what is called enough is enough. */
export const usdOf = (wei: bigint, price: number): string => (Number(wei * price18(price) / ether / 10n ** 16n) / 100).toFixed(2)
