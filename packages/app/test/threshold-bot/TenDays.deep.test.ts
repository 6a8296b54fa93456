/**
 * Days of a moving market with a threshold bot and an index bot whose processes are killed at random. An hour is one
 * price move: the chain's clock and the index's schedule advance by an hour. One day here; ten by hand
 * (docs/reliability.md), in `packages/app`: `TEST_DEEP=1 SIMULATED_DAYS=10 SIMULATED_SEED=1 npx vitest run
 * test/threshold-bot/TenDays.deep.test.ts`.
 */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import * as Effect from "effect/Effect"
import * as SeededRandom from "../../src/SeededRandom.ts"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { type Fields, rows, Running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
const days = Number(process.env["SIMULATED_DAYS"] ?? 1)
const seed = Number(process.env["SIMULATED_SEED"] ?? 1)
const hours = 24 * days
const kills = 2 * days

const threshold = 2
const tolerance = 3
const targets = [
  { asset: "WETH", weight: 30 },
  { asset: "WBTC", weight: 25 },
  { asset: "DAI", weight: 20 },
  { asset: "ETHBEAR1X", weight: 10 },
  { asset: "USDC", weight: 15 }
]
const symbols = targets.map(({ asset }) => asset)
const decimals: Readonly<Record<string, bigint>> = { USDC: 6n, WBTC: 8n }

/** Percent of a vault's value by symbol, read from the chain. */
const weightsOf = (pool: Address) =>
  Effect.gen(function*() {
    const { lines, total } = yield* OnChain.fundComposition(network, pool)
    const found = yield* Effect.forEach(symbols, (symbol) =>
      Effect.map(OnChain.token(network, symbol), (address) => {
        const line = lines.find(({ asset }) => asset === address)
        const value = line === undefined ? 0n : line.balance * line.rate / 10n ** (decimals[symbol] ?? 18n)
        return [symbol, Number(value * 1_000_000n / total) / 10_000] as const
      }))
    return Object.fromEntries(found)
  })

const made = Effect.gen(function*() {
  const pool = yield* OnChain.createVault(network, 10_000n)
  const by = yield* trader({ network, pool })
  return { ...by, about: { apiKey: by.apiKey, network, pool }, sent: OnChain.transactionCount(network, by.address) }
})

/** Compares every transaction of the vault's wallet with the service's records. */
const explained = ({ about, pool, sent }: Effect.Success<typeof made>) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const intents = yield* rows(
      `select id::text as id, status, tx_hash, coalesce(outcome ->> 'message', outcome -> 'failure' ->> 'message') as message
      from intents where pool = '${pool}' order by id`
    )
    const trades = intents.filter(({ tx_hash }) => tx_hash !== null)
    // A turn may fail when feeds have moved and pools have not: it says so, sends nothing, and the next one trades.
    const failed = intents.filter(({ status }) => status !== "succeeded")
    for (const { message, status, tx_hash } of failed) {
      assert.deepStrictEqual([status, tx_hash], ["failed", null])
      assert.match(String(message), /othing was sent/)
    }
    assert.strictEqual(yield* sent, trades.length, "a transaction that no intent explains, or one too few")
    for (const { message } of trades) assert.match(String(message), /^Sold [0-9.]+ \w+ for [0-9.]+ \w+ on uniswapV3\.$/)
    const charged = yield* rows(
      `select count(*)::int as n from charges c join intents i on i.id = c.intent_id where i.pool = '${pool}'`
    )
    assert.deepStrictEqual(charged, [{ n: trades.length }])
    const status = succeeded(yield* ask("/getBotStatus", { query: about }))["data"] as Fields
    return { status, intents, trades: trades.length, failed: failed.map(({ message }) => String(message)) }
  })

const fleet = ProcessGroup.layer({
  names: ["server", "runner-1"],
  networks: [network],
  env: { WAIT_SECONDS: "1", BOT_CHECK_SECONDS: "1" }
})

