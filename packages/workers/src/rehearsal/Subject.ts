/** The vault's assets that a rehearsal trades: the one it sells, the one it buys, and how much. */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import * as BigDecimal from "effect/BigDecimal"
import type { PlacedLine } from "../vault/VaultReader.ts"

/** A token that the vault holds and the platform values. */
export interface Held {
  readonly token: Token
  /** Smallest units. */
  readonly balance: bigint
  /** USD, 18 decimals. */
  readonly value: bigint
  /** USD per whole token, 18 decimals. */
  readonly rate: bigint
}

export interface Subject {
  readonly sold: Held
  readonly bought: Token
  /** Everything that the vault holds, the most valuable first. */
  readonly held: ReadonlyArray<Held>
  /** Maximum value of each simulated call, USD. */
  readonly usd: number
}

/** Returns the tokens with a known value above zero, the most valuable first. */
export const heldIn = (lines: ReadonlyArray<PlacedLine>): ReadonlyArray<Held> =>
  lines.flatMap(({ balance, isPosition, rate, token, value }) =>
    isPosition || token === undefined || balance === null || rate === null || value === null || value === 0n
      ? []
      : [{ token, balance, rate, value }]
  ).toSorted((one, other) => one.value < other.value ? 1 : one.value > other.value ? -1 : 0)

/** Returns the amount of a holding that is worth `usd`, or all of it when it is worth less; human units. */
export const amountOf = ({ balance, rate, token }: Held, usd: number): BigDecimal.BigDecimal => {
  const worth = BigInt(Math.round(usd * 1e6)) * 10n ** 12n * 10n ** BigInt(token.decimals) / rate
  return BigDecimal.make(Quantity.min(balance, worth), token.decimals)
}

/**
 * Returns the asset to buy: another holding if there is one, else the wrapped native token, else any other asset of the
 * vault; `undefined` when the vault has no second asset.
 */
export const boughtFor = (
  sold: Token,
  held: ReadonlyArray<Held>,
  assets: ReadonlyArray<Token>,
  wrappedNative: Address
): Token | undefined => {
  const others = assets.filter(({ address }) => address !== sold.address)
  return held.find(({ token }) => token.address !== sold.address)?.token ??
    others.find(({ address }) => address === wrappedNative) ?? others[0]
}
