/** Holds the assets that rose most. */
import { define } from "@vault-trader/core/strategy/Strategy"
import { ROC } from "trading-signals"

export const strategy = define({
  description: "Holds the assets that rose most over a number of candles, in equal parts; none that fell.",
  history: 400,
  inputs: {
    window: { type: "integer", default: 48, minimum: 2, maximum: 399, description: "Candles of the comparison." },
    count: { type: "integer", default: 1, minimum: 1, maximum: 20, description: "Assets that are held." },
    invested: { type: "number", default: 95, minimum: 1, maximum: 100 }
  },
  decide: ({ assets, candles, inputs: { count, invested, window } }) => {
    const rises: Array<{ readonly asset: string; readonly rise: number }> = []
    for (const asset of assets) {
      const change = new ROC(window)
      for (const { close } of candles[asset] ?? []) change.update(close, false)
      const rise = (candles[asset] ?? []).length <= window ? null : change.getResult()
      if (rise === null) return { reason: `${(candles[asset] ?? []).length} of ${window + 1} candles of ${asset}.` }
      rises.push({ asset, rise })
    }
    // Of two that rose the same, the owner's first comes first.
    const best = rises.filter(({ rise }) => rise > 0).sort((one, other) => other.rise - one.rise).slice(0, count)
    const held = new Set(best.map(({ asset }) => asset))
    return {
      targets: Object.fromEntries(assets.map((asset) => [asset, held.has(asset) ? invested / count : 0])),
      reason: held.size === 0 ? "Nothing rose." : `${[...held].join(", ")} rose most.`
    }
  }
})
