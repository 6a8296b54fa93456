/**
 * Throughput of a lane with many finished rows: the same bursts on an empty database and on one with a million rows.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { type Bench, type Options, say } from "../Bench.ts"
import { type Finding, timesBaseline, shown } from "../Row.ts"
import * as BenchNode from "./BenchNode.ts"
import * as EngineHarness from "./EngineHarness.ts"
import { timed } from "./Rate.ts"

const millions = 1_000_000
const request = JSON.stringify({ _tag: "Trade", from: "USDC", to: "WETH", slippage: 0.5, platform: "auto" })
const outcome = JSON.stringify({ _tag: "Succeeded", message: "Sold 1000 USDC for 0.333 WETH on uniswapV3." })

/**
 * Inserts finished trades of the measured wallet, one nonce each: intents, submissions, receipts, attempts with bytes,
 * charges.
 */
const fill = ({ keyId, node: { network }, wallet }: EngineHarness.Lane) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const series = sql.literal(`generate_series(0, ${millions - 1}) n`)
    const id = sql.literal(`('00000000-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))`)
    const hash = sql.literal(`'0x' || md5(n::text) || md5(n::text || 'b')`)
    yield* sql.withTransaction(Effect.gen(function*() {
      // The references hold by construction; checking each of them would take minutes.
      yield* sql`set local session_replication_role = replica`
      yield* sql`set local synchronous_commit = off`
      yield* sql`insert into intents
          (id, wallet, key_id, endpoint, network, pool, request, status, step, plan, tx_hash, outcome, created_at, updated_at)
        select ${id}::uuid, ${wallet}, ${keyId}::uuid, 'vaultTrade', ${network}, ${wallet}, ${request}::jsonb, 'succeeded', 1,
          '{"venue":"uniswapV3"}'::jsonb, ${hash}, ${outcome}::jsonb, now() - interval '1 day', now() - interval '1 day' from ${series}`
      yield* sql`insert into submissions
          (key, intent_id, network, wallet, to_address, data, value, reserve, status, nonce, receipt, created_at, updated_at)
        select ${id} || '/1', ${id}::uuid, ${network}, ${wallet}, ${wallet}, ${`0x${
        "ab".repeat(68)
      }`}, 0, 0, 'final', n,
          jsonb_build_object('transactionHash', ${hash}, 'blockNumber', n::text, 'succeeded', true, 'logs', '[]'::jsonb),
          now() - interval '1 day', now() - interval '1 day' from ${series}`
      yield* sql`insert into attempts
          (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit, max_fee_per_gas, max_priority_fee_per_gas)
        select ${network}, ${wallet}, n, 0, ${id} || '/1', ${hash}, ${`0x02${
        "cd".repeat(180)
      }`}, 60000, 2000000000, 1000000 from ${series}`
      yield* sql`insert into charges (intent_id, wallet, network, action, usd)
        select ${id}::uuid, ${wallet}, ${network}, 'trade', 0.1 from ${series}`
    }))
    // As autovacuum would have done before.
    yield* sql`vacuum analyze`
    yield* sql`checkpoint`
  }).pipe(Effect.orDie)

/** Opens a lane over its own database, in a scope that outlives its rounds. */
const openLane = (node: BenchNode.BenchNode, database: string, rows: "none" | "a million") =>
  Effect.gen(function*() {
    const context = yield* Layer.build(EngineHarness.Engine(database))
    const lanes = yield* Effect.provide(EngineHarness.lanes([node], 1, rows === "none" ? 0 : millions), context)
    const [lane] = lanes
    if (rows === "a million" && lane !== undefined) {
      const began = performance.now()
      yield* Effect.provide(fill(lane), context)
      const seconds = (performance.now() - began) / 1000
      yield* say(
        `  ${shown(millions)} finished intents, submissions, attempts and charges written in ${seconds.toFixed(0)} s`
      )
    }
    const round = (count: number) =>
      Effect.gen(function*() {
        const counter = yield* node.counter
        const { broadcast } = yield* timed(
          [counter],
          count,
          EngineHarness.fromIntents({ lanes, counters: new Map([[node, counter]]), count })
        )
        yield* EngineHarness.quiet
        return broadcast
      }).pipe(Effect.orDie, Effect.provide(context))
    return { round, rates: [] as Array<number> }
  })

const measure = ({ rounds = 6 }: Options) =>
  Effect.gen(function*() {
    const node = yield* BenchNode.start("base")
    const empty = yield* openLane(node, "empty", "none")
    const full = yield* openLane(node, "full", "a million")
    yield* full.round(300)
    const count = Math.max(500, Math.round((yield* empty.round(500)) * 2))
    for (let round = 1; round <= rounds; round++) {
      // They take turns in going first.
      for (const ledger of round % 2 === 1 ? [empty, full] : [full, empty]) {
        ledger.rates.push(yield* ledger.round(count))
      }
      yield* say(
        `  round ${round}: empty ${shown(empty.rates.at(-1) ?? 0)} tx/s, with a million rows ${
          shown(full.rates.at(-1) ?? 0)
        }`
      )
    }
    const finding: Finding = {
      name: "tx-old-rows",
      unit: "tx/s",
      rounds: full.rates,
      against: { what: "an empty ledger", rounds: empty.rates },
      goal: timesBaseline(0.9, "an empty ledger"),
      note: "1,000,000 finished intents, submissions, attempts and charges, all of the measured wallet"
    }
    return [finding]
  })

export const oldRows: Bench = {
  rows: ["tx-old-rows"],
  run: (options) => Effect.scoped(measure(options)).pipe(Effect.provide(EngineHarness.Postgres))
}
