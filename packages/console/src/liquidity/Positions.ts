/** The positions of concentrated liquidity of a vault, as its composition has them. */
import type { Dex } from "@vault-trader/core/liquidity/Dex"
import { isStable } from "../vault-order/OrderFields.ts"
import type { useComposition } from "../vault/useVaults.ts"

export type Composition = NonNullable<ReturnType<typeof useComposition>["data"]>
export type Holding = Composition["composition"][number]
export type Token = Holding["positions"][number]

/** The vault platform's types of exchanges' position tokens. */
const dexes: Readonly<Record<number, Dex>> = { 7: "uniswapV3", 26: "velodromeCl", 31: "pancakeCl" }

/** The exchanges at which positions can be staked. */
const withStaking: ReadonlyArray<Dex> = ["velodromeCl", "pancakeCl"]

/** An asset of a pair. */
export interface Side {
  readonly asset: string
  readonly symbol: string
}

export interface Position extends Token {
  /** Undefined at an exchange where the service cannot act. */
  readonly dex: Dex | undefined
  /** The exchange as the service names it. */
  readonly exchange: string
  /** Prices of the range are of the first asset in the second. */
  readonly first: Side
  readonly second: Side
  readonly low: number | null
  readonly high: number | null
  /** The present price by the vault's oracle; undefined while that is not known. */
  readonly current: number | undefined
  /** The value in USD where the composition has it: that of the only position at its exchange. */
  readonly valueUsd: number | null
}

/** Returns the price of one asset in another by the vault's oracle. */
export const oraclePrice = (
  holdings: ReadonlyArray<Pick<Holding, "asset" | "price">>,
  first: string,
  second: string
): number | undefined => {
  const priceOf = (asset: string) => holdings.find((holding) => holding.asset === asset)?.price ?? undefined
  const [one, other] = [priceOf(first), priceOf(second)]
  return one === undefined || other === undefined || other === 0 || one === 0 ? undefined : one / other
}

const inverse = (price: number | null): number | null => price === null || price === 0 ? null : 1 / price

/** Lists the positions. A pair of a token and a stablecoin is priced in the stablecoin, whatever the pool's order. */
export const positionsOf = (holdings: ReadonlyArray<Holding>): ReadonlyArray<Position> => {
  const sideOf = (asset: string, symbol: string | undefined): Side => ({
    asset,
    symbol: holdings.find((holding) => holding.asset === asset)?.symbol ?? symbol ?? asset.slice(0, 6)
  })
  return holdings.flatMap((holding) =>
    holding.positions.map((token): Position => {
      const [, name0, name1] = / (\S+)\/(\S+) /.exec(token.label) ?? []
      const [side0, side1] = [sideOf(token.token0, name0), sideOf(token.token1, name1)]
      const isReverse = isStable(side0.symbol) && !isStable(side1.symbol)
      const [first, second] = isReverse ? [side1, side0] : [side0, side1]
      return {
        ...token,
        ...{ first, second },
        dex: dexes[holding.asset_type ?? 0],
        exchange: /^(.*?)(?: position)? #/.exec(token.label)?.[1] ?? holding.label,
        low: isReverse ? inverse(token.upper_price) : token.lower_price,
        high: isReverse ? inverse(token.lower_price) : token.upper_price,
        current: oraclePrice(holdings, first.asset, second.asset),
        valueUsd: holding.positions.length === 1 ? holding.value_usd : null
      }
    })
  )
}

/** The actions on liquidity, by their endpoints. */
export type LiquidityAction =
  | "addLiquidity"
  | "removeLiquidity"
  | "collectFees"
  | "stakeLiquidity"
  | "unstakeLiquidity"
  | "claimRewards"

/** The actions about one position. */
export type PositionRequest = Exclude<LiquidityAction, "addLiquidity">

/** The actions that a position allows, in the order of the buttons. */
export const actionsOf = (position: Position): ReadonlyArray<PositionRequest> =>
  position.dex === undefined
    ? []
    : !withStaking.includes(position.dex)
    ? ["collectFees", "removeLiquidity"]
    : position.staked
    // Staked at Velodrome, it earns rewards in place of fees.
    ? position.dex === "velodromeCl"
      ? ["claimRewards", "removeLiquidity", "unstakeLiquidity"]
      : ["collectFees", "claimRewards", "removeLiquidity", "unstakeLiquidity"]
    : ["collectFees", "removeLiquidity", "stakeLiquidity"]
