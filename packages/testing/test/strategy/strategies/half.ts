/** Holds half of each asset. */
import { define } from "@vault-trader/core/strategy/Strategy"

export const strategy = define({
  description: "Holds a part of each asset.",
  history: 3,
  inputs: { part: { type: "number", default: 50, minimum: 0, maximum: 100 } },
  decide: ({ assets, candles, inputs, memory }) => ({
    targets: Object.fromEntries(assets.map((asset) => [asset, inputs.part / assets.length])),
    memory: {
      decisions:
        (typeof memory === "object" && memory !== null && "decisions" in memory ? Number(memory.decisions) : 0) + 1
    },
    reason: `${candles[assets[0] ?? ""]?.length ?? 0} candles.`
  })
})
