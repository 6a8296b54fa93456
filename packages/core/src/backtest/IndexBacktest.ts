/**
 * Backtest of an index bot: calls the live bot's `plan` on its schedule, and executes the legs one by one as its runs
 * do.
 */
import type { Address } from "../chain/Address.ts"
import type { Token } from "../chain/Token.ts"
import * as Result from "effect/Result"
import { type Holding, type Leg, type Order, plan } from "../index-bot/RebalancePlan.ts"
import type { Bar, Prices } from "./PriceSeries.ts"
import { type Costs, type Fill, heldOf, type Portfolio, swap } from "./Portfolio.ts"
import { type Bot, type Outcome, replay } from "./Replay.ts"

export interface Setup {
  /** All tokens, including the quote. */
  readonly tokens: ReadonlyArray<Token>
  readonly order: Pick<Order, "targets" | "quote" | "tolerance" | "maxUsd18" | "minTradeUsd18" | "slippage">
  readonly intervalSeconds: number
  readonly costs: Costs
  readonly start: Portfolio
}

const heldIn = ({ tokens }: Setup, portfolio: Portfolio, prices: Prices): ReadonlyArray<Holding> =>
  tokens.map((token) => ({
    token,
    balance: heldOf(portfolio, token),
    price: prices.get(token.address) ?? null,
    inVault: true
  }))

interface Run {
  readonly portfolio: Portfolio
  readonly fills: ReadonlyArray<Fill>
}

/** Describes a leg in the list of trades. */
const reasonOf = ({ asset, side }: Leg) => `${side} ${asset.symbol} towards its weight`

/** Returns the remaining legs of a run. Each asset is traded once, and the run's total stays within the cap. */
const legsOf = (setup: Setup, { fills, portfolio }: Run, prices: Prices): ReadonlyArray<Leg> => {
  const spent = fills.reduce((sum, { usd18 }) => sum + usd18, 0n)
  const { address: quote } = setup.order.quote
  const without = new Set<Address>(fills.map(({ from, to }) => from.address === quote ? to.address : from.address))
  const maxUsd18 = setup.order.maxUsd18 > spent ? setup.order.maxUsd18 - spent : 0n
  const planResult = plan({
    ...setup.order,
    held: heldIn(setup, portfolio, prices),
    maxUsd18,
    force: fills.length > 0,
    without
  })
  return Result.match(planResult, { onFailure: () => [], onSuccess: ({ legs }) => legs })
}

const executeLegs = (setup: Setup, run: Run, bar: Bar): Run => {
  const { opens, time } = bar
  const [leg] = legsOf(setup, run, opens)
  if (leg === undefined || run.fills.length >= 2 * setup.order.targets.length) return run
  const result = swap(
    run.portfolio,
    { time, from: leg.from, to: leg.to, amount: leg.amount, reason: reasonOf(leg) },
    opens,
    setup.costs
  )
  return result === undefined
    ? run
    : executeLegs(setup, { portfolio: result[0], fills: [...run.fills, result[1]] }, bar)
}

/** Builds the bot. Its state is the time of its next check, unix seconds. */
const botOf = (setup: Setup): Bot<number> => (due, portfolio, { bar, next }) => {
  const nothing = { portfolio, fills: [] }
  if (next.time < due) return { ...nothing, state: due }
  const state = next.time + setup.intervalSeconds
  if (legsOf(setup, nothing, bar.closes).length === 0) return { ...nothing, state }
  return { ...executeLegs(setup, nothing, next), state }
}

export const run = (bars: ReadonlyArray<Bar>, setup: Setup): Outcome =>
  replay(bars, setup.tokens, setup.start, 0, botOf(setup))
