/**
 * The perpetual contracts of the fake derivatives exchange. A coin's index in the list is its asset number, as on the
 * real exchange.
 */

export interface Coin {
  readonly name: string
  /** Decimals of sizes. Prices have at most `6 - szDecimals` decimals. */
  readonly szDecimals: number
  readonly maxLeverage: number
  /** True if it is traded. The others keep their index, so that the traded ones have their real numbers. */
  readonly isListed: boolean
  /** True if it cannot use cross margin; the platform's guard approves none of these. */
  readonly onlyIsolated: boolean
  /** USD at the start of the chain, 8 decimals. */
  readonly price: bigint
  /** Coins on each level of its book. */
  readonly depth: number
  /** The token of the chain whose price feed sets the coin's price, if any. */
  readonly follows: string | undefined
}

const coin = (
  name: string,
  szDecimals: number,
  maxLeverage: number,
  usd: number,
  depth: number,
  follows?: string
): Coin => ({
  name,
  szDecimals,
  maxLeverage,
  isListed: true,
  onlyIsolated: false,
  price: BigInt(Math.round(usd * 1e8)),
  depth,
  follows
})
const delisted = (name: string, szDecimals: number, maxLeverage: number): Coin => ({
  ...coin(name, szDecimals, maxLeverage, 1, 0),
  isListed: false
})

/** The list. HYPE and HPOS do not have their real numbers, which are far down a list of hundreds. */
export const coins: ReadonlyArray<Coin> = [
  coin("BTC", 5, 40, 60_000, 5, "WBTC"),
  coin("ETH", 4, 25, 3_000, 100, "WETH"),
  delisted("ATOM", 2, 5),
  delisted("MATIC", 1, 20),
  delisted("DYDX", 1, 5),
  coin("SOL", 2, 20, 150, 2_000),
  coin("HYPE", 2, 10, 40, 5_000, "WHYPE"),
  { ...coin("HPOS", 0, 3, 0.05, 100_000), onlyIsolated: true }
]
