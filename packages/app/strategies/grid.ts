/** Sells a part at each line above a middle price, and buys a part at each line below it. */
import { define } from "@vault-trader/core/strategy/Strategy"

/** Remembers the middle price and the line of the last trade. */
interface Memory {
  readonly middle: number
  readonly line: number
}

const isMemory = (memory: unknown): memory is Memory =>
  typeof memory === "object" && memory !== null && "middle" in memory && "line" in memory

export const strategy = define({
  description:
    "Trades a grid of prices around the first one: sells a part at each line up, buys a part at each line down.",
  history: 1,
  inputs: {
    step: { type: "number", default: 2, minimum: 0.1, maximum: 50, description: "Percent between two lines." },
    lines: { type: "integer", default: 10, minimum: 1, maximum: 100, description: "Lines above and below the middle." }
  },
  decide: ({ assets: [asset], candles, inputs: { lines, step }, memory, usd }) => {
    const close = asset === undefined ? undefined : candles[asset]?.at(-1)?.close
    if (asset === undefined || close === undefined) return null
    if (!isMemory(memory)) {
      return { targets: { [asset]: 50 }, memory: { middle: close, line: 0 }, reason: `The middle is ${close} USD.` }
    }
    const { line, middle } = memory
    const now = Math.trunc(Math.log(close / middle) / Math.log(1 + step / 100))
    const next = Math.max(-lines, Math.min(lines, now))
    if (next === line) return null
    const side = next > line ? "sell" : "buy"
    return {
      orders: [{ side, base: asset, usd: Math.abs(next - line) * usd / (2 * lines) }],
      memory: { middle, line: next },
      reason: `The price went from line ${line} to line ${next}.`
    }
  }
})
