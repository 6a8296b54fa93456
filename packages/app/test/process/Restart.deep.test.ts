import { assert, layer, vi } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { toRaw } from "@vault-trader/core/chain/Quantity"
import { readDecimal } from "@vault-trader/core/endpoint/Params"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as DevnetClient from "@vault-trader/devnet/devnet/DevnetClient"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"
import { ended, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, onChainOnly } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until, within } from "@vault-trader/testing/harness/Until"

// A machine with other load takes long to start a service, and the tests start one after the other.
vi.setConfig({ testTimeout: 600_000 })

const network = "base" as const

/** One data directory, the services that used it one after the other, and the secrets they were given. */
class RestartedService extends Context.Service<RestartedService, {
  readonly dataDir: string
  /** A service on the data directory, with full logging; killed with the scope. */
  readonly service: Effect.Effect<ServiceProcess.ServiceProcess, never, Scope.Scope>
  readonly devnet: Effect.Effect<DevnetClient.DevnetClient>
  /** Everything the services have written. */
  readonly log: () => string
  /** Keys that must not appear anywhere in clear text. */
  readonly privateKeys: Set<string>
  readonly apiKeys: Set<string>
}>()("vault-trader/app/test/process/RestartedService") {
  static readonly layer = Layer.effect(
    RestartedService,
    Effect.gen(function*() {
      const dataDir = yield* ServiceProcess.dataDirectory
      let log = ""
      return {
        dataDir,
        service: ServiceProcess.start({ DATA_DIR: dataDir, LOG_LEVEL: "debug" }, (text) => {
          log += text
        }),
        devnet: Effect.orDie(DevnetClient.fromFile(Path.join(dataDir, "devnet.json"))),
        log: () => log,
        privateKeys: new Set<string>(),
        apiKeys: new Set<string>()
      }
    })
  )
}

/** Runs one request on a new service, which is killed after the answer. `first` changes the chain before. */
const onceThenKill = (
  path: string,
  query: Readonly<Record<string, string>>,
  { first = Effect.void, method = "GET" }: {
    readonly first?: Effect.Effect<void, never, RestartedService>
    readonly method?: "GET" | "POST"
  } = {}
) =>
  Effect.scoped(Effect.gen(function*() {
    const { service } = yield* RestartedService
    const { ask, kill } = yield* service
    yield* first
    const answer = yield* ask(path, method === "GET" ? { query } : { json: query })
    yield* kill
    return succeeded(answer)
  }))

const newWallet = (fields: Fields) =>
  Effect.map(RestartedService, ({ apiKeys, privateKeys }) => {
    privateKeys.add(String(fields["private_key"]))
    apiKeys.add(String(fields["apiKey"]))
    return {
      apiKey: String(fields["apiKey"]),
      address: String(fields["address"]) as Address,
      privateKey: String(fields["private_key"])
    }
  })

