/** The first decisions of a threshold bot and of an index bot that were set for the vault now. */
import { symbolOf } from "@vault-trader/core/chain/Token"
import { plannedTradeOf } from "@vault-trader/core/index-bot/IndexRun"
import { defaults } from "@vault-trader/core/index-bot/IndexBot"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import { planTrades } from "../index-bot/RebalancePlanner.ts"
import type { Attempt } from "./Attempt.ts"
import { planned, turnOf } from "./MarketSteps.ts"
import * as RehearsedPlan from "./RehearsedPlan.ts"
import { step, type Title } from "./Step.ts"
import * as StepText from "./StepText.ts"
import type { Subject } from "./Subject.ts"

const usd18 = (usd: number | string) => BigDecimal.scale(BigDecimal.fromStringUnsafe(String(usd)), 18).value

/** Decides the first turn of a bot that holds the bought asset. */
export const threshold = (sender: RehearsedPlan.Sender, { bought, sold, usd }: Subject) => {
  const title: Title = { area: "bot", name: `threshold bot ${bought.symbol}-${sold.token.symbol}, side=long` }
  const inverse = sender.chain.book.inverseTokens[symbolOf(bought.symbol)] ?? null
  return planned(title, RehearsedPlan.of(sender, turnOf(bought, sold.token, inverse, "long", usd)), StepText.turn)
}

/**
 * Decides the first run of an index of the two assets in equal parts, through the sold asset. Fails while the value of
 * any asset of the vault is unknown, as every run does.
 */
export const index = ({ reader }: RehearsedPlan.Sender, { bought, sold, usd }: Subject): Attempt<never> => {
  const title: Title = { area: "bot", name: `index bot of ${sold.token.symbol} and ${bought.symbol}` }
  const { minTradeUsd, slippage, tolerance } = defaults
  const targets = [sold.token, bought].map((token) => ({ token, weight: 50, tolerance: null }))
  const rules = { targets, tolerance, slippage, minTradeUsd18: usd18(minTradeUsd) }
  const terms = { quote: sold.token, force: false, maxUsd18: usd18(usd), without: new Set<never>() }
  return {
    ...title,
    run: Effect.map(planTrades(reader, rules, terms), ({ legs }) => {
      const trades = legs.map((leg) => plannedTradeOf(leg, slippage))
      const words = trades.map(({ amount, from, minOut, to }) => `${amount} ${from} for at least ${minOut} ${to}`)
      return step(
        title,
        "works",
        words.length === 0 ? "holds: every weight is within its tolerance" : `sells ${words.join(", then ")}`,
        { details: { plan: trades }, gas: null, gas_cost: null, gas_cost_wei: null }
      )
    })
  }
}
