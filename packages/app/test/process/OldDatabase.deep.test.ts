/**
 * A new service on the data of a service of the last Effect 3 release that was killed during trades:
 * fixture/effect-3/README.md.
 */
import { assert, it } from "@effect/vitest"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import * as AnvilRpc from "@vault-trader/devnet/anvil/AnvilRpc"
import { Quantity } from "@vault-trader/devnet/anvil/RpcSchema"
import * as Bundle from "@vault-trader/devnet/contract/Bundle"
import * as DevnetClient from "@vault-trader/devnet/devnet/DevnetClient"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { gunzipSync } from "node:zlib"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { ended, opened } from "@vault-trader/testing/harness/ConsoleCalls"
import { type Fields, Running } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { personOf } from "@vault-trader/testing/harness/Signing"
import { until } from "@vault-trader/testing/harness/Until"

const fixture = Path.join(import.meta.dirname, "fixture/effect-3")
const read = (name: string) => Fs.readFileSync(Path.join(fixture, name))
const json = <A>(name: string) => JSON.parse(read(name).toString("utf8")) as A

const { botter, manager, trader, vaults } = json<{
  readonly trader: Address
  readonly botter: Address
  readonly manager: Address
  readonly vaults: readonly [Address, Address]
}>("facts.json")
const network = "base"

const derived = (name: string) => createHash("sha256").update(`vault-trader fixture of Effect 3: ${name}`).digest("hex")
const apiKeyOf = (wallet: Address) =>
  derived(wallet).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-8$4-$5")
const sessionToken = derived("session")

/** The networks of the old devnet. Their contracts stay, as those of a real chain do, whatever is deployed today. */
const networksOf = (
  { networks }: { readonly networks: Readonly<Record<string, object>> },
  fingerprint: string
) => Object.fromEntries(Object.entries(networks).map(([name, entry]) => [name, { ...entry, fingerprint }]))

/** The files of the data directory, as the old service had them. */
const unpack = (dataDir: string, fingerprint: string) => {
  const privateKey: Hash = `0x${derived("manager")}`
  assert.strictEqual(personOf(privateKey).address, manager)
  for (const name of ["kek", "pepper"]) {
    Fs.writeFileSync(Path.join(dataDir, name), `${derived(name)}\n`, { mode: 0o600 })
  }
  Fs.writeFileSync(
    Path.join(dataDir, "devnet.json"),
    JSON.stringify({
      ...json<object>("devnet.json"),
      networks: networksOf(json("devnet.json"), fingerprint),
      manager: { address: manager, privateKey }
    }),
    { mode: 0o600 }
  )
  Fs.writeFileSync(Path.join(dataDir, "base.state.json"), gunzipSync(read("base.state.json.gz")))
}

/**
 * Writes the rows, with keys and a session that this test knows. Returns the number of runs of the index bot among
 * them.
 */
const load = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements = gunzipSync(read("database.jsonl.gz")).toString("utf8").split("\n").map((line) =>
    JSON.parse(line) as string
  )
  for (const statement of statements) yield* sql.unsafe(statement)
  const { digest } = yield* ApiKeyDigest
  for (const wallet of [trader, botter]) {
    const known = yield* digest(Redacted.make(apiKeyOf(wallet)))
    yield* sql`update api_keys set digest = ${known} where wallet = ${wallet} and revoked_at is null`
  }
  const token = createHash("sha256").update(sessionToken).digest("hex")
  yield* sql`update sessions set digest = ${token}, expires_at = now() + interval '1 hour'`
  // As if the market had moved and the next run were due.
  yield* sql`update threshold_bots set threshold = 1`
  yield* sql`update index_bots set next_run_at = now()`
  const [runs] = yield* sql<{ readonly many: number }>`select count(*)::int as many from index_runs`
  return runs?.many ?? 0
})

const restored = Effect.gen(function*() {
  const dataDir = yield* ServiceProcess.dataDirectory
  unpack(dataDir, Bundle.fingerprint(yield* Bundle.load))
  const Client = Layer.unwrap(
    Effect.map(EmbeddedPostgres, (postgres) => PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 1 }))
  )
  const runs = yield* load.pipe(
    Effect.provide(
      Layer.merge(
        Layer.provide(Client, EmbeddedPostgres.layer({ dataDir })),
        ApiKeyDigest.layer(Redacted.make(derived("pepper")))
      )
    )
  )
  return { dataDir, runs }
})

