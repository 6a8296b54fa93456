import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { sourceName } from "../../src/performance/LedgerTrade.ts"
import { PerformanceLedger } from "../../src/performance/PerformanceLedger.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { Database, freshAddress, wallet } from "../storage/Database.ts"

const Stores = Layer.provideMerge(
  Layer.mergeAll(GasWalletStore.layer, ApiKeyStore.layer, PerformanceLedger.layer),
  Database
)

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the trades of a vault", (it) => {
  it.effect("name the rule that made each, also when its rows no longer have a key", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { address, keyId } = yield* wallet
      const pool = yield* freshAddress
      const owner = { network: "base", pool, wallet: address, key_id: keyId }
      const outcome = {
        ...{ _tag: "Succeeded", txHash: `0x${"a".repeat(64)}`, message: "Done." },
        result: { sold: { asset: pool, symbol: "USDC", amount: "1", raw: "1000000" } }
      }
      const traded = (request: object) =>
        Effect.gen(function*() {
          const id = yield* Uuid.v7
          yield* sql`insert into intents ${
            sql.insert({
              ...{ ...owner, id, endpoint: "vaultTrade", status: "succeeded" },
              ...{ request: JSON.stringify(request), outcome: JSON.stringify(outcome) }
            })
          }`
          return id
        })
      const rule = (table: "strategy_bots" | "vault_followers" | "vault_guardians", columns: object) =>
        Effect.gen(function*() {
          const id = yield* Uuid.v7
          yield* sql`insert into ${sql(table)} ${sql.insert({ ...owner, id, reason: "", ...columns })}`
          return id
        })
      const leader = yield* freshAddress

      const strategy = yield* rule("strategy_bots", { strategy: "ema", digest: "d", mode: "live", terms: "{}" })
      const follower = yield* rule("vault_followers", { leader, memory: "{}", terms: JSON.stringify({ leader }) })
      const guardian = yield* rule("vault_guardians", {
        ...{ kind: "loss_breaker", paper: false, memory: "{}" },
        terms: JSON.stringify({ _tag: "loss_breaker" })
      })
      const trade = { _tag: "Trade", from: "USDC", to: "WETH" }
      yield* traded(trade)
      const byStrategy = yield* traded(trade)
      const byFollower = yield* traded(trade)
      const byGuardian = yield* traded(trade)
      yield* traded({ ...trade, _tag: "OrderSlice", orderId: "an-order" })
      const trades = JSON.stringify([{ intentId: byStrategy }, { intentId: null }])
      yield* sql`insert into strategy_decisions (bot_id, number, bucket, decision, reason, trades, state)
        values (${strategy}, 0, 0, 'null', '', ${trades}::jsonb, 'done')`
      yield* sql`insert into vault_follower_trades (follower_id, step, intent_id, trade, usd18)
        values (${follower}, 0, ${byFollower}, '{}', 1)`
      yield* sql`insert into vault_guardian_actions (guardian_id, step, intent_id, action)
        values (${guardian}, 0, ${byGuardian}, '{}')`

      const ledger = yield* PerformanceLedger
      const found = yield* ledger.trades({ network: "base", pool, wallet: null })
      assert.sameMembers(found.map(sourceName), [
        ...["requests", `strategy bot ${strategy}`, `follower ${follower}`, `guardian ${guardian}`, "order an-order"]
      ])
    }))
})
