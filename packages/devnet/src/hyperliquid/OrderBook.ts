/** The books of the fake derivatives exchange: a few levels around the price, full again after every order. */
import { coins } from "../contract/Coins.ts"
import { one } from "./Numbers.ts"
import { priceOf, type State } from "./State.ts"

export interface Level {
  readonly px: bigint
  readonly sz: bigint
}

/** Distances of the levels from the middle, in hundred-thousandths. */
const distances = [10n, 60n, 110n, 160n, 210n]

/** Prices have five significant digits and so many decimals, or are whole. */
const tick = (szDecimals: number, px: bigint): bigint => {
  const digits = 10n ** BigInt(Math.max(px.toString().length - 5, 0))
  const decimals = 10n ** BigInt(2 + szDecimals)
  const coarse = digits > decimals ? digits : decimals
  return coarse > one ? one : coarse
}

/** Whether the exchange knows such a price for the asset. */
export const isPrice = (asset: number, px: bigint): boolean => px > 0n && px % tick(coins[asset]?.szDecimals ?? 0, px) === 0n

/** Whether the exchange knows such a size of the asset. */
export const isSize = (asset: number, sz: bigint): boolean => sz > 0n && sz % lot(asset) === 0n

const lot = (asset: number): bigint => 10n ** BigInt(8 - (coins[asset]?.szDecimals ?? 0))

/** Rounded away from the middle. */
const priced = (asset: number, px: bigint, away: "up" | "down") => {
  const unit = tick(coins[asset]?.szDecimals ?? 0, px)
  const down = px - px % unit
  return away === "down" || down === px ? down : down + unit
}

/** What somebody who buys (or sells) finds, best first. */
export const facing = (state: State, asset: number, isBuy: boolean): ReadonlyArray<Level> => {
  const middle = priceOf(state, asset)
  const told = state.depths.get(asset)
  const each = told ?? BigInt(coins[asset]?.depth ?? 0) * one
  const sz = each - each % lot(asset)
  // What was told is all there is.
  const levels = told === undefined ? distances : distances.slice(0, 1)
  return sz === 0n ? [] : levels.map((distance) => {
    const away = middle * distance / 100_000n
    return { px: isBuy ? priced(asset, middle + away, "up") : priced(asset, middle - away, "down"), sz }
  })
}

/** Of those, the ones that an order with this limit may have. */
export const within = (levels: ReadonlyArray<Level>, isBuy: boolean, limit: bigint): ReadonlyArray<Level> =>
  levels.filter(({ px }) => isBuy ? px <= limit : px >= limit)
