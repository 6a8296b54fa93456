/** An index bot tried on the past: the live bot's own `plan`, looked at on its schedule and carried out leg by leg as its runs are. */
import type { Address } from "../chain/Address.ts"
import type { Token } from "../chain/Token.ts"
import * as Result from "effect/Result"
import { type Held, type Leg, type Order, plan } from "../index-bot/RebalancePlan.ts"
import type { Bar, Prices } from "./PriceSeries.ts"
import { type Costs, type Fill, heldOf, type Portfolio, swap } from "./Portfolio.ts"
import { type Bot, type Outcome, replay } from "./Replay.ts"

export interface Setup {
  /** The quote among them. */
  readonly tokens: ReadonlyArray<Token>
  readonly order: Pick<Order, "targets" | "quote" | "tolerance" | "maxUsd18" | "minTradeUsd18" | "slippage">
  readonly intervalSeconds: number
  readonly costs: Costs
  readonly start: Portfolio
}

const heldIn = ({ tokens }: Setup, portfolio: Portfolio, prices: Prices): ReadonlyArray<Held> =>
  tokens.map((token) => ({ token, balance: heldOf(portfolio, token), price: prices.get(token.address) ?? null, inVault: true }))

interface Run {
  readonly portfolio: Portfolio
  readonly fills: ReadonlyArray<Fill>
}

/** How a leg reads in a list of trades. */
const reasonOf = ({ asset, side }: Leg) => `${side} ${asset.symbol} towards its weight`

/** What is still to be traded of a run: each asset is traded once, and all of it stays within the cap. */
const legsOf = (setup: Setup, { fills, portfolio }: Run, prices: Prices): ReadonlyArray<Leg> => {
  const spent = fills.reduce((sum, { usd18 }) => sum + usd18, 0n)
  const { address: quote } = setup.order.quote
  const without = new Set<Address>(fills.map(({ from, to }) => from.address === quote ? to.address : from.address))
  const maxUsd18 = setup.order.maxUsd18 > spent ? setup.order.maxUsd18 - spent : 0n
  const planned = plan({ ...setup.order, held: heldIn(setup, portfolio, prices), maxUsd18, force: fills.length > 0, without })
  return Result.match(planned, { onFailure: () => [], onSuccess: ({ legs }) => legs })
}

const carryOut = (setup: Setup, run: Run, bar: Bar): Run => {
  const { opens, time } = bar
  const [leg] = legsOf(setup, run, opens)
  if (leg === undefined || run.fills.length >= 2 * setup.order.targets.length) return run
  const made = swap(run.portfolio, { time, from: leg.from, to: leg.to, amount: leg.amount, reason: reasonOf(leg) }, opens, setup.costs)
  return made === undefined ? run : carryOut(setup, { portfolio: made[0], fills: [...run.fills, made[1]] }, bar)
}

/** Remembers when it looks next, unix seconds. */
const botOf = (setup: Setup): Bot<number> => (due, portfolio, { bar, next }) => {
  const nothing = { portfolio, fills: [] }
  if (next.time < due) return { ...nothing, state: due }
  const state = next.time + setup.intervalSeconds
  if (legsOf(setup, nothing, bar.closes).length === 0) return { ...nothing, state }
  return { ...carryOut(setup, nothing, next), state }
}

export const run = (bars: ReadonlyArray<Bar>, setup: Setup): Outcome => replay(bars, setup.tokens, setup.start, 0, botOf(setup))
