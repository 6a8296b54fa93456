/**
 * The restore of an older copy of the database: what the copy has forgotten is not executed and not paid again. The
 * chain runs outside the service and remembers everything. docs/restore.md describes the steps to operators.
 */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"
import { ended, refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, onChainOnly } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { receiver } from "@vault-trader/testing/harness/Receiver"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base" as const
const treasury = "0x7ea5000000000000000000000000000000000020"

type Service = ServiceProcess.ServiceProcess
type Query = Readonly<Record<string, string>>

/** Ends when no process of the data directory is left; the database ends shortly after its service was killed. */
const allEnded = (dataDir: string) =>
  until(
    "the database to end",
    Effect.map(ServiceProcess.processesOf(dataDir), ({ length }) => length === 0 ? true : undefined)
  )

/** A wallet that trades the devnet's vault, on a data directory whose database can be backed up and restored. */
const scene = Effect.gen(function*() {
  const devnet = yield* Devnet
  const dataDir = yield* ServiceProcess.dataDirectory
  const networks = Path.join(dataDir, "networks.json")
  Fs.writeFileSync(
    networks,
    yield* Schema.encodeEffect(NetworksFile)(onChainOnly(devnet.books) as Arr.NonEmptyReadonlyArray<NetworkBook>)
  )
  const settings = {
    ...{ DATA_DIR: dataDir, NETWORKS_FILE: networks, TREASURY: treasury, SETTLE_ABOVE_USD: "100" },
    ...{ GAS_CHECK_SECONDS: "1", WEBHOOKS_TO_LOOPBACK: "on" }
  }
  const start = (env: Query = {}) => ServiceProcess.start({ ...settings, ...env })
  const service = yield* start()
  const pool = devnet.file.networks[network]!.vaults[0]!.pool
  const made = succeeded(yield* service.ask("/createGasWallet"))
  const [apiKey, address] = [String(made["apiKey"]), String(made["address"]) as Address]
  yield* devnet.faucet({ network, address, amountWei: 10n ** 18n })
  yield* devnet.setTrader({ network, pool, trader: address })
  const { messages, url } = yield* receiver
  succeeded(yield* service.ask("/setWebhook", { json: { apiKey, url, events: ["wallet.alert"] } }))
  const tradeOf = (key: string): Query => ({
    ...{ apiKey, network, pool, from: "USDC", to: "WETH", amount: "5", valid_for: "10" },
    idempotency_key: key
  })
  const rpc = yield* Effect.orDie(devnet.rpc(network))
  const backup = Path.join(dataDir, "backup")
  const database = Path.join(dataDir, "postgres")
  return {
    ...{ address, apiKey, dataDir, messages, service, start, tradeOf },
    record: Path.join(dataDir, "signing-record"),
    mine: Effect.orDie(rpc.mine),
    paid: Effect.orDie(devnet.balance({ network, address: treasury })),
    count: OnChain.transactionCount(network, address),
    rows: (query: string) => ServiceProcess.rowsOf(dataDir, query),
    command: (...words: ReadonlyArray<string>) => ServiceProcess.toItsEnd(settings, ...words),
    /** Copies the database, whose service has ended. */
    backUp: Effect.andThen(
      allEnded(dataDir),
      Effect.sync(() => void execFileSync("cp", ["-a", database, backup]))
    ),
    /** Puts the copy in the place of the database, whose service has ended. */
    restore: Effect.andThen(
      allEnded(dataDir),
      Effect.sync(() => {
        Fs.rmSync(database, { recursive: true })
        execFileSync("cp", ["-a", backup, database])
      })
    )
  }
})
type Scene = Effect.Success<typeof scene>

