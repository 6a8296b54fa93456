/** How long the brakes of a bot take while the network's node accepts every request and answers none. */
import * as Effect from "effect/Effect"
import { type Bench, type Options, say } from "../Bench.ts"
import { below, type Finding, shown } from "../Row.ts"
import { type Fields, network, ServiceUnderTest } from "../engine/ServiceUnderTest.ts"
import * as Vaults from "../engine/Vaults.ts"
import { percentile } from "./PriceMoves.ts"

/** In the order of a person who stops everything; the last one deletes the bot, so it is set again each time. */
const brakes = [
  "getBotStatus",
  "pauseBot",
  "resumeBot",
  "pauseWallet",
  "resumeWallet",
  "disableIndexBot",
  "unlinkGasWallet",
  "deleteBot"
] as const

const post = (baseUrl: string, path: string, json: Fields) =>
  Effect.promise(async (signal) => {
    const response = await fetch(`${baseUrl}/${path}`, {
      method: path === "deleteBot" ? "DELETE" : "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(json),
      signal
    })
    const text = await response.text()
    if (!text.includes("\"success\"")) throw new Error(`${path}: ${text}`)
  })

const measure = ({ rounds = 10 }: Options) =>
  Effect.gen(function*() {
    const { front, start } = yield* ServiceUnderTest
    const { baseUrl } = yield* start("start")
    const [trader] = yield* Vaults.traders(baseUrl, { vaults: 1, wallets: 1 })
    if (trader === undefined) return yield* Effect.die(new Error("no vault"))
    const about = { apiKey: trader.apiKey, network, pool: trader.pool }
    const targets = [{ asset: "WETH", weight: 50 }, { asset: "USDC", weight: 50 }]
    const times = new Map<string, Array<number>>(brakes.map((name) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      yield* post(baseUrl, "setBot", { ...about, pair: "WETH-USDC", side: "hold" })
      yield* post(baseUrl, "setIndexBot", { ...about, targets, interval: "1d", max_usd: "100" })
      yield* post(baseUrl, "linkGasWallet", about)
      front.hang(true)
      for (const name of brakes) {
        const began = performance.now()
        yield* post(baseUrl, name, about)
        times.get(name)?.push(performance.now() - began)
      }
      front.hang(false)
    }
    const worst = [...times].map(([name, each]) => `${name} ${shown(Math.max(...each))}`)
    yield* say(`  slowest of ${rounds} while the node hangs, ms: ${worst.join(", ")}`)
    const all = [...times.values()].flat()
    return [
      {
        name: "brakes",
        unit: "ms",
        rounds: [percentile(all, 99)],
        goal: below(100, " ms"),
        note: `p99 of ${all.length} calls while the network's node answers none; slowest of each, ms: ${
          worst.join(", ")
        }`
      }
    ] satisfies ReadonlyArray<Finding>
  })

export const brakesRow: Bench = {
  rows: ["brakes"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(ServiceUnderTest.layer))
}