layer(fleet, { timeout: 240_000, excludeTestServices: true })(
  `${days} day${days === 1 ? "" : "s"} of a moving market`,
  (it) => {
    it.effect(
      `with ${kills} kills leave a threshold bot and an index of five assets at their targets, every trade explained`,
      () =>
        Effect.gen(function*() {
          const { ask } = yield* Running
          const { start, the } = yield* ProcessGroup.ProcessGroup
          const devnet = yield* Devnet
          const rpc = yield* Effect.orDie(devnet.rpc(network))
          const chance = SeededRandom.make(seed)
          const [sided, indexed] = [yield* made, yield* made]
          const prices: Record<string, number> = { WETH: 3_000, WBTC: 60_000 }
          const killed = new Set(Array.from({ length: kills }, (_, day) => day * 12 + chance.below(12)))
          let side: "long" | "neutral" = "long"
          let worst = 0
          let looks = 0

          // While its actor is moving to another runner the caller is answered to try again, and does.
          const setSide = until(
            "the bot to be set",
            Effect.suspend(() =>
              Effect.map(ask("/setBot", { json: { ...sided.about, pair: "WETH-USDC", side, threshold } }), (answer) =>
                answer.body["error_type"] === "rpc_unavailable" || answer.body["error_type"] === "busy"
                  ? undefined
                  : succeeded(answer))
            )
          )
          succeeded(
            yield* ask("/setIndexBot", {
              json: {
                ...indexed.about,
                targets,
                interval: "6h",
                max_usd: 100_000,
                tolerance,
                min_trade_usd: 10,
                enabled: true
              }
            })
          )
          yield* setSide

          const quiet = Effect.gen(function*() {
            yield* until(
              "the index to be over",
              Effect.map(
                rows(`select 1 from index_bots b where pool = '${indexed.pool}' and (next_run_at <= now() or exists
            (select 1 from index_runs r where r.pool = b.pool and state = 'running'))`),
                (open) =>
                  open.length === 0 ? true : undefined
              )
            )
            yield* until(
              "the bot to be at its side",
              Effect.gen(function*() {
                const open = yield* rows(
                  `select 1 from threshold_bots where pool = '${sided.pool}' and open_intent is not null`
                )
                if (open.length > 0) {
                  return undefined
                }
                const { USDC = 0, WETH = 0 } = yield* weightsOf(sided.pool)
                return (side === "long" ? USDC : WETH) <= threshold ? true : undefined
              })
            )
          })

          for (let hour = 0; hour < hours; hour++) {
            yield* Effect.orDie(Effect.andThen(rpc.increaseTime(3_600), rpc.mine))
            for (const symbol of ["WETH", "WBTC"]) {
              prices[symbol] = (prices[symbol] ?? 0) * (1 + (chance.next() - 0.5) * 0.05)
            }
            yield* Effect.orDie(
              movePrices(devnet, Object.entries(prices).map(([symbol, usd]) => ({ network, symbol, usd })))
            )
            const [due] = yield* rows(
              `update index_bots set next_run_at = next_run_at - interval '1 hour' where pool = '${indexed.pool}'
          returning next_run_at <= now() as due`
            )
            if (chance.below(6) === 0) {
              side = side === "long" ? "neutral" : "long"
              yield* setSide
            }
            if (killed.has(hour)) {
              const name = chance.below(3) === 0 ? "server" : "runner-1"
              yield* Effect.sleep(chance.below(1_500))
              yield* the(name).kill
              yield* start(name)
            }
            yield* quiet
            if (process.env["SIMULATED_DAYS"] !== undefined) {
              yield* Effect.logInfo(`hour ${hour}: ${side}, WETH ${prices["WETH"]?.toFixed(0)}`)
            }
            if (due?.["due"] === true) {
              looks += 1
              const now = yield* weightsOf(indexed.pool)
              for (const { asset, weight } of targets) {
                const drift = Math.abs((now[asset] ?? 0) - weight)
                worst = Math.max(worst, drift)
                assert.isAtMost(drift, tolerance, `${asset} in hour ${hour}`)
              }
            }
          }

          const one = yield* explained(sided)
          const [bot] = one.status["bots"] as ReadonlyArray<Fields>
          assert.deepInclude(
            bot,
            { side, active: true, paused_reason: null, last_intent_id: one.intents.at(-1)?.["id"] } as Fields
          )
          assert.match(String((bot?.["last_decision"] as Fields)["reason"]), /the threshold is 2 %|^Sold/)
          const other = yield* explained(indexed)
          const index = succeeded(yield* ask("/getIndexBot", { json: indexed.about }))["data"] as Fields
          assert.deepInclude(index, { active: true, paused_reason: null })
          assert.isString(index["last_decision"])
          const runs = yield* rows(`select state, legs from index_runs where pool = '${indexed.pool}'`)
          assert.isTrue(
            runs.length > 0 && runs.every(({ state }) =>
              state !== "running"
            )
          )
          assert.isAbove(one.trades, days)
          process.stdout.write(
            `seed ${seed}: ${hours} hours, ${killed.size} kills: ${one.trades} trades of the threshold bot, ` +
              `${other.trades} of the index bot in ${runs.length} runs of ${looks} looks; ` +
              `${one.failed.length + other.failed.length} turns failed and sent nothing; worst drift after a look ${
                worst.toFixed(2)
              } pp; WETH ${prices["WETH"]?.toFixed(0)}, WBTC ${prices["WBTC"]?.toFixed(0)}\n${
                [...one.failed, ...other.failed].map((text) => `  ${text}\n`).join("")
              }`
          )
        }),
      240_000 + hours * 20_000
    )
  }
)
