/** A service on the devnet, whose database tests back up while a trade is accepted, and restore later. */
import { assert } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Answer, type Fields, onChainOnly } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { receiver } from "@vault-trader/testing/harness/Receiver"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Schema from "effect/Schema"
import * as SqlClient from "effect/sql/SqlClient"
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"

export const network = "base" as const
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
export const scene = Effect.gen(function*() {
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
    ...{ apiKey, network, pool, from: "USDC", to: "WETH", amount: "5", valid_for: "30" },
    idempotency_key: key
  })
  const rpc = yield* Effect.orDie(devnet.rpc(network))
  const backup = Path.join(dataDir, "backup")
  const database = Path.join(dataDir, "postgres")
  return {
    ...{ address, apiKey, dataDir, messages, service, start, tradeOf },
    record: Path.join(dataDir, "signing-record"),
    mine: Effect.orDie(rpc.mine),
    /** Moves the price of WETH, so that the same trade is planned with another call. */
    movePrice: Effect.orDie(devnet.setPrice({ network, symbol: "WETH", usd: 3_005 })),
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
export type RestoreSetup = Effect.Success<typeof scene>

/** Kills the service while the trade is accepted, and nothing else of it is committed: the steps' table is locked. */
const killedAfterAcceptance = ({ dataDir }: RestoreSetup, { ask, kill }: Service, trade: Query) =>
  Effect.gen(function*() {
    let isAccepted = false
    // The database ends with its service, and with it this session.
    yield* Effect.exit(ServiceProcess.withDatabase(
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
          isAccepted = true
          yield* kill
          yield* Fiber.join(request)
        })))
    ))
    assert.isTrue(isAccepted)
  })

/** Trades; repeats the request with its key until its outcome is known and the wallet is not quarantined. */
export const traded = ({ ask }: Service, trade: Query) =>
  until(
    "the outcome of a trade",
    Effect.map(ask("/vaultTrade", { json: trade }), (answer) =>
      answer.fields["status"] === "pending" || answer.fields["status_code"] === "2041" ? undefined : succeeded(answer))
  )

const open = "select id::text, status, tx_hash from intents where status in ('accepted', 'submitted')"

/** Trades once, then kills the service while the trade `forgotten` is accepted, and copies the database. */
export const backedUp = (house: RestoreSetup) =>
  Effect.gen(function*() {
    const { backUp, rows, service, start, tradeOf } = house
    yield* traded(service, tradeOf("before"))
    yield* killedAfterAcceptance(house, service, tradeOf("forgotten"))
    yield* backUp
    const again = yield* start()
    // The copy has the intent and no step of it; here it is executed.
    const executed = yield* traded(again, tradeOf("forgotten"))
    assert.strictEqual((yield* rows(open)).length, 0)
    return { executed, again }
  })

/** Asserts that nothing was accepted, because the wallet is quarantined. */
export const unsigned = ({ fields, text }: Answer) => {
  assert.strictEqual(fields["status_code"], "2041", text)
  assert.match(String(fields["message"]), /signs nothing on base.*lane release/)
}

/** Waits for the wallet's quarantine; then a write is refused, and `lane show` and the webhook name the transaction. */
export const quarantined = ({ command, messages, rows, tradeOf }: RestoreSetup, { ask }: Service, hash: unknown) =>
  Effect.gen(function*() {
    yield* until(
      "the quarantine",
      Effect.map(
        rows("select 1 from lane_quarantines where released_at is null"),
        ({ length }) => length === 1 ? true : undefined
      )
    )
    unsigned(yield* ask("/vaultTrade", { json: tradeOf("while-quarantined") }))
    assert.include((yield* command("vault-trader", "lane", "show")).stdout, String(hash))
    // The balance's fall is alerted, too, once it is compared.
    const alerts = Effect.sync(() => messages.map(({ body }) => (JSON.parse(body) as { readonly data: Fields }).data))
    yield* until("the alert", Effect.map(alerts, (all) => all.find(({ kind }) => kind === "lane_quarantined")))
  })

/** Releases the wallet as its operator, and waits until a write is accepted and executed. */
export const released = ({ address, command, tradeOf }: RestoreSetup, service: Service) =>
  Effect.gen(function*() {
    const { stdout } = yield* command("vault-trader", "lane", "release", address, network, "compared with the chain")
    assert.include(stdout, `${address} signs again on ${network}`)
    return yield* traded(service, tradeOf("after"))
  })
