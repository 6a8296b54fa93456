/**
 * Decides what a follower does after a reading. Pure. One reading decides nothing: a trade or a stop needs several in a
 * row, each of a later block. Weights are mirrored, so deposits and withdrawals of the leader's investors are no trades.
 */
import * as Result from "effect/Result"
import type { Address } from "../chain/Address.ts"
import { format, min, usdValue } from "../chain/Quantity.ts"
import type { Holding, Leg, Plan } from "../index-bot/RebalancePlan.ts"
import { plan } from "../index-bot/RebalancePlan.ts"
import {
  defaults,
  drainedBelow,
  type Follower,
  type FollowerMemory,
  type FollowerTerms,
  type FollowerTrade,
  leastUsd18,
  type LeaderWeight
} from "./Follower.ts"

/** A line of the leader. `usd18`: null while the oracle has no fresh price. */
export interface LeaderLine {
  readonly asset: Address
  readonly symbol: string
  readonly usd18: bigint | null
  /** False for lending and liquidity positions. */
  readonly isToken: boolean
}

/** Leader and follower at about the same block. */
export interface Reading {
  /** Time of the block, unix seconds. */
  readonly block: number
  readonly leader: ReadonlyArray<LeaderLine>
  readonly held: ReadonlyArray<Holding>
}

/** The follower's answer. `trade`: the trades that are due, the first one first. */
export type Step =
  | { readonly _tag: "wait"; readonly reason: string }
  | { readonly _tag: "trade"; readonly reason: string; readonly legs: ReadonlyArray<Leg> }
  | { readonly _tag: "stop"; readonly reason: string }

export interface Decision {
  readonly memory: FollowerMemory
  readonly step: Step
}

const usdText = (usd18: bigint) => `$${format(usd18 / 10n ** 16n, 2)}`

/** Rounds down to six decimals: weights never sum to more than the whole. */
const percentOf = (part: bigint, whole: bigint): number => whole === 0n ? 0 : Number(part * 100_000_000n / whole) / 1e6

/** Checks whether the follower may trade an asset by its lists. */
const isAllowed = ({ assets, without }: FollowerTerms, asset: Address): boolean =>
  (assets === null || assets.some(({ address }) => address === asset)) &&
  !without.some(({ address }) => address === asset)

/** Returns the weight that the follower aims at, and why it is less than the leader's share. */
const targetOf = (terms: FollowerTerms, held: ReadonlyArray<Holding>, line: LeaderLine, weight: number) => {
  const { base, maxWeight, ratio } = terms
  const scaled = Math.floor(weight * ratio * 10_000) / 1e6
  const stays = `its weight stays in ${base.symbol}`
  if (!line.isToken) return { target: 0, reason: `a position cannot be copied; ${stays}` }
  if (line.asset === base.address) return { target: scaled, reason: null }
  if (!isAllowed(terms, line.asset)) return { target: 0, reason: `the follower's lists exclude it; ${stays}` }
  if (!held.some(({ inVault, token }) => inVault && token.address === line.asset)) {
    return { target: 0, reason: `the vault cannot hold it; ${stays}` }
  }
  return maxWeight !== null && scaled > maxWeight
    ? { target: maxWeight, reason: `max_weight bounds it; the rest stays in ${base.symbol}` }
    : { target: scaled, reason: null }
}

/** Returns the leader's assets with the weights that the follower aims at, the largest first. */
export const weightsOf = (
  terms: FollowerTerms,
  held: ReadonlyArray<Holding>,
  leader: ReadonlyArray<LeaderLine>,
  total18: bigint
): ReadonlyArray<LeaderWeight> =>
  leader.filter(({ usd18 }) => usd18 !== null && usd18 > 0n)
    .map((line) => {
      const weight = percentOf(line.usd18 ?? 0n, total18)
      return { asset: line.asset, symbol: line.symbol, weight, ...targetOf(terms, held, line, weight) }
    })
    .toSorted((one, other) => other.weight - one.weight)

/** Plans the trades that bring the vault to the weights; the reason when they cannot be planned. */
const planOf = (
  terms: FollowerTerms,
  held: ReadonlyArray<Holding>,
  weights: ReadonlyArray<LeaderWeight>
): Result.Result<Plan, string> => {
  const { base, slippage, threshold } = terms
  const targets = held.flatMap(({ inVault, token }) =>
    inVault && token.address !== base.address && isAllowed(terms, token.address)
      ? [{ token, weight: weights.find(({ asset }) => asset === token.address)?.target ?? 0, tolerance: null }]
      : []
  )
  const planned = plan({
    ...{ held, targets, quote: base, tolerance: threshold, minTradeUsd18: leastUsd18, slippage, force: false },
    // The caps bound one trade at a time: `clipped`.
    maxUsd18: 10n ** 60n
  })
  return Result.mapError(
    planned,
    ({ tokens }) => `No price for ${tokens.map(({ symbol }) => symbol).join(", ")} of the vault, so nothing is traded.`
  )
}