/** Kills the service while the trade is accepted, and nothing else of it is committed. */
const killedAfterAcceptance = ({ dataDir }: Scene, { ask, kill }: Service, trade: Query) =>
  ServiceProcess.looking(
    dataDir,
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* sql`lock table submissions in exclusive mode`
        const request = yield* Effect.forkChild(Effect.exit(ask("/vaultTrade", { json: trade })))
        yield* until(
          "the acceptance",
          Effect.map(
            sql`select 1 from intents where idempotency_key = ${trade["idempotency_key"]!}`,
            ({ length }) => length > 0 ? true : undefined
          )
        )
        yield* kill
        yield* Fiber.join(request)
        yield* sql`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`
      })))
  )

const open = "select id::text, status, tx_hash from intents where status in ('accepted', 'submitted')"

/** Trades once, then kills the service while the trade `forgotten` is accepted, and copies the database. */
const backedUp = (house: Scene) =>
  Effect.gen(function*() {
    const { backUp, rows, service, start, tradeOf } = house
    succeeded(yield* service.ask("/vaultTrade", { json: tradeOf("before") }))
    yield* killedAfterAcceptance(house, service, tradeOf("forgotten"))
    yield* backUp
    const again = yield* start()
    // The copy has the intent and no step of it; here it is executed.
    const executed = succeeded(yield* again.ask("/vaultTrade", { json: tradeOf("forgotten") }))
    assert.strictEqual((yield* rows(open)).length, 0)
    return { executed, again }
  })

/** Waits for the wallet's quarantine; then a write is refused, and `lane show` and the webhook name the transaction. */
const quarantined = ({ apiKey, command, messages, rows, tradeOf }: Scene, { ask }: Service, hash: unknown) =>
  Effect.gen(function*() {
    yield* until(
      "the quarantine",
      Effect.map(
        rows("select 1 from lane_quarantines where released_at is null"),
        ({ length }) => length === 1 ? true : undefined
      )
    )
    refused(yield* ask("/vaultTrade", { json: tradeOf("while quarantined") }), "2041", /signs nothing on base/)
    assert.include((yield* command("vault-trader", "lane", "show")).stdout, String(hash))
    const alert = yield* until(
      "the alert",
      Effect.sync(() => messages.map(({ body }) => (JSON.parse(body) as { readonly data: Fields }).data).at(-1))
    )
    assert.strictEqual(alert["kind"], "lane_quarantined")
    assert.strictEqual(
      succeeded(yield* ask("/getIntents", { query: { apiKey } }))["status"],
      "success"
    )
  })

/** Releases the wallet as its operator, and waits until a write is accepted and executed. */
const released = ({ address, command, tradeOf }: Scene, { ask }: Service) =>
  Effect.gen(function*() {
    const { stdout } = yield* command("vault-trader", "lane", "release", address, network, "compared with the chain")
    assert.include(stdout, `${address} signs again on ${network}`)
    return yield* until(
      "a trade after the release",
      Effect.map(ask("/vaultTrade", { json: tradeOf("after") }), (answer) =>
        answer.fields["status_code"] === "2041" ? undefined : succeeded(answer))
    )
  })

const drill = <E>(name: string, test: Effect.Effect<void, E, Devnet | Scope.Scope>) =>
  [name, () => Effect.scoped(test)] as const

