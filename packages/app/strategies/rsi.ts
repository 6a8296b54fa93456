/** Buys an asset when its relative strength index says oversold, and sells it when it says overbought. */
import { define } from "@vault-trader/core/strategy/Strategy"
import { RSI } from "trading-signals"

export const strategy = define({
  description: "Buys each asset below one level of its relative strength index, and sells it above another.",
  history: 200,
  inputs: {
    length: { type: "integer", default: 14, minimum: 2, maximum: 100 },
    oversold: { type: "number", default: 30, minimum: 1, maximum: 50 },
    overbought: { type: "number", default: 70, minimum: 50, maximum: 99 },
    invested: { type: "number", default: 95, minimum: 1, maximum: 100 }
  },
  decide: ({ assets, candles, inputs }) => {
    const targets: Record<string, number> = {}
    for (const asset of assets) {
      const rsi = new RSI(inputs.length)
      for (const { close } of candles[asset] ?? []) rsi.update(close, false)
      const value = (candles[asset] ?? []).length <= inputs.length ? null : rsi.getResult()
      if (value === null) continue
      if (value < inputs.oversold) targets[asset] = inputs.invested / assets.length
      if (value > inputs.overbought) targets[asset] = 0
    }
    const named = Object.keys(targets)
    return named.length === 0 ? null : { targets, reason: `The index of ${named.join(", ")} passed a level.` }
  }
})