/** Counts a reading that asks for the same as the one before; one of the same block counts once. */
const counted = (row: FollowerMemory["row"], asks: "trade" | "stop", block: number) => {
  if (row === null || row.asks !== asks) return { asks, times: 1, block, since: block }
  return block > row.block ? { ...row, times: row.times + 1, block } : row
}

const describeWeights = (weights: ReadonlyArray<LeaderWeight>, total18: bigint) =>
  `The leader is worth ${usdText(total18)}: ${
    weights.map(({ symbol, weight }) => `${symbol} ${weight.toFixed(2)} %`).join(", ") || "nothing that is followed"
  }.`

/** Returns why the leader counts as drained; undefined if it does not. */
const drainOf = (total18: bigint, before18: bigint | null): string | undefined =>
  total18 < leastUsd18
    ? `The leader is worth ${usdText(total18)}.`
    : before18 !== null && total18 * 100n < before18 * drainedBelow
    ? `The leader's value fell from ${usdText(before18)} to ${usdText(total18)} in one step.`
    : undefined

/** Decides. `confirmations`: as many readings in a row; 1 for a preview. */
export const decide = (
  { memory: before, terms }: Pick<Follower, "memory" | "terms">,
  { block, held, leader }: Reading,
  confirmations: number = defaults.confirmations
): Decision => {
  const unpriced = leader.filter(({ usd18 }) => usd18 === null)
  if (unpriced.length > 0) {
    const reason = `No price for ${
      unpriced.map(({ symbol }) => symbol).join(", ")
    } of the leader, so its weights are ` +
      "unknown; nothing is traded."
    return { memory: { ...before, row: null, reading: reason }, step: { _tag: "wait", reason } }
  }
  const total18 = leader.reduce((sum, { usd18 }) => sum + (usd18 ?? 0n), 0n)
  const drained = drainOf(total18, before.leaderUsd18)
  if (drained !== undefined) {
    const row = counted(before.row, "stop", block)
    // The value before it is kept, so that the next reading is compared with it as well.
    const memory = { ...before, row, reading: drained }
    return row.times >= confirmations
      ? { memory, step: { _tag: "stop", reason: `${drained} Nothing was sold; the vault keeps what it holds.` } }
      : { memory, step: { _tag: "wait", reason: `${drained} Nothing is traded until it is confirmed.` } }
  }
  const weights = weightsOf(terms, held, leader, total18)
  const seen = { ...before, leaderUsd18: total18, weights, reading: describeWeights(weights, total18) }
  const planned = planOf(terms, held, weights)
  if (Result.isFailure(planned)) {
    return { memory: { ...seen, row: null }, step: { _tag: "wait", reason: planned.failure } }
  }
  const { legs, needsRebalance } = planned.success
  if (legs.length === 0) {
    const reason = needsRebalance
      ? "A weight is off its target, but there is nothing to trade it with."
      : `Every weight is within ${terms.threshold} percentage points of its target.`
    return { memory: { ...seen, row: null }, step: { _tag: "wait", reason } }
  }
  const row = counted(before.row, "trade", block)
  const memory = { ...seen, row }
  const [left, reason] = [terms.delaySeconds - (block - row.since), "A weight is off its target."]
  if (row.times < confirmations) {
    return { memory, step: { _tag: "wait", reason: `${reason} It is confirmed at a later block.` } }
  }
  return left > 0 && confirmations > 1
    ? { memory, step: { _tag: "wait", reason: `${reason} It is copied in ${left} seconds.` } }
    : { memory, step: { _tag: "trade", reason, legs } }
}

/** Returns the part of a leg that the caps allow; the reason when they allow none. `spent18`: moved in the interval. */
export const clipped = (
  { intervalSeconds, maxUsd18, maxUsdInInterval18 }: FollowerTerms,
  { amount, from, side, to, usd18 }: Leg,
  spent18: bigint
): FollowerTrade | string => {
  const left18 = maxUsdInInterval18 === null ? maxUsd18 : maxUsdInInterval18 - spent18
  const cap18 = min(maxUsd18, left18)
  if (cap18 < leastUsd18) {
    return `The trades of the last ${intervalSeconds} seconds moved ${
      usdText(spent18)
    }; max_usd_interval allows no more.`
  }
  return usd18 <= cap18
    ? { side, from, to, amount, usd18 }
    : { side, from, to, amount: amount * cap18 / usd18, usd18: cap18 }
}

/** Words a trade. */
export const describeTrade = ({ amount, from, to, usd18 }: Pick<FollowerTrade, "amount" | "from" | "to" | "usd18">) =>
  `sell ${format(amount, from.decimals)} ${from.symbol} for ${to.symbol} (${usdText(usd18)})`

/** Returns a line of a leader that is a plain address. */
export const lineOf = (
  token: { readonly address: Address; readonly symbol: string; readonly decimals: number },
  balance: bigint,
  price18: bigint | null
): LeaderLine => ({
  asset: token.address,
  symbol: token.symbol,
  usd18: balance === 0n ? 0n : price18 === null ? null : usdValue(balance, price18, token.decimals),
  isToken: true
})
