import * as SqlClient from "effect/sql/SqlClient"
import { assert, layer } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import type { Setting } from "../../src/threshold-bot/SettingRows.ts"
import { ThresholdBotStore } from "../../src/threshold-bot/ThresholdBotStore.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const network = "base"
const Stores = Layer.mergeAll(ThresholdBotStore.layer, GasWalletStore.layer, ApiKeyStore.layer).pipe(
  Layer.provideMerge(Database)
)

/** Sets a bot of a fresh vault. */
const bot = (more: Partial<Setting> = {}) =>
  Effect.gen(function*() {
    const store = yield* ThresholdBotStore
    const { address, keyId } = yield* wallet
    return yield* store.put({
      ...{
        network,
        pool: yield* freshAddress,
        pair: "WETH-USDC",
        base: `0x${"1".repeat(40)}`,
        quote: `0x${"2".repeat(40)}`,
        inverse: null
      },
      ...{
        wallet: address,
        keyId,
        side: "long",
        threshold: 1,
        share: 100,
        maxUsd: BigDecimal.make(1_000n, 0),
        slippage: 1
      },
      ...{ platform: "auto", lending: false, autoEnable: false, maxImpact: null, paper: false },
      ...more
    })
  })

/** Reads all pages of all shards, with `size` bots each. */
const due = (size: number, shards: number) =>
  Effect.gen(function*() {
    const store = yield* ThresholdBotStore
    const pages: Array<ReadonlyArray<string>> = []
    for (let shard = 0; shard < shards; shard++) {
      let after: string | null = null
      for (;;) {
        const page: ReadonlyArray<string> = (yield* store.due(network, shard, shards, { after, size })).map(({ id }) =>
          id
        )
        if (page.length > 0) pages.push(page)
        if (page.length < size) break
        after = page.at(-1) ?? null
      }
    }
    return pages
  })

layer(Stores, { timeout: 240_000, excludeTestServices: true })("bots that are due", (it) => {
  it.effect("are listed page by page, each once, for any page size and number of shards", () =>
    Effect.gen(function*() {
      const made = yield* Effect.replicateEffect(Effect.map(bot(), ({ id }) => id), 25)
      for (const [size, shards] of [[1, 1], [4, 1], [5, 3], [25, 1], [1_000, 4]] as const) {
        const pages = yield* due(size, shards)
        assert.isTrue(pages.every((page) => page.length <= size))
        const all = pages.flat()
        assert.strictEqual(new Set(all).size, all.length)
        assert.deepStrictEqual(all.filter((id) => made.includes(id)).sort(), [...made].sort())
      }
    }))

  it.effect("exclude those that hold, are paused, are not due yet, or have a turn in progress", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [holding, paused, later, running, forgotten] = yield* Effect.all([
        bot({ side: "hold" }),
        bot(),
        bot(),
        bot(),
        bot()
      ])
      yield* sql`update threshold_bots set active = false where id = ${paused.id}`
      yield* sql`update threshold_bots set next_check = now() + interval '1 hour' where id = ${later.id}`
      yield* sql`set local session_replication_role = replica`.pipe(
        Effect.andThen(
          sql`update threshold_bots
            set open_intent = id, updated_at = now() - (case when id = ${forgotten.id} then interval '1 minute'
            else interval '0' end)
          where id in ${sql.in([running.id, forgotten.id])}`
        ),
        sql.withTransaction
      )
      const all = (yield* due(100, 2)).flat()
      assert.isTrue([holding, paused, later, running].every(({ id }) => !all.includes(id)))
      assert.include(all, forgotten.id)
    }))
})
