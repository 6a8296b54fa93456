/** The notification of an API key's end, by a real server. */
import { assert, layer } from "@effect/vitest"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"
import { migrate } from "../../src/storage/Migrations.ts"
import { Notifications } from "../../src/storage/Notifications.ts"
import { freshDigest, Server, wallet } from "./Database.ts"

const clients = Layer.unwrap(
  Effect.map(EmbeddedPostgres, (postgres) =>
    Layer.merge(
      PostgresClient.layer(postgres.clientConfig()),
      PostgresClient.notifications(postgres.clientConfig())
    ))
)
const Live = Layer.mergeAll(ApiKeyStore.layer, GasWalletStore.layer, Layer.effectDiscard(migrate)).pipe(
  Layer.provideMerge(clients),
  Layer.provide(Server),
  Layer.orDie
)

layer(Live, { timeout: "4 minutes", excludeTestServices: true })("notifications", (it) => {
  it.effect("name the wallet whose key a committed transaction has ended, and nothing else", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const keys = yield* ApiKeyStore
      const take = yield* (yield* Notifications).listen("vault_trader_keys")
      const rotated = yield* wallet
      const failed = yield* wallet
      yield* sql`update api_keys set used_at = now() where id = ${rotated.keyId}`
      yield* Effect.flip(sql.withTransaction(Effect.andThen(
        sql`update api_keys set revoked_at = now() where id = ${failed.keyId}`,
        sql`select 1 / 0`
      )))
      yield* keys.issue({ wallet: rotated.address, digest: yield* freshDigest, lastFour: "abcd" })
      assert.strictEqual(yield* take, `ended/${rotated.address}`)
      yield* sql`delete from api_keys where id = ${failed.keyId}`
      assert.strictEqual(yield* take, `ended/${failed.address}`)
    }))
})