layer(Devnet.layer({ networks: [network] }), { timeout: 240_000, excludeTestServices: true })("a restored database", (it) => {
  it.effect(...drill("executes nothing and pays nothing again while the signing record is kept", Effect.gen(function*() {
    const house = yield* scene
    const { address, apiKey, command, count, mine, paid, restore, rows, start, tradeOf } = house
    const paidBefore = yield* paid
    const { again, executed } = yield* backedUp(house)
    assert.strictEqual(yield* count, 2)
    yield* again.stop
    yield* restore

    const service = yield* start({ SETTLE_ABOVE_USD: "0" })
    assert.strictEqual(
      (yield* rows("select 1 from intents where idempotency_key = 'forgotten' and tx_hash is not null")).length <= 1,
      true
    )
    const [row] = yield* rows("select id::text from intents where idempotency_key = 'forgotten'")
    const intent = yield* ended(service.ask, apiKey, row!["id"])
    assert.deepStrictEqual([intent["status"], intent["tx_hash"]], ["success", executed["tx_hash"]])
    const repeated = succeeded(yield* service.ask("/vaultTrade", { json: tradeOf("forgotten") }))
    assert.deepStrictEqual(
      [repeated["intent_id"], repeated["tx_hash"], repeated["sold"], repeated["bought"]],
      [executed["intent_id"], executed["tx_hash"], executed["sold"], executed["bought"]]
    )
    assert.strictEqual(yield* count, 2)

    // Each trade is charged and paid once.
    yield* until(
      "the payment",
      Effect.andThen(
        mine,
        Effect.map(
          rows("select 1 from charges c join settlements s on s.id = c.settlement_id where s.status = 'paid'"),
          ({ length }) => length === 2 ? true : undefined
        )
      )
    )
    const [sum] = yield* rows("select sum(native_wei)::text as wei, count(*)::int as many from charges")
    assert.strictEqual(sum!["many"], 2)
    assert.strictEqual((yield* paid) - paidBefore, BigInt(String(sum!["wei"])))
    assert.strictEqual(yield* count, 3)
    const check = yield* command("ledger", "check")
    assert.deepStrictEqual([check.code, check.stderr], [0, ""], check.stdout)
    assert.include(check.stdout, `${address} base: 2 charges`)
    assert.lengthOf(yield* rows("select 1 from lane_quarantines where released_at is null"), 0)
  })))

  it.effect(...drill("quarantines the wallet when the signing record is lost, until it is released", Effect.gen(function*() {
    const house = yield* scene
    const { apiKey, count, record, restore, rows, start } = house
    const { again, executed } = yield* backedUp(house)
    yield* again.stop
    yield* restore
    Fs.rmSync(record, { recursive: true })

    const service = yield* start()
    yield* quarantined(house, service, executed["tx_hash"])
    // The accepted trade may have been executed before: nothing is said about it.
    const [row] = yield* rows("select id::text, status from intents where idempotency_key = 'forgotten'")
    assert.include(["accepted", "submitted"], row!["status"])
    yield* until(
      "the end of its lifetime",
      Effect.map(
        rows(`select 1 from submissions where intent_id = '${String(row!["id"])}' and valid_until < now()`),
        ({ length }) => length === 1 ? true : undefined
      )
    )
    assert.strictEqual(yield* count, 2)

    const after = yield* released(house, service)
    assert.notStrictEqual(after["tx_hash"], executed["tx_hash"])
    const forgotten = yield* ended(service.ask, apiKey, row!["id"])
    assert.strictEqual(forgotten["status_code"], "2016", JSON.stringify(forgotten))
    assert.strictEqual(yield* count, 3)
  })))

  it.effect(...drill("quarantines a wallet whose request it does not know, until it is released", Effect.gen(function*() {
    const house = yield* scene
    const { backUp, count, restore, rows, service, start, tradeOf } = house
    succeeded(yield* service.ask("/vaultTrade", { json: tradeOf("before") }))
    yield* service.stop
    yield* backUp
    const again = yield* start()
    const executed = succeeded(yield* again.ask("/vaultTrade", { json: tradeOf("forgotten") }))
    yield* again.stop
    yield* restore

    const restored = yield* start()
    yield* quarantined(house, restored, executed["tx_hash"])
    // Its repeat is refused, too: the copy does not know its key.
    refused(yield* restored.ask("/vaultTrade", { json: tradeOf("forgotten") }), "2041", /signs nothing/)
    assert.lengthOf(yield* rows("select 1 from intents where idempotency_key = 'forgotten'"), 0)
    assert.strictEqual(yield* count, 2)

    yield* released(house, restored)
    assert.strictEqual(yield* count, 3)
  })))
})
