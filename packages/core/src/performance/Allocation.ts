/** Figures from the holdings of samples: attribution, exposure and benchmarks. USD has 18 decimals. */
import type { Address } from "../chain/Address.ts"
import { format } from "../chain/Quantity.ts"
import type { AllocationPoint, Attribution, Benchmark } from "./Performance.ts"
import { one18, percentOf, round } from "./ReturnMetrics.ts"
import type { SampleDetails, SampledAsset } from "./ValueSample.ts"
import { type SeriesPoint, thinned } from "./ValueSeries.ts"

/** A sample with its holdings. */
export interface DetailedPoint extends SeriesPoint {
  readonly details: SampleDetails
}

const valueOf = ({ balance, decimals, price18 }: SampledAsset): bigint =>
  price18 === null ? 0n : balance * price18 / 10n ** BigInt(decimals)

const dollarName = /usd|dai|frax|gho/i

/** Checks whether an asset is a stablecoin of the dollar: by its name, while it is worth one dollar within 3 %. */
const isStable = ({ position, price18, symbol }: SampledAsset): boolean =>
  !position && dollarName.test(symbol) && price18 !== null && price18 > one18 * 97n / 100n &&
  price18 < one18 * 103n / 100n

const weightOf = (part: bigint, whole: bigint) => percentOf(part, whole)

/** The profit and the weights of one asset. */
interface AssetSums {
  readonly symbol: string
  pnl18: bigint
  weight: number
  endWeight: number
}

/**
 * Attributes the profit to assets: balance at the start of an interval times the change of the price. What the share
 * price earned beyond that is the rest: the results of trades, interest of positions, fees, and everything in a gap.
 */
export const attributionOf = (
  points: ReadonlyArray<DetailedPoint>,
  pnl18: bigint,
  startValue18: bigint
): ReadonlyArray<Attribution> => {
  const sums = new Map<Address, AssetSums>()
  const sumsOf = ({ asset, symbol }: SampledAsset) => {
    const known = sums.get(asset) ?? { symbol, pnl18: 0n, weight: 0, endWeight: 0 }
    sums.set(asset, known)
    return known
  }
  points.forEach((point, index) => {
    const next = points[index + 1]
    for (const asset of point.details.assets) {
      if (asset.balance === 0n) continue
      const sum = sumsOf(asset)
      const weight = weightOf(valueOf(asset), point.value18)
      sum.weight += weight
      if (next === undefined) sum.endWeight = weight
      if (next === undefined || next.gap !== null || asset.price18 === null) continue
      const later = next.details.assets.find((each) => each.asset === asset.asset)?.price18
      if (later === undefined || later === null) continue
      sum.pnl18 += asset.balance * (later - asset.price18) / 10n ** BigInt(asset.decimals)
    }
  })
  const rows = [...sums].map(([asset, { endWeight, pnl18: earned, symbol, weight }]) => ({
    asset: asset,
    symbol,
    earned,
    average_weight_percent: round(weight / points.length),
    end_weight_percent: round(endWeight)
  })).sort((one, other) => one.earned === other.earned ? 0 : one.earned > other.earned ? -1 : 1)
  const rest = pnl18 - rows.reduce((sum, { earned }) => sum + earned, 0n)
  return [...rows, {
    ...{ asset: null, symbol: "rest", earned: rest, average_weight_percent: 0, end_weight_percent: 0 }
  }].map(({ earned, ...row }) => ({
    ...row,
    pnl_usd: format(earned, 18),
    contribution_percent: weightOf(earned, startValue18)
  }))
}

/** Computes the percentage of the value that is not in stablecoins, averaged and at the end. */
export const exposureOf = (points: ReadonlyArray<DetailedPoint>) => {
  const exposed = points.filter(({ value18 }) => value18 > 0n).map(({ details, value18 }) =>
    100 - weightOf(details.assets.filter(isStable).reduce((sum, asset) => sum + valueOf(asset), 0n), value18)
  )
  return exposed.length === 0 ? { average_percent: null, end_percent: null } : {
    average_percent: round(exposed.reduce((sum, each) => sum + each, 0) / exposed.length),
    end_percent: round(exposed.at(-1)!)
  }
}

