/** Holds as much of an asset as keeps the whole at a wanted volatility. */
import { define } from "@vault-trader/core/strategy/Strategy"
import { getStandardDeviation } from "trading-signals"

const yearSeconds = 365 * 86_400

export const strategy = define({
  description: "Holds so much of each asset that its share of the vault moves by the wanted percentage a year.",
  history: 400,
  inputs: {
    volatility: { type: "number", default: 30, minimum: 1, maximum: 300, description: "Wanted percent a year." },
    window: { type: "integer", default: 48, minimum: 5, maximum: 399, description: "Candles of the measurement." },
    most: { type: "number", default: 95, minimum: 1, maximum: 100, description: "Most percent that is invested." }
  },
  decide: ({ assets, candles, inputs: { most, volatility, window } }) => {
    const targets: Record<string, number> = {}
    for (const asset of assets) {
      const known = (candles[asset] ?? []).slice(-(window + 1))
      if (known.length <= window) return { reason: `${known.length} of ${window + 1} candles of ${asset}.` }
      const returns = known.slice(1).map(({ close }, index) => Math.log(close / known[index]!.close))
      const seconds = (known.at(-1)!.time - known[0]!.time) / window
      const yearly = getStandardDeviation(returns) * Math.sqrt(yearSeconds / seconds) * 100
      const share = most / assets.length
      targets[asset] = yearly === 0 ? share : Math.min(share, share * volatility / yearly)
    }
    return { targets }
  }
})
