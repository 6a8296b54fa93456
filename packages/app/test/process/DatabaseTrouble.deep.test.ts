import { assert, layer } from "@effect/vitest"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"
import * as Answers from "@vault-trader/testing/harness/Answers"
import * as DatabaseFaults from "@vault-trader/testing/harness/DatabaseFaults"
import { type Answer, type Fields, onChainOnly, Running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as PgFront from "@vault-trader/testing/harness/PgFront"
import { RpcProxy } from "@vault-trader/testing/harness/RpcProxy"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"

/** Milliseconds a test may take on a machine with other load. */
const slow = 240_000
const network = "base"

/** A PostgreSQL that can be stopped and started, and the service on it as a separate process. */
class Trouble extends Context.Service<Trouble, {
  readonly front: PgFront.PgFront
  readonly stop: Effect.Effect<void>
  readonly start: Effect.Effect<void>
  /** Freezes every process of the database, without notice to its clients, until the scope closes. */
  readonly frozen: Effect.Effect<void, never, Scope.Scope>
  /** Returns the rows of a query, bypassing the front. */
  readonly rows: (query: string) => Effect.Effect<ReadonlyArray<Fields>>
}>()("vault-trader/scripts/test/Trouble") {}

const networksFile = (dataDir: string) =>
  Effect.gen(function*() {
    const { books } = yield* Devnet
    const { inFront } = yield* RpcProxy
    const file = Path.join(dataDir, "networks.json")
    Fs.writeFileSync(
      file,
      yield* Effect.orDie(
        Schema.encodeEffect(NetworksFile)(inFront(onChainOnly(books)) as Arr.NonEmptyReadonlyArray<NetworkBook>)
      )
    )
    return file
  })

/** Each of these runs gets its own service, on the one database. */
const Serving = Layer.effectContext(Effect.gen(function*() {
  const dataDir = yield* ServiceProcess.dataDirectory
  const life = yield* Scope.make()
  let server: Scope.Closeable = life
  const stop = Effect.suspend(() => Scope.close(server, Exit.void))
  const start = Effect.gen(function*() {
    server = yield* Scope.make()
    return Context.get(
      yield* Effect.orDie(Layer.buildWithScope(Layer.fresh(EmbeddedPostgres.layer({ dataDir })), server)),
      EmbeddedPostgres
    )
  })
  yield* Effect.addFinalizer(() => stop)
  const postgres = yield* start
  const front = yield* PgFront.listen(`${postgres.socketDir}/.s.PGSQL.5432`, postgres.username, postgres.database)
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: front.url,
    NETWORKS_FILE: yield* networksFile(dataDir),
    WAIT_SECONDS: "20",
    RPC_TIMEOUT_MS: "1000"
  }
  const { ask, baseUrl } = yield* ServiceProcess.start(env)
  const frozen = DatabaseFaults.frozen(dataDir)
  const rows = (query: string) =>
    Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe<Fields>(query)).pipe(
      Effect.provide(PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 1 })),
      Effect.orDie
    )
  return Context.make(Trouble, { front, stop, start: Effect.asVoid(start), frozen, rows }).pipe(
    Context.add(Running, { baseUrl, dataDir, ask })
  )
})).pipe(Layer.provideMerge(RpcProxy.layer), Layer.provideMerge(Devnet.layer({ networks: [network] })), Layer.orDie)

const isReady = Effect.flatMap(
  Running,
  ({ ask }) => Effect.map(ask("/health/ready"), ({ status }) => status === 200 ? true as const : undefined)
)
const isNotReady = Effect.flatMap(
  Running,
  ({ ask }) => Effect.map(ask("/health/ready"), ({ status }) => status === 503 ? true as const : undefined)
)

/** Asserts a flat JSON 503 with this status. */
const away = ({ body, status, text }: Answer, saying: RegExp, as = "fail"): Fields => {
  assert.deepStrictEqual([status, body["status"]], [503, as], text)
  assert.match(String(body["message"]), saying)
  return body
}

const ended = (apiKey: string, id: unknown) => Effect.flatMap(Running, ({ ask }) => Answers.ended(ask, apiKey, id))

