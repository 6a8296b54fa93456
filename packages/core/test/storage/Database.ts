/** A migrated PostgreSQL for one test file, and wallets to write rows for. */
import * as TestDatabase from "@vault-trader/testing/harness/TestDatabase"
import * as SqlClient from "effect/sql/SqlClient"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Address } from "../../src/chain/Address.ts"
import { ApiKeyStore } from "../../src/gas-wallet/ApiKeyStore.ts"
import { GasWalletStore } from "../../src/gas-wallet/GasWalletStore.ts"

const dataDirectory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "vault-trader-test-"))),
  (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
)

/** A server without a client, for tests that need several databases or clients. */
export const Server = Layer.unwrap(Effect.map(dataDirectory, (dataDir) => EmbeddedPostgres.layer({ dataDir }))).pipe(
  Layer.orDie
)

/** A migrated database. Its tests need `excludeTestServices`: the server is waited for in real time. */
export const Database = TestDatabase.layer({ maxConnections: 24 })

const hexOf = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, "0")).join("")

export const freshAddress = Effect.sync((): Address => `0x${hexOf(20)}`)
export const freshDigest = Effect.sync(() => hexOf(32))

/** Creates a wallet with an active key, unknown to all other tests. */
export const wallet = Effect.gen(function*() {
  const wallets = yield* GasWalletStore
  const keys = yield* ApiKeyStore
  const address = yield* freshAddress
  const digest = yield* freshDigest
  yield* wallets.put({ address, ciphertext: "ciphertext" })
  const { keyId } = yield* keys.issue({ wallet: address, digest, lastFour: "abcd" })
  return { address, digest, keyId }
})

/** Returns the first row of a query, bypassing the stores. */
export const row = (query: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => Effect.map(sql.unsafe<Readonly<Record<string, unknown>>>(query), (rows) => rows[0])
  )

/** Waits until a session of this file's own database waits for a lock. */
export const untilBlocked = Effect.repeat(
  row(`select count(*)::int as many from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`),
  { until: (found) => found?.["many"] !== 0 }
)
