/** Sells half of an asset and buys it back, candle by candle. */
import { define } from "@vault-trader/core/strategy/Strategy"

export const strategy = define({
  description: "Turns at each candle.",
  history: 1,
  inputs: {},
  decide: ({ assets, memory }) => ({
    orders: [{ side: memory === "sold" ? "buy" : "sell", base: assets[0] ?? "", share: 50 }],
    memory: memory === "sold" ? "bought" : "sold"
  })
})