const priceIn = ({ assets, benchmarks }: SampleDetails, is: (asset: Address, symbol: string) => boolean) =>
  [...assets, ...benchmarks].find(({ asset, price18, symbol }) => is(asset, symbol) && price18 !== null)?.price18 ??
    null

/** A return as a part of one with 18 decimals, or why it is not known. */
type Growth = { readonly gained: bigint; readonly whole: bigint } | { readonly reason: string }

const percentOfGrowth = (growth: Growth): number | null =>
  "reason" in growth ? null : percentOf(growth.gained, growth.whole)

/** Builds a benchmark from its growth until each of the points, the last of which is the period's. */
const benchmark = (
  name: string,
  points: ReadonlyArray<DetailedPoint>,
  net: number | null,
  growthUntil: (point: DetailedPoint) => Growth
): Benchmark => {
  const growths = points.map((point) => ({ time: point.at.toISOString(), growth: growthUntil(point) }))
  const end = growths.at(-1)?.growth ?? { reason: "There is no sample." }
  const percent = percentOfGrowth(end)
  return {
    ...{ name, return_percent: percent, reason: "reason" in end ? end.reason : null },
    excess_percent: percent === null || net === null ? null : round(net - percent),
    curve: growths.map(({ growth, time }) => ({ time, return_percent: percentOfGrowth(growth) }))
  }
}

/** Computes what the first sample's holdings would have returned without a trade; positions keep their value. */
const startAllocation = (first: DetailedPoint) => (last: DetailedPoint): Growth => {
  let gained = 0n
  for (const { asset, balance, decimals, position, price18, symbol } of first.details.assets) {
    if (balance === 0n || position) continue
    const later = priceIn(last.details, (each) => each === asset)
    if (price18 === null || later === null) {
      return { reason: `There is no price of ${symbol} at the end of the period.` }
    }
    gained += balance * (later - price18) / 10n ** BigInt(decimals)
  }
  return first.value18 === 0n
    ? { reason: "The vault was empty at the start of the period." }
    : { gained, whole: first.value18 }
}

/** Computes what an asset would have returned, by its address or its symbol. */
const heldAsset = (first: DetailedPoint, name: string) => {
  const is = (asset: Address, symbol: string) =>
    asset === name.toLowerCase() || symbol.toLowerCase() === name.toLowerCase()
  const from = priceIn(first.details, is)
  return (last: DetailedPoint): Growth => {
    const to = priceIn(last.details, is)
    return from === null || to === null || from === 0n
      ? { reason: "Its price was not sampled at both ends; see PERFORMANCE_BENCHMARKS." }
      : { gained: to - from, whole: from }
  }
}

/** Maximum number of points of the allocation and of the benchmarks' curves. */
const maxCurve = 100

/** Computes the benchmarks: holding the start allocation, each asset that is sampled for it, and the caller's. */
export const benchmarksOf = (
  points: ReadonlyArray<DetailedPoint>,
  named: string | undefined,
  net: number | null
): ReadonlyArray<Benchmark> => {
  const [first] = points
  if (first === undefined || points.length < 2) return []
  const symbols = first.details.benchmarks.map(({ symbol }) => symbol)
  const wanted = [...(named === undefined ? [] : [named]), ...symbols.filter((symbol) => symbol !== named)]
  const shown = thinned(points, maxCurve)
  return [
    benchmark("start allocation", shown, net, startAllocation(first)),
    ...wanted.map((name) => benchmark(name, shown, net, heldAsset(first, name)))
  ]
}

/** Returns the weights of what the vault held over time. */
export const allocationOf = (points: ReadonlyArray<DetailedPoint>): ReadonlyArray<AllocationPoint> =>
  thinned(points, maxCurve).map(({ at, details, gap }) => {
    const held = details.assets.map((asset) => ({ ...asset, value: valueOf(asset) })).filter(({ value }) => value > 0n)
    const whole = held.reduce((sum, { value }) => sum + value, 0n)
    return {
      time: at.toISOString(),
      weights: held.map(({ asset, symbol, value }) => ({ asset, symbol, percent: weightOf(value, whole) }))
        .sort((one, other) => other.percent - one.percent),
      gap
    }
  })