/** Changes the chain from outside of the service. */
const devnet = <A, E>(use: (devnet: DevnetClient.DevnetClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(RestartedService, (house) => Effect.orDie(Effect.flatMap(house.devnet, use)))

const transactions = (address: Address) =>
  devnet(({ rpc }) => Effect.flatMap(rpc(network), ({ nonce }) => nonce(address)))

const amountOf = (composition: Fields, symbol: string): bigint => {
  const line = (composition["composition"] as ReadonlyArray<Fields>).find((each) => each["symbol"] === symbol)
  return toRaw(readDecimal(String(line?.["amount"]))!, 18)
}
const quantity = (value: unknown) => toRaw(readDecimal(String((value as Fields)["amount"]))!, 18)

layer(RestartedService.layer, { timeout: 240_000, excludeTestServices: true })("a service that is killed", (it) => {
  it.effect("has lost nothing when it is killed between every two requests of the quickstart", () =>
    Effect.gen(function*() {
      const { address, apiKey } = yield* newWallet(yield* onceThenKill("/createGasWallet", {}))
      const pool = yield* devnet(({ file }) => Effect.succeed(file.networks[network]!.vaults[0]!.pool))
      const about = { apiKey, network, pool }
      const faucet = Effect.asVoid(devnet((chains) => chains.faucet({ network, address, amountWei: 10n ** 18n })))
      const balance = yield* onceThenKill("/getGasBalance", { apiKey, network }, { first: faucet })
      assert.deepStrictEqual(balance, { status: "success", address, balance: "1", token: "ETH" })
      const appointed = Effect.asVoid(devnet((chains) => chains.setTrader({ network, pool, trader: address })))
      const trader = yield* onceThenKill("/isPoolTrader", { ...about, trader: address }, { first: appointed })
      assert.isTrue((trader["data"] as Fields)["isTrader"])
      const before = yield* onceThenKill("/poolComposition", about)
      const approval = yield* onceThenKill("/approve", { ...about, asset: "USDC", platform: "1inch" }, {
        method: "POST"
      })
      const plan = yield* onceThenKill("/vaultTrade", {
        ...about,
        from: "USDC",
        to: "WETH",
        amount: "1000",
        dryRun: "true"
      })
      const trade = yield* onceThenKill("/vaultTrade", { ...about, from: "USDC", to: "WETH", amount: "1000" })

      const { ask } = yield* (yield* RestartedService).service
      const after = succeeded(yield* ask("/poolComposition", { query: about }))
      assert.strictEqual(amountOf(before, "USDC") - amountOf(after, "USDC"), quantity(trade["sold"]))
      assert.strictEqual(amountOf(after, "WETH") - amountOf(before, "WETH"), quantity(trade["bought"]))
      assert.strictEqual(quantity(trade["sold"]), 1000n * 10n ** 18n)
      assert.strictEqual(quantity(trade["bought"]), quantity((plan["plan"] as Fields)["amountOut"]))
      const { intents } = succeeded(yield* ask("/getIntents", { query: { apiKey } }))
      assert.deepStrictEqual(
        (intents as ReadonlyArray<Fields>).map((
          { endpoint, intent_id, status, tx_hash }
        ) => [endpoint, intent_id, status, tx_hash]),
        [["vaultTrade", trade], ["approve", approval]].map((
          [endpoint, answer]
        ) => [endpoint, (answer as Fields)["intent_id"], "success", (answer as Fields)["tx_hash"]])
      )
      assert.strictEqual(yield* transactions(address), 2)
      const { dataDir } = yield* RestartedService
      assert.deepStrictEqual(
        yield* ServiceProcess.rowsOf(dataDir, "select usd::float8 as usd from charges order by usd"),
        [{ usd: 0.02 }, { usd: 0.1 }]
      )
    }).pipe(Effect.scoped))

  it.effect("finishes each trade during which it was killed or stopped, with one transaction each, at any point of the trade", () =>
    Effect.gen(function*() {
      // The chain runs outside of the service and stays, as real ones do.
      const devnet = yield* Devnet
      const dataDir = yield* ServiceProcess.dataDirectory
      const networks = Path.join(dataDir, "networks.json")
      Fs.writeFileSync(
        networks,
        yield* Schema.encodeEffect(NetworksFile)(onChainOnly(devnet.books) as Arr.NonEmptyReadonlyArray<NetworkBook>)
      )
      const service = ServiceProcess.start({ DATA_DIR: dataDir, NETWORKS_FILE: networks })
      const pool = devnet.file.networks[network]!.vaults[0]!.pool
      const found = (query: string) => ServiceProcess.rowsOf(dataDir, query)
      /** Requests a trade and ends the service as soon as the query finds something. */
      const endedInTheMiddle = (
        asked: ServiceProcess.ServiceProcess,
        query: Readonly<Record<string, string>>,
        moment: string,
        end: "kill" | "stop"
      ) =>
        Effect.gen(function*() {
          const request = yield* Effect.forkChild(Effect.exit(asked.ask("/vaultTrade", { query })))
          // Without a pause between two looks: the moment is short.
          yield* within(
            "the moment",
            ServiceProcess.withDatabase(
              dataDir,
              Effect.flatMap(SqlClient.SqlClient, (sql) =>
                Effect.repeat(sql.unsafe(moment), { while: (rows) => rows.length === 0 }))
            )
          )
          yield* asked[end]
          return yield* Fiber.join(request)
        })

      const first = yield* service
      const { fields: made } = yield* first.ask("/createGasWallet")
      const [apiKey, address] = [String(made["apiKey"]), String(made["address"]) as Address]
      yield* devnet.faucet({ network, address, amountWei: 10n ** 18n })
      yield* devnet.setTrader({ network, pool, trader: address })
      const before = yield* OnChain.balanceOf(network, "USDC", pool)
      const accepted = (key: string) => `select 1 from intents where idempotency_key = '${key}'`
      const planned = (key: string) =>
        `select 1 from submissions s join intents i on i.id = s.intent_id where i.idempotency_key = '${key}'`
      const signed = (key: string) => `${planned(key)} and s.nonce is not null`
      const rounds = [[accepted, "kill"], [planned, "kill"], [signed, "kill"], [accepted, "stop"]] as const
      let running = first
      for (const [index, [moment, end]] of rounds.entries()) {
        const key = `round-${index}`
        const query = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "5", idempotency_key: key }
        const answer = yield* endedInTheMiddle(running, query, moment(key), end)
        running = yield* service
        const { ask } = running
        const [row] = yield* found(`select id::text from intents where idempotency_key = '${key}'`)
        // A killed service answers nothing; a stopped one answers its callers with what it knows.
        if (end === "stop") {
          assert.strictEqual(Exit.isSuccess(answer) ? answer.value.fields["intent_id"] : undefined, row!["id"])
        }
        const intent = yield* ended(ask, apiKey, row!["id"])
        assert.strictEqual(intent["status"], "success", JSON.stringify(intent))
        assert.strictEqual(succeeded(yield* ask("/vaultTrade", { query }))["intent_id"], row!["id"])
        assert.strictEqual(yield* OnChain.transactionCount(network, address), index + 1)
        assert.strictEqual(before - (yield* OnChain.balanceOf(network, "USDC", pool)), BigInt(index + 1) * 5_000_000n)
      }
      const each = yield* found(
        `select count(distinct s.nonce)::int as nonces, count(distinct c.intent_id)::int as charges
        from intents i join submissions s on s.intent_id = i.id left join charges c on c.intent_id = i.id group by i.id`
      )
      assert.deepStrictEqual(each, rounds.map(() => ({ nonces: 1, charges: 1 })))
    }).pipe(Effect.scoped, Effect.provide(Devnet.layer({ networks: [network] }))))

  it.effect("ends with 0 when it is asked to, and leaves no process behind", () =>
    Effect.gen(function*() {
      const { dataDir, service } = yield* RestartedService
      const { ask, stop } = yield* service
      yield* until(
        "the service to be ready",
        Effect.map(ask("/health/ready"), ({ status }) => status === 200 ? true : undefined)
      )
      assert.isAtLeast((yield* ServiceProcess.processesOf(dataDir)).length, 6)
      assert.strictEqual((yield* stop).code, 0)
      assert.deepStrictEqual(yield* ServiceProcess.processesOf(dataDir), [])
    }).pipe(Effect.scoped))

  it.effect("has written no private key and no API key anywhere: not to a table, a file of the data directory, or its log", () =>
    Effect.gen(function*() {
      const { apiKeys, dataDir, log, privateKeys, service } = yield* RestartedService
      yield* Effect.scoped(Effect.gen(function*() {
        const { ask, stop } = yield* service
        // Every way in which keys arrive: each once, wrong keys too.
        const { apiKey, privateKey } = yield* newWallet(succeeded(yield* ask("/createGasWallet")))
        for (const request of [{ json: { privateKey } }, { form: { privateKey: `0x${privateKey.toUpperCase()}` } }]) {
          apiKeys.add(String(succeeded(yield* ask("/getNewApiKey", request))["apiKey"]))
        }
        yield* ask("/getNewApiKey", { method: "POST", query: { privateKey } })
        yield* ask("/getNewApiKey", { json: { privateKey: `${privateKey}00` } })
        yield* ask("/nothing", { query: { apiKey, privateKey } })
        yield* ask("/getGasBalance", { query: { network }, headers: { authorization: `Bearer ${apiKey}` } })
        yield* ask("/vaultTrade", {
          query: { apiKey, pool: privateKey, from: apiKey, to: privateKey },
          json: { apiKey: privateKey }
        })
        const inTables = yield* ServiceProcess.withDatabase(dataDir, everyRow)
        assert.include(inTables, "intents")
        nowhereIn("a table", Buffer.from(inTables), [...privateKeys], [...apiKeys])
        yield* stop
      }))
      assert.isAtLeast(apiKeys.size, 3)
      assert.include(log(), "answered")
      nowhereIn("the log", Buffer.from(log()), [...privateKeys], [...apiKeys])
      const files = Fs.readdirSync(dataDir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
        .map((entry) => Path.join(entry.parentPath, entry.name))
      assert.isTrue(files.some((file) => file.includes("pg_wal")))
      const vaults = ["kek", "pepper"].map((name) => Fs.readFileSync(Path.join(dataDir, name), "utf8").trim())
      for (const file of files) {
        const own = file === Path.join(dataDir, "kek") || file === Path.join(dataDir, "pepper")
        nowhereIn(file, Fs.readFileSync(file), own ? [...privateKeys] : [...privateKeys, ...vaults], [...apiKeys])
      }
    }))
})

/** Returns every row of every table, as text. */
const everyRow = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const tables = yield* sql<
    { readonly schema: string; readonly name: string }
  >`select table_schema as schema, table_name as name
    from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`
  const texts = yield* Effect.forEach(
    tables,
    ({ name, schema }) =>
      Effect.map(
        sql<{ readonly row: string }>`select row_to_json(t)::text as row from ${sql(schema)}.${sql(name)} t`,
        (rows) => [name, ...rows.map(({ row }) => row)].join("\n")
      )
  )
  return texts.join("\n")
})

/** Fails if a secret is found: as text in any case, as its bytes, as their base64, or as text in a column of bytes. */
const nowhereIn = (where: string, content: Buffer, hexKeys: ReadonlyArray<string>, textKeys: ReadonlyArray<string>) => {
  const folded = content.toString("latin1").toLowerCase()
  for (const key of [...hexKeys, ...textKeys]) {
    assert.isFalse(folded.includes(key.toLowerCase()), `${where} holds a key in clear`)
    assert.isFalse(folded.includes(Buffer.from(key).toString("hex")), `${where} holds a key's characters`)
  }
  for (const key of hexKeys) {
    const bytes = Buffer.from(key, "hex")
    assert.isFalse(content.includes(bytes), `${where} holds a key's bytes`)
    assert.isFalse(content.includes(bytes.toString("base64").replace(/=+$/, "")), `${where} holds a key's base64`)
  }
}
