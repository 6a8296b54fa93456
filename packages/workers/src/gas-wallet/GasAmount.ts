/**
 * Amounts of gas in settings: `5usd`, or `0.002` of the network's native token; one for all networks, or one per
 * network.
 */
import { type Network, parse as parseNetwork } from "@vault-trader/core/chain/Network"
import { toRaw } from "@vault-trader/core/chain/Quantity"
import * as BigDecimal from "effect/BigDecimal"

export type GasAmount = { readonly _tag: "usd"; readonly usd18: bigint; readonly text: string } | {
  readonly _tag: "native"
  readonly wei: bigint
  readonly text: string
}

/** Returns the amount that applies to a network. */
export type GasAmounts = (network: Network) => GasAmount | undefined

const amountOf = (text: string): GasAmount | undefined => {
  const [, digits, usd] = /^(\d{1,9}(?:\.\d{1,18})?)\s*(usd)?$/i.exec(text) ?? []
  if (digits === undefined) return undefined
  const raw = toRaw(BigDecimal.fromStringUnsafe(digits), 18)
  if (raw === 0n) return undefined
  return usd === undefined ? { _tag: "native", wei: raw, text } : { _tag: "usd", usd18: raw, text }
}

/** Reads `5usd`, or `5usd,polygon=2,base=0.001`; `undefined` for anything else. */
export const read = (text: string): GasAmounts | undefined => {
  let all: GasAmount | undefined
  const own = new Map<Network, GasAmount>()
  for (const part of text.split(",").map((each) => each.trim()).filter((each) => each !== "")) {
    const [left = "", right, ...more] = part.split("=").map((each) => each.trim())
    const network = right === undefined ? undefined : parseNetwork(left)
    const amount = amountOf(right ?? left)
    if (amount === undefined || more.length > 0 || (right !== undefined && network === undefined)) return undefined
    if (network === undefined) all = amount
    else own.set(network, amount)
  }
  return all === undefined && own.size === 0 ? undefined : (network) => own.get(network) ?? all
}

/**
 * Converts to native smallest units; `undefined` if a price is needed and missing. `price`: USD (18 decimals) of one
 * native token.
 */
export const weiOf = (amount: GasAmount, price: bigint | undefined): bigint | undefined =>
  amount._tag === "native"
    ? amount.wei
    : price === undefined || price === 0n
    ? undefined
    : amount.usd18 * 10n ** 18n / price
