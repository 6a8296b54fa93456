import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { NonceBaselineStore } from "../../src/gas-wallet/NonceBaselineStore.ts"
import { VaultEventStore } from "../../src/gas-wallet/VaultEventStore.ts"
import { WatchStore } from "../../src/notification/WatchStore.ts"
import { WebhookStore } from "../../src/webhook/WebhookStore.ts"
import * as Uuid from "../../src/storage/Uuid.ts"
import { Database, freshAddress, wallet } from "./Database.ts"

const Stores = Layer.provideMerge(
  Layer.mergeAll(
    ...[GasWalletStore.layer, ApiKeyStore.layer, NonceBaselineStore.layer, VaultEventStore.layer] as const,
    ...[WatchStore.layer, WebhookStore.layer] as const
  ),
  Database
)

/** Tables with a vault and a wallet that act on nothing by themselves. */
const others = ["index_runs", "intents", "vault_links", "vault_rules", "waiting_settings", "webhook_tokens"]

const rules = ["index_bots", "strategy_bots", "threshold_bots", "vault_followers", "vault_guardians", "vault_orders"]

layer(Stores, { timeout: "4 minutes", excludeTestServices: true })("the rules of vaults", (it) => {
  it.effect("are all in the view: a new table with a vault and a wallet is added to it or named here", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const found = yield* sql<{ readonly name: string }>`select table_name as name from information_schema.columns
        where table_schema = 'public' and column_name in ('network', 'pool', 'wallet')
        group by table_name having count(*) = 3 order by 1`
      const names = found.map(({ name }) => name)
      assert.deepStrictEqual(names, [...rules, ...others].toSorted())
      const [view] = yield* sql<{ readonly text: string }>`select pg_get_viewdef('vault_rules'::regclass) as text`
      for (const rule of rules) assert.match(view?.text ?? "", new RegExp(`FROM ${rule}\\b`))
    }))

  it.effect("make their wallet watched, with reports of its network, when it has nothing but a follower", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const { address, keyId } = yield* wallet
      const pool = yield* freshAddress
      const leader = yield* freshAddress
      const watch = yield* WatchStore
      yield* (yield* WebhookStore).put({
        ...{ owner: { _tag: "wallet", wallet: address }, url: "https://hooks.example.com/", events: ["network.down"] },
        ...{ id: yield* Uuid.v7, ciphertext: "c" }
      })
      assert.notInclude(yield* watch.walletsOn("base", "network.down"), address)

      const id = yield* Uuid.v7
      yield* sql`insert into vault_followers (id, network, pool, leader, wallet, key_id, terms, memory, reason)
        values (${id}, 'base', ${pool}, ${leader}, ${address}, ${keyId}, ${
        JSON.stringify({ leader })
      }::jsonb, '{}', '')`
      assert.include(yield* watch.walletsOn("base", "network.down"), address)
      assert.notInclude(yield* watch.walletsOn("polygon", "network.down"), address)
      assert.include(yield* (yield* NonceBaselineStore).active("base"), address)
      const events = yield* VaultEventStore
      assert.include(yield* events.vaults("base"), pool)

      yield* sql`update vault_followers set ended_at = now() where id = ${id}`
      assert.notInclude(yield* events.vaults("base"), pool)
      assert.include(yield* (yield* NonceBaselineStore).active("base"), address)
    }))

  it.effect("are searched by each table's own index", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const plan = yield* sql.withTransaction(Effect.andThen(
        sql`set local enable_seqscan = off`,
        sql<Record<string, string>>`explain select w.address from gas_wallets w
          where exists (select 1 from vault_rules r where r.wallet = w.address and r.network = 'base')`
      ))
      assert.notInclude(plan.map((row) => Object.values(row).join()).join("\n"), "Seq Scan on vault_")
    }))
})