it.live(
  "a service continues where one on Effect 3 was killed: intents, bots, charges and sessions",
  () =>
    Effect.gen(function*() {
      const { dataDir, runs } = yield* restored
      const service = yield* ServiceProcess.start({ DATA_DIR: dataDir, BOT_CHECK_SECONDS: "1" })
      const rows = (query: string) => ServiceProcess.rowsOf(dataDir, query)
      const { ask, baseUrl } = service
      const about = { apiKey: apiKeyOf(trader), network, pool: vaults[0] }

      // Everything that was accepted ends, and nothing is done twice: each nonce of the wallet belongs to one
      // submission.
      yield* until(
        "the old intents to end",
        Effect.map(
          rows(
            "select idempotency_key from intents where idempotency_key like 'fixture-%' and status in ('accepted', 'submitted')"
          ),
          ({ length }) => length === 0 ? true : undefined
        )
      )
      const outcomes = yield* rows(
        "select idempotency_key as key, status, outcome from intents where idempotency_key like 'fixture-%' order by idempotency_key"
      )
      assert.deepStrictEqual(
        outcomes.map(({ key, status }) => [key, status]),
        ["fixture-done", "fixture-open-1", "fixture-open-2", "fixture-open-3", "fixture-open-bots"].map((
          key
        ) => [key, "succeeded"]),
        JSON.stringify(outcomes)
      )
      const [nonces] = yield* rows(
        `select count(*)::int as many, count(distinct nonce)::int as distinct, max(nonce)::int as highest from submissions
      where wallet = '${trader}' and status in ('mined', 'final')`
      )
      assert.strictEqual(nonces?.["many"], nonces?.["distinct"])
      assert.strictEqual(Number(nonces?.["highest"]) + 1, nonces?.["many"])
      const { file } = yield* Effect.orDie(DevnetClient.fromFile(Path.join(dataDir, "devnet.json")))
      const mined = yield* AnvilRpc.make(file.networks[network]!.rpcUrl).request("eth_getTransactionCount", [
        trader,
        "latest"
      ], Quantity)
      assert.strictEqual(Number(mined), nonces?.["many"])

      // A repeat under its key gets the outcome of the first.
      const repeat = {
        json: { ...about, from: "USDC", to: "WETH", share: 1, slippage: 5 },
        headers: { "idempotency-key": "fixture-open-1" }
      }
      const [first] = yield* rows("select id from intents where idempotency_key = 'fixture-open-1'")
      assert.strictEqual((yield* ask("/vaultTrade", repeat)).fields["intent_id"], first?.["id"])

      // Charges: earlier ones are still owed, and the ones of the actions executed now are added.
      const charges = succeeded(yield* ask("/getCharges", { query: { apiKey: about.apiKey, network } }))
      const [booked] = yield* rows(`select count(*)::int as many from charges where wallet = '${trader}'`)
      assert.strictEqual((charges["charges"] as ReadonlyArray<unknown>).length, booked?.["many"])
      const [unpaid] = yield* rows(
        `select count(*)::int as many from intents i where status = 'succeeded' and tx_hash is not null
      and not exists (select 1 from charges c where c.intent_id = i.id)`
      )
      assert.strictEqual(unpaid?.["many"], 0)

      // Both bots act: the threshold bot trades to its side, and the index bot makes the run that is due.
      const turns = yield* rows(
        "select i.status from threshold_bots b join intents i on i.id = b.last_intent where b.turn > 1 and b.open_intent is null"
      ).pipe(
        Effect.map(([turn]) => turn),
        (look) => until("the threshold bot's turn", look)
      )
      assert.strictEqual(turns["status"], "succeeded")
      yield* until(
        "the index bot's run",
        Effect.map(
          rows("select 1 from index_runs where state = 'done'"),
          ({ length }) => length > runs ? true : undefined
        )
      )

      // The session is still valid.
      const call = yield* Effect.provideService(
        opened({ cookie: `vault_trader_session=${sessionToken}`, said: "" }),
        Running,
        { baseUrl, dataDir, ask }
      )
      assert.strictEqual((ended(yield* call("whoAmI", null)) as Fields)["manager"], manager)
    }),
  240_000
)