layer(Serving, { timeout: slow, excludeTestServices: true })(
  "a database that goes away under the running service",
  (it) => {
    it.effect(
      "is answered with 503 with nothing accepted, and everything resumes by itself when it is back, also requests in progress",
      () =>
        Effect.gen(function*() {
          const { ask } = yield* Running
          const { rows, start, stop } = yield* Trouble
          const proxy = yield* RpcProxy
          const { address, apiKey, pool } = yield* trader()
          const about = { apiKey, network, pool }
          const trade = (amount: string) =>
            ask("/vaultTrade", {
              query: { ...about, from: "USDC", to: "DAI", amount, idempotency_key: `stopped-${amount}` }
            })
          Answers.succeeded(yield* trade("1"))

          // One is signed and cannot reach its node when the database stops.
          let signed = false
          yield* proxy.decide((methods) => {
            signed ||= methods.includes("eth_sendRawTransaction")
            return methods.includes("eth_sendRawTransaction") ? "lose" : "forward"
          })
          const pendingTrade = yield* Effect.forkChild(trade("2"))
          yield* until("a transaction in flight", Effect.sync(() => signed ? true : undefined))
          yield* stop
          const answers = yield* Effect.all([
            ask("/createGasWallet"),
            trade("3"),
            ask("/approve", { json: { ...about, asset: "DAI" } }),
            ask("/getIntents", { query: { apiKey } }),
            ask("/poolComposition", { query: about }),
            ask("/getGasBalance", { query: { apiKey, network } })
          ], { concurrency: "unbounded" })
          for (const answer of answers.slice(2)) away(answer, /nothing was accepted/)
          // Only a write with an idempotency key may have been accepted before.
          away(answers[1], /not known whether a request with this idempotency key was accepted/, "unknown")
          away(answers[0], /it is not certain/)
          yield* until("the service to say that it is not ready", isNotReady)
          assert.strictEqual((yield* ask("/health/live")).status, 200)
          assert.strictEqual((yield* ask("/llmIntrospect")).status, 200)
          assert.strictEqual((yield* ask("/openapi.json")).status, 200)
          yield* proxy.decide(() => "forward")
          yield* start
          yield* until("the service to be ready again", isReady)

          // A request that waited for its outcome was accepted: no answer may have said that nothing happened.
          const answer = yield* Fiber.join(pendingTrade)
          assert.include(["pending", "success"], String(answer.fields["status"]), answer.text)
          assert.strictEqual((yield* ended(apiKey, answer.fields["intent_id"]))["status"], "success")
          assert.deepStrictEqual(yield* rows(`select count(*)::int as many from intents where wallet = '${address}'`), [
            { many: 2 }
          ])
          Answers.succeeded(yield* trade("3"))
          assert.strictEqual(yield* OnChain.transactionCount(network, address), 3)
        }),
      slow
    )

    it.effect(
      "leaves the result unknown for a write with an idempotency key, also of an executed one, and the key's " +
        "answer is there when it is back",
      () =>
        Effect.gen(function*() {
          const { ask } = yield* Running
          const { frozen, rows, start, stop } = yield* Trouble
          const { address, apiKey, pool } = yield* trader()
          const trade = (key: string) =>
            ask("/vaultTrade", {
              query: { apiKey, network, pool, from: "USDC", to: "DAI", amount: "1", idempotency_key: key }
            })
          const first = Answers.succeeded(yield* trade("executed"))
          const unknown = Effect.gen(function*() {
            for (const key of ["executed", "new"]) {
              const { message } = away(
                yield* trade(key),
                /not known.*epeat it with the same idempotency key/,
                "unknown"
              )
              assert.notMatch(String(message), /nothing/)
            }
          })
          const isBack = Effect.gen(function*() {
            const again = yield* until(
              "an answer",
              Effect.map(trade("executed"), (answer) => answer.status === 503 ? undefined : answer)
            )
            assert.deepStrictEqual(again.fields, first)
          })
          yield* stop
          yield* unknown
          yield* start
          yield* until("the service to be ready again", isReady)
          yield* isBack
          yield* Effect.scoped(Effect.andThen(frozen, unknown))
          yield* isBack
          // The frozen database may have accepted the requests when it resumed: each once, under its key.
          const second = yield* until(
            "an answer",
            Effect.map(trade("new"), (answer) => answer.status === 503 ? undefined : answer)
          )
          assert.strictEqual((yield* ended(apiKey, second.fields["intent_id"]))["status"], "success")
          assert.deepStrictEqual(yield* rows(`select count(*)::int as many from intents where wallet = '${address}'`), [
            { many: 2 }
          ])
          assert.strictEqual(yield* OnChain.transactionCount(network, address), 2)
        }),
      slow
    )

    it.effect(
      "is hardly noticed when it comes back at once and only the answer to the commit of an intent is lost",
      () =>
        Effect.gen(function*() {
          const { ask } = yield* Running
          const { front, rows } = yield* Trouble
          const { address, apiKey, pool } = yield* trader()
          for (const what of ["answer", "question"] as const) {
            const lost = yield* front.lose(what, "insert into intents")
            const answer = Answers.succeeded(
              yield* ask("/vaultTrade", { query: { apiKey, network, pool, from: "USDC", to: "DAI", amount: "1" } })
            )
            yield* lost
            assert.deepStrictEqual(
              yield* rows(`select id::text from intents where wallet = '${address}' order by id desc limit 1`),
              [{ id: answer["intent_id"] }]
            )
          }
          assert.deepStrictEqual(yield* rows(`select count(*)::int as many from intents where wallet = '${address}'`), [
            { many: 2 }
          ])
          assert.strictEqual(yield* OnChain.transactionCount(network, address), 2)
        }),
      slow
    )

    for (const what of ["answer", "question"] as const) {
      it.effect(
        `says that it does not know when the ${what} of the commit is lost and the database stays away, and reports the outcome later`,
        () =>
          Effect.gen(function*() {
            const { ask } = yield* Running
            const { front, rows } = yield* Trouble
            const { address, apiKey, pool } = yield* trader()
            const query = {
              apiKey,
              network,
              pool,
              from: "USDC",
              to: "DAI",
              amount: "1",
              idempotency_key: `unknown-${what}`
            }
            const lost = yield* front.lose(what, "insert into intents", { andStays: true })
            const unknown = away(yield* ask("/vaultTrade", { query }), /not known whether it was accepted/, "unknown")
            yield* lost
            assert.match(String(unknown["intent_id"]), /^[0-9a-f-]{36}$/)
            yield* front.back
            yield* until("the service to be ready again", isReady)
            if (what === "answer") {
              assert.strictEqual((yield* ended(apiKey, unknown["intent_id"]))["status"], "success")
            } else {
              const none = yield* ask("/getIntent", { query: { apiKey, intent_id: String(unknown["intent_id"]) } })
              assert.strictEqual(none.fields["status_code"], "1010", none.text)
            }
            const { fields: again, text } = yield* until(
              "an answer",
              Effect.map(ask("/vaultTrade", { query }), (answer) => answer.status === 503 ? undefined : answer)
            )
            assert.strictEqual((yield* ended(apiKey, again["intent_id"]))["status"], "success", text)
            if (what === "answer") assert.strictEqual(again["intent_id"], unknown["intent_id"])
            assert.deepStrictEqual(
              yield* rows(`select count(*)::int as many from intents where wallet = '${address}'`),
              [{ many: 1 }]
            )
            assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
          }),
        slow
      )
    }
  }
)

