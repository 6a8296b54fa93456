/** Callers of the service: wallets with API keys, and what their ledgers hold before a bench begins. */
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { createHmac, randomBytes, randomUUID } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { say } from "../Bench.ts"
import { shown } from "../Row.ts"
import * as FinishedTrades from "../engine/FinishedTrades.ts"
import { ask, network, ServiceUnderTest } from "../engine/ServiceUnderTest.ts"

export interface Caller {
  readonly apiKey: string
  readonly wallet: Address
}

/** Creates a wallet through the service. */
export const create = (baseUrl: string): Effect.Effect<Caller> =>
  Effect.map(ask(baseUrl, "/createGasWallet", {}), ({ address, apiKey }) => ({
    apiKey: String(apiKey),
    wallet: String(address) as Address
  }))

/** Rows of a list's page and its next page. */
const leastFinished = 60

/**
 * Creates the tables and a caller with finished trades, by a first process of the service that ends before the measured
 * one starts: the trades are then in its ledger and on its chain, and no process executes them.
 */
export const withFinishedTrades = (count: number) =>
  Effect.gen(function*() {
    const { start } = yield* ServiceUnderTest
    const caller = yield* Effect.scoped(Effect.gen(function*() {
      const { baseUrl, ended, signal } = yield* start("start")
      const created = yield* create(baseUrl)
      // As an operator ends it: the next process need not wait until its locks expire.
      yield* signal("SIGTERM")
      yield* ended
      return created
    }))
    const sql = yield* SqlClient.SqlClient
    const [key] = yield* sql<{ readonly id: string }>`select id from api_keys where wallet = ${caller.wallet}`
    const trades = Math.max(leastFinished, count)
    const rpc = yield* (yield* Devnet).rpc(network)
    yield* rpc.request("anvil_setNonce", [caller.wallet, `0x${trades.toString(16)}`], Schema.Unknown)
    const began = performance.now()
    yield* FinishedTrades.insert({ wallet: caller.wallet, keyId: key?.id ?? "", network }, trades)
    yield* say(`  ${shown(trades)} finished trades written in ${shown((performance.now() - began) / 1000)} s`)
    return caller
  }).pipe(Effect.orDie)

/**
 * Inserts this many wallets with keys and returns the keys. Nothing is signed for them: their private keys are copies of
 * another wallet's ciphertext, which does not open for them.
 */
export const insertMany = (
  count: number
): Effect.Effect<ReadonlyArray<string>, never, SqlClient.SqlClient | ServiceUnderTest> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const { env } = yield* ServiceUnderTest
    const pepper = Fs.readFileSync(Path.join(env.DATA_DIR, "pepper"), "utf8").trim()
    const made = Array.from({ length: count }, () => ({
      apiKey: randomUUID(),
      address: `0x${randomBytes(20).toString("hex")}`
    }))
    const rows = JSON.stringify(made.map(({ address, apiKey }) => ({
      id: randomUUID(),
      address,
      digest: createHmac("sha256", pepper).update(apiKey).digest("hex"),
      last_four: apiKey.slice(-4)
    })))
    yield* sql`insert into gas_wallets (address, ciphertext)
      select r.address, (select ciphertext from gas_wallets limit 1)
      from jsonb_to_recordset(${rows}::jsonb) as r (address text)`
    yield* sql`insert into api_keys (id, wallet, digest, last_four)
      select r.id, r.address, r.digest, r.last_four
      from jsonb_to_recordset(${rows}::jsonb) as r (id uuid, address text, digest text, last_four text)`
    yield* sql`analyze gas_wallets, api_keys`
    return made.map(({ apiKey }) => apiKey)
  }).pipe(Effect.orDie)
