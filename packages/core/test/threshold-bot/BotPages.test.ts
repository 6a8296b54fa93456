/** A page of the watch reads the rows of its own part only, however many bots the other parts and networks have. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { ThresholdBotStore } from "../../src/threshold-bot/ThresholdBotStore.ts"
import * as ScanStatistics from "../storage/ScanStatistics.ts"

const keyId = "00000000-0000-4000-8000-000000000000"
const wallet = `0x${"1".repeat(40)}`

/** Writes 14,000 bots of seven networks. */
const bots = [
  `insert into gas_wallets (address, ciphertext) values ('${wallet}', 'c')`,
  `insert into api_keys (id, wallet, digest, last_four) values ('${keyId}', '${wallet}', repeat('0', 64), 'abcd')`,
  `insert into threshold_bots (id, network, pool, pair, base, quote, side, threshold, share, max_usd, slippage,
      platform, lending, paper, wallet, key_id, active)
    select uuidv7(), (array['base', 'optimism', 'arbitrum', 'polygon', 'ethereum', 'plasma', 'hyperliquid'])[1 + n % 7],
      '0x'||lpad(to_hex(n), 40, '0'), 'WETH-USDC', '0x'||repeat('1', 40), '0x'||repeat('2', 40), 'long', 1, 100, 1000,
      1, 'auto', false, false, '${wallet}', '${keyId}', true
    from generate_series(1, 14000) n`,
  `vacuum analyze threshold_bots`
]

layer(ThresholdBotStore.layer.pipe(Layer.provideMerge(ScanStatistics.SingleConnection), Layer.orDie), {
  timeout: 120_000,
  excludeTestServices: true
})("a page of bots", (it) => {
  it.effect("reads no row of another part", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (const statement of bots) yield* sql.unsafe(statement)
      const store = yield* ThresholdBotStore
      yield* store.due("base", 0, 4, { after: null, size: 100 })
      yield* ScanStatistics.forget
      const first = yield* store.due("base", 0, 4, { after: null, size: 100 })
      const second = yield* store.due("base", 0, 4, { after: first.at(-1)?.id ?? null, size: 100 })
      assert.lengthOf(second, 100)
      assert.deepStrictEqual(yield* ScanStatistics.of(["threshold_bots"]), [])
      const [read] = yield* sql<{ readonly rows: number }>`select sum(idx_tup_read)::int as rows
        from pg_stat_user_indexes where relname = 'threshold_bots'`
      const [part] = yield* sql<{ readonly bots: number }>`select count(*)::int as bots from threshold_bots
        where network = 'base' and abs(hashtext(pool) % 4) = 0`
      assert.isAtMost(read?.rows ?? Infinity, 2 * (part?.bots ?? 0))
    }), 120_000)
})
