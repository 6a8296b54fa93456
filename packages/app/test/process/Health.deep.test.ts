/** Answers of `/health/ready` while a part of the service cannot work. */
import { assert, layer } from "@effect/vitest"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"
import {
  type Answer,
  ask as asking,
  onChainOnly,
  Running,
  rows,
  running,
  temporaryFolder
} from "@vault-trader/testing/harness/Harness"
import { RpcProxy } from "@vault-trader/testing/harness/RpcProxy"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { until } from "@vault-trader/testing/harness/Until"

const slow = 240_000
const allOk = { database: "ok", runners: "ok", networks: { base: "ok", polygon: "ok" }, signingRecord: "ok" }

/** Polls until the body is this one. */
const becomes = (what: string, asked: Effect.Effect<Answer>, status: number, body: unknown) =>
  until(
    what,
    Effect.map(asked, (answer) =>
      answer.status === status && JSON.stringify(answer.body) === JSON.stringify(body) ? true : undefined)
  )

/** Only base has the proxy in front of its node. */
const proxied = (books: ReadonlyArray<NetworkBook>) =>
  Effect.map(
    RpcProxy,
    ({ inFront }) => books.map((book) => book.network === "base" ? inFront([book])[0] ?? book : book)
  )

layer(Layer.provideMerge(running({ networks: ["base", "polygon"], books: proxied }), RpcProxy.layer), {
  timeout: slow,
  excludeTestServices: true
})("a service", (it) => {
  it.effect("is not ready while its database refuses writes, or its disk takes no more", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const ready = ask("/health/ready")
      yield* becomes("the service to be ready", ready, 200, { status: "ready", checks: allOk })
      for (const [setting, value] of [["default_transaction_read_only", "on"], ["temp_file_limit", "0"]] as const) {
        const reload = (statement: string) => Effect.andThen(rows(statement), rows("select pg_reload_conf()"))
        yield* Effect.acquireUseRelease(
          reload(`alter system set ${setting} = ${value}`),
          // Some time later the runner cannot write its heartbeat either.
          () =>
            until(
              `${setting} to be noticed`,
              Effect.map(ready, ({ body, status }) =>
                status === 503 && body["reason"] === "database" &&
                  (body["checks"] as { readonly database: string }).database === "no writes"
                  ? true
                  : undefined)
            ),
          () => reload(`alter system reset ${setting}`)
        )
        yield* becomes("the service to be ready again", ready, 200, { status: "ready", checks: allOk })
      }
    }), slow)

  it.effect("lists a network whose node does not answer, and is not ready for it", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const proxy = yield* RpcProxy
      yield* proxy.decide(() => "lose")
      const degraded = { ...allOk, networks: { base: "no answer", polygon: "ok" } }
      yield* becomes("the network to be listed", ask("/health/ready"), 200, { status: "degraded", checks: degraded })
      yield* becomes("not ready for base", ask("/health/ready?network=base"), 503, {
        status: "not ready",
        reason: "networks",
        checks: degraded
      })
      yield* becomes("ready for polygon", ask("/health/ready?network=polygon"), 200, {
        status: "degraded",
        checks: degraded
      })
      assert.strictEqual((yield* ask("/health/ready?network=nowhere")).status, 400)
      yield* proxy.decide(() => "forward")
      yield* becomes("the network to be back", ask("/health/ready?network=base"), 200, {
        status: "ready",
        checks: allOk
      })
    }), slow)
})

/** The processes of the server on this data directory. */
const postgresOf = (dataDir: string) =>
  Effect.map(ServiceProcess.processesOf(dataDir), (found) => {
    const main = found.filter(({ command }) => command.includes("postgres -D")).map(({ pid }) => pid)
    const children = Fs.readdirSync("/proc").filter((name) => /^\d+$/.test(name)).map(Number).filter((pid) => {
      const stat = `/proc/${pid}/stat`
      const text = Fs.existsSync(stat) ? Fs.readFileSync(stat, "utf8") : ""
      return main.includes(Number(text.slice(text.lastIndexOf(")") + 2).split(" ")[1]))
    })
    return [...main, ...children]
  })