layer(Layer.merge(Devnet.layer({ networks: [network] }), RpcProxy.layer).pipe(Layer.orDie), {
  timeout: slow,
  excludeTestServices: true
})("the embedded database", (it) => {
  it.effect(
    "is started again when it is killed under the service, which is not ready meanwhile and resumes afterwards",
    () =>
      Effect.gen(function*() {
        const dataDir = yield* ServiceProcess.dataDirectory
        const { ask, baseUrl } = yield* ServiceProcess.start({
          DATA_DIR: dataDir,
          NETWORKS_FILE: yield* networksFile(dataDir)
        })
        const here = Effect.provideService(Running, { ask, baseUrl, dataDir })
        const { address, apiKey, pool } = yield* here(trader())
        const query = { apiKey, network, pool, from: "USDC", to: "DAI", amount: "1" }
        Answers.succeeded(yield* ask("/vaultTrade", { query }))
        const data = Path.join(dataDir, "postgres/data")
        // Without its control file no server starts, so the database stays away during the check.
        const control = Path.join(data, "global/pg_control")
        Fs.renameSync(control, `${control}.away`)
        process.kill(Number.parseInt(Fs.readFileSync(Path.join(data, "postmaster.pid"), "utf8"), 10), "SIGKILL")
        yield* here(until("the service to say that it is not ready", isNotReady))
        away(yield* ask("/vaultTrade", { query }), /nothing was accepted/)
        Fs.renameSync(`${control}.away`, control)
        yield* here(until("the service to be ready again", isReady))
        const { fields, text } = yield* until(
          "an answer",
          Effect.map(ask("/vaultTrade", { query }), (answer) => answer.status === 503 ? undefined : answer)
        )
        assert.strictEqual((yield* here(ended(apiKey, fields["intent_id"])))["status"], "success", text)
        assert.strictEqual(yield* OnChain.transactionCount(network, address), 2)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect(
    "ends within ten seconds after its service was killed with -9, and the next service has its rows",
    () =>
      Effect.gen(function*() {
        const dataDir = yield* ServiceProcess.dataDirectory
        const env = { DATA_DIR: dataDir, NETWORKS_FILE: yield* networksFile(dataDir) }
        const killed = yield* ServiceProcess.start(env)
        const here = Effect.provideService(Running, { ask: killed.ask, baseUrl: killed.baseUrl, dataDir })
        const { address, apiKey, pool } = yield* here(trader())
        const query = { apiKey, network, pool, from: "USDC", to: "DAI", amount: "1", idempotency_key: "before" }
        const first = Answers.succeeded(yield* killed.ask("/vaultTrade", { query }))
        yield* killed.kill
        const left = ServiceProcess.processesOf(dataDir)
        yield* Effect.repeat(left, {
          until: (processes) => processes.length === 0,
          schedule: Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "10 seconds" }))
        })
        assert.deepStrictEqual(yield* left, [])

        const next = yield* ServiceProcess.start(env)
        assert.deepStrictEqual(Answers.succeeded(yield* next.ask("/vaultTrade", { query })), first)
        assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
      }).pipe(Effect.scoped),
    slow
  )
})
