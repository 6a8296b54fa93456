/**
 * The names of the platform's leveraged and inverse vault tokens in its published lists, such as `Toros ETHBEAR1X`: the
 * asset, the direction and the multiple.
 */
import type { PoolToken } from "@vault-trader/core/chain/NetworkConfig"
import { symbolOf } from "@vault-trader/core/chain/Token"
import type { PublishedAsset } from "./PublishedNetwork.ts"

/** Assets that some names write out. */
const written: Readonly<Record<string, string>> = { Ethereum: "ETH", Bitcoin: "BTC", Solana: "SOL" }

const shape = /^Toros (?<asset>[A-Za-z]+?) ?(?<direction>BULL|BEAR|Bull|Bear)? ?(?<multiple>\d)X$/

/** Type of plain tokens. */
const tokenType = 0

/** Returns the asset, the leverage and the symbol that a published name states; `undefined` for any other name. */
export const parse = (name: string): Pick<PoolToken, "asset" | "leverage" | "symbol"> | undefined => {
  const { asset, direction = "", multiple } = shape.exec(name)?.groups ?? {}
  if (asset === undefined || multiple === undefined) return undefined
  const symbol = written[asset] ?? asset
  const leverage = Number(multiple) * (direction.toUpperCase() === "BEAR" ? -1 : 1)
  return { asset: symbolOf(symbol), leverage, symbol: `${symbol}${direction.toUpperCase()}${multiple}X` }
}

/** Returns the leveraged and inverse vault tokens among a network's assets. */
export const tokensOf = (assets: ReadonlyArray<PublishedAsset>): ReadonlyArray<PoolToken> =>
  assets.flatMap(([name, address, type]) => {
    const parsed = type === tokenType ? parse(name) : undefined
    return parsed === undefined ? [] : [{ address, ...parsed }]
  })
