/** The order books of the fake derivatives exchange: a few levels around the price, refilled after every order. */
import { coins } from "../contract/Coins.ts"
import { one } from "./Numbers.ts"
import { priceOf, type State } from "./State.ts"

interface Level {
  readonly px: bigint
  readonly sz: bigint
}

/** Distances of the levels from the middle, in hundred-thousandths. */
const distances = [10n, 60n, 110n, 160n, 210n]

/** Returns the price step. Prices have five significant digits and at most `6 - szDecimals` decimals, or are whole. */
const tick = (szDecimals: number, px: bigint): bigint => {
  const digits = 10n ** BigInt(Math.max(px.toString().length - 5, 0))
  const decimals = 10n ** BigInt(2 + szDecimals)
  const coarse = digits > decimals ? digits : decimals
  return coarse > one ? one : coarse
}

/** Returns whether the price is a multiple of the asset's price step. */
export const isPrice = (asset: number, px: bigint): boolean =>
  px > 0n && px % tick(coins[asset]?.szDecimals ?? 0, px) === 0n

/** Returns whether the size is a multiple of the asset's lot. */
export const isSize = (asset: number, sz: bigint): boolean => sz > 0n && sz % lot(asset) === 0n

const lot = (asset: number): bigint => 10n ** BigInt(8 - (coins[asset]?.szDecimals ?? 0))

/** Rounds a price to the step, away from the middle. */
const roundPrice = (asset: number, px: bigint, away: "up" | "down") => {
  const unit = tick(coins[asset]?.szDecimals ?? 0, px)
  const down = px - px % unit
  return away === "down" || down === px ? down : down + unit
}

/** Returns the levels that a buyer (or seller) finds, best first. */
export const facing = (state: State, asset: number, isBuy: boolean): ReadonlyArray<Level> => {
  const middle = priceOf(state, asset)
  const fixedDepth = state.depths.get(asset)
  const each = fixedDepth ?? BigInt(coins[asset]?.depth ?? 0) * one
  const sz = each - each % lot(asset)
  // A configured depth is the whole book.
  const levels = fixedDepth === undefined ? distances : distances.slice(0, 1)
  return sz === 0n ? [] : levels.map((distance) => {
    const away = middle * distance / 100_000n
    return { px: isBuy ? roundPrice(asset, middle + away, "up") : roundPrice(asset, middle - away, "down"), sz }
  })
}

/** Returns the levels within an order's limit. */
export const within = (levels: ReadonlyArray<Level>, isBuy: boolean, limit: bigint): ReadonlyArray<Level> =>
  levels.filter(({ px }) => isBuy ? px <= limit : px >= limit)
