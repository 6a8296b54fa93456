/** Holds an asset while its fast exponential average is above its slow one. */
import { define } from "@vault-trader/core/strategy/Strategy"
import { EMA } from "trading-signals"

const average = (length: number, closes: ReadonlyArray<number>): number | null => {
  const ema = new EMA(length)
  for (const close of closes) ema.update(close, false)
  return closes.length < length ? null : ema.getResult()
}

export const strategy = define({
  description: "Holds each asset while its fast exponential average is above its slow one, and the quote otherwise.",
  history: 400,
  inputs: {
    fast: { type: "integer", default: 12, minimum: 2, maximum: 200, description: "Candles of the fast average." },
    slow: { type: "integer", default: 26, minimum: 3, maximum: 400, description: "Candles of the slow average." },
    invested: { type: "number", default: 95, minimum: 1, maximum: 100, description: "Percent that is invested." }
  },
  decide: ({ assets, candles, inputs: { fast, invested, slow } }) => {
    const targets: Record<string, number> = {}
    const words: Array<string> = []
    for (const asset of assets) {
      const closes = (candles[asset] ?? []).map(({ close }) => close)
      const [quick, calm] = [average(fast, closes), average(slow, closes)]
      if (quick === null || calm === null) return { reason: `${closes.length} of ${slow} candles of ${asset}.` }
      targets[asset] = quick > calm ? invested / assets.length : 0
      words.push(`${asset} is ${quick > calm ? "rising" : "falling"}`)
    }
    return { targets, reason: `${words.join(", ")}.` }
  }
})
