/** Vaults with an index bot, the requests to it, and reads of its chain and its rows. */
import { assert } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { succeeded } from "./Answers.ts"
import { type Answer, type Fields, rows, Running, trader } from "./Harness.ts"
import * as OnChain from "./OnChain.ts"
import { until } from "./Until.ts"

export const network = "base"

export const refused = ({ fields, status, text }: Answer, saying: RegExp, code = "1010") => {
  assert.deepStrictEqual([status, fields["status"], fields["status_code"]], [200, "fail", code], text)
  assert.match(String(fields["message"]), saying)
}
export const failed = ({ body, status, text }: Answer, errorType: string, saying: RegExp) => {
  assert.deepStrictEqual([status, body["error_type"]], [400, errorType], text)
  assert.match(String(body["message"]), saying)
}
export const dataOf = (answer: Answer) => succeeded(answer)["data"] as Fields
export const list = (value: unknown) => value as ReadonlyArray<Fields>

export const targets = [
  { asset: "ETH", weight: 40 },
  { asset: "BTC", weight: 30, tolerance: 2 },
  { asset: "DAI", weight: 20 },
  { asset: "USDC", weight: 10 }
]

/**
 * Builds a scene: a vault with 1,000 USDC, too little to move the pools' prices (or an existing vault), its trader, and
 * functions that call it.
 */
export const scene = (made?: Address) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const devnet = yield* Devnet
    const newVault = Effect.map(
      Effect.orDie(devnet.createVault({ network, name: "Index", invested: 1_000_000_000n })),
      ({ pool }) => pool
    )
    const pool = made ?? (yield* newVault)
    const by = yield* trader({ pool })
    const about = { apiKey: by.apiKey, network, pool }
    const of = (path: string, more: Fields = {}) => ask(path, { json: { ...about, ...more } })
    return {
      ...by,
      about,
      of,
      set: (more: Fields = {}) => of("/setIndexBot", { targets, interval: "6h", max_usd: 100_000, ...more }),
      sent: OnChain.transactionCount(network, by.address),
      bot: Effect.map(of("/getIndexBot"), dataOf),
      runs: rows(
        "select state, reason, message, jsonb_array_length(legs) as legs, spent18::text as spent from index_runs " +
          `where pool = '${pool}' order by id`
      )
    }
  })

/** Returns each asset's percentage of the vault's value, read from the chain. */
export const weights = (pool: Address) =>
  Effect.gen(function*() {
    const { lines, total } = yield* OnChain.fundComposition(network, pool)
    const symbols = yield* Effect.forEach(["USDC", "WETH", "WBTC", "DAI", "LINK"], (symbol) =>
      Effect.map(OnChain.token(network, symbol), (address) => [address, symbol] as const))
    const decimals: Readonly<Record<string, bigint>> = { USDC: 6n, WBTC: 8n }
    return Object.fromEntries(lines.flatMap(({ asset, balance, rate }) => {
      const symbol = symbols.find(([address]) =>
        address === asset
      )?.[1]
      return symbol === undefined
        ? []
        : [[symbol, Number(balance * rate * 10_000n / (10n ** (decimals[symbol] ?? 18n)) / total) / 100]]
    }))
  })

export const tokenOf = (symbol: string, decimals: number) =>
  Effect.map(OnChain.token(network, symbol), (address) => ({ address, symbol, decimals }))

/** Makes the bot's next run due. */
export const makeDue = (pool: Address) =>
  rows(`update index_bots set next_run_at = now() - interval '3 hours' where pool = '${pool}'`)
export const ended = (pool: Address, count: number) =>
  until(
    `${count} runs to end`,
    Effect.map(
      rows(`select state, reason, message from index_runs where pool = '${pool}' and ended_at is not null order by id`),
      (found) => found.length >= count ? found : undefined
    )
  )