layer(Devnet.layer({ networks: ["base"] }), { timeout: slow, excludeTestServices: true })(
  "a server and a runner",
  (it) => {
    it.effect(
      "are ready together; without a runner, and with PostgreSQL frozen, the server is not, and the runner has health of its own",
      () =>
        Effect.gen(function*() {
          const { books } = yield* Devnet
          const dataDir = yield* temporaryFolder
          const postgres = yield* EmbeddedPostgres.pipe(
            Effect.provide(Layer.empty),
            Effect.provide(yield* Layer.build(EmbeddedPostgres.layer({ dataDir })))
          )
          const NETWORKS_FILE = Path.join(dataDir, "networks.json")
          Fs.writeFileSync(
            NETWORKS_FILE,
            yield* Effect.orDie(
              Schema.encodeEffect(NetworksFile)(onChainOnly(books) as Arr.NonEmptyReadonlyArray<NetworkBook>)
            )
          )
          const DATABASE_URL = `postgres://${postgres.username}@localhost/${postgres.database}?host=${
            encodeURIComponent(postgres.socketDir)
          }`
          const env = { DATA_DIR: dataDir, DATABASE_URL, NETWORKS_FILE }
          const [runnerPort, metricsPort] = [
            String(yield* ServiceProcess.freePort),
            String(yield* ServiceProcess.freePort)
          ]
          const server = yield* ServiceProcess.start(env, undefined, "server")
          const ready = server.ask("/health/ready")
          const noRunner = {
            status: "not ready",
            reason: "runners",
            checks: { database: "ok", runners: "none", networks: { base: "no answer" } }
          }
          const fine = { status: "ready", checks: { database: "ok", runners: "ok", networks: { base: "ok" } } }
          const fineRunner = { ...fine, checks: { ...fine.checks, signingRecord: "ok" } }
          yield* becomes("the server to say that there is no runner", ready, 503, noRunner)

          const runner = yield* ServiceProcess.start(
            { ...env, RUNNER_PORT: runnerPort, METRICS_PORT: metricsPort },
            undefined,
            "workers"
          )
          const own = asking(`http://127.0.0.1:${metricsPort}`)
          assert.deepStrictEqual((yield* own("/health/live")).body, { status: "live" })
          yield* becomes("the runner to be ready", own("/health/ready"), 200, fineRunner)
          assert.include((yield* own("/metrics")).text, "vault_trader_rpc_calls_total")
          yield* becomes("the server to be ready", ready, 200, fine)

          const frozen = yield* postgresOf(dataDir)
          assert.isAbove(frozen.length, 2)
          yield* Effect.acquireUseRelease(
            Effect.sync(() => frozen.forEach((pid) => ServiceProcess.sendSignal(pid, "SIGSTOP"))),
            () =>
              Effect.gen(function*() {
                for (const each of [ready, own("/health/ready")]) {
                  const { body } = yield* until(
                    "not ready while PostgreSQL is frozen",
                    Effect.map(each, (answer) => answer.status === 503 ? answer : undefined)
                  )
                  assert.deepInclude(body, { status: "not ready", reason: "database" })
                  assert.strictEqual((body["checks"] as { readonly database: string }).database, "no answer")
                }
              }),
            () => Effect.sync(() => frozen.forEach((pid) => ServiceProcess.sendSignal(pid, "SIGCONT")))
          )
          yield* becomes("the server to be ready again", ready, 200, fine)
          yield* runner.kill
          yield* becomes("the server to miss its runner", ready, 503, noRunner)
        }).pipe(Effect.scoped),
      slow
    )
  }
)

layer(Layer.empty, { timeout: slow, excludeTestServices: true })("the whole service as a process", (it) => {
  it.effect(
    "serves operators on a separate port, leaves no PostgreSQL and no anvil behind when killed, and can be started again at once",
    () =>
      Effect.gen(function*() {
        const dataDir = yield* ServiceProcess.dataDirectory
        const metricsPort = String(yield* ServiceProcess.freePort)
        const first = yield* ServiceProcess.start({ DATA_DIR: dataDir, METRICS_PORT: metricsPort })
        const { fields } = yield* first.ask("/createGasWallet")
        // The operator's port and the callers' port share only the health endpoints.
        const operators = asking(`http://127.0.0.1:${metricsPort}`)
        assert.deepStrictEqual((yield* operators("/health/live")).body, { status: "live" })
        assert.deepStrictEqual([(yield* operators("/metrics")).status, (yield* operators("/llmIntrospect")).status], [
          200,
          404
        ])
        assert.deepStrictEqual([(yield* first.ask("/metrics")).status, (yield* first.ask("/llmIntrospect")).status], [
          404,
          200
        ])
        const running = yield* ServiceProcess.processesOf(dataDir)
        for (const name of ["postgres -D", "anvil"]) {
          assert.isTrue(running.some(({ command }) => command.includes(name)), name)
        }
        yield* first.kill
        const second = yield* ServiceProcess.start({ DATA_DIR: dataDir })
        assert.strictEqual(
          (yield* second.ask("/getGasBalance", { query: { apiKey: String(fields["apiKey"]), network: "base" } }))
            .fields["status"],
          "success"
        )
        yield* second.kill
        yield* until(
          "its processes to end",
          Effect.map(ServiceProcess.processesOf(dataDir), ({ length }) => length === 0 ? true : undefined)
        )
      }).pipe(Effect.scoped),
    slow
  )
})
