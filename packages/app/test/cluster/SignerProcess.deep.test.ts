/** Runners whose signer is a process of its own, which is killed and frozen in the middle of bursts of trades. */
import { assert, layer } from "@effect/vitest"
import * as Rewrap from "@vault-trader/workers/gas-wallet/Rewrap"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { ask, rows, Running, wallet } from "@vault-trader/testing/harness/Harness"
import { Market } from "@vault-trader/testing/harness/Market"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import * as Trades from "@vault-trader/testing/harness/Trades"
import { until } from "@vault-trader/testing/harness/Until"
import * as KekFile from "../../src/KekFile.ts"

const network = "base" as const

const countOf = (status: string, trades: ReadonlyArray<Trades.TradeRequest>) =>
  Effect.map(
    rows(
      `select count(*)::int as n from intents where status = '${status}' and idempotency_key in (${
        trades.map(({ key }) => `'${key}'`).join(", ")
      })`
    ),
    ([row]) => Number(row?.["n"])
  )

/** Starts a burst; returns when some of it has succeeded, and the rest has not. */
const begun = (size: number) =>
  Effect.gen(function*() {
    const trades = (yield* Market).burst(size)
    const settling = yield* Effect.forkScoped(Effect.forEach(trades, Trades.settled, { concurrency: "unbounded" }))
    yield* until(
      "five trades of the burst to succeed",
      Effect.map(countOf("succeeded", trades), (count) => count >= 5 ? true : undefined)
    )
    assert.isBelow(yield* countOf("succeeded", trades), size)
    return { trades, settled: Fiber.join(settling) }
  })

/** Waits until the runner's readiness has this reason; null for none. */
const readiness = (name: ProcessGroup.Name, reason: string | null) =>
  Effect.gen(function*() {
    const url = yield* (yield* ProcessGroup.ProcessGroup).metricsOf(name)
    yield* until(
      `the readiness of ${name} to be ${reason}`,
      Effect.map(ask(url)("/health/ready"), ({ fields }) => (fields["reason"] ?? null) === reason ? true : undefined)
    )
  })

const fleet = ProcessGroup.layer({ names: ["signer", "server", "runner-1", "runner-2"], networks: [network] })

layer(Layer.provideMerge(Market.layer(network), fleet), { timeout: 240_000, excludeTestServices: true })(
  "a signer of its own",
  (it) => {
    it.effect(
      "alone has the wallets' keys and the signing record; the runners have keys for other secrets",
      () =>
        Effect.gen(function*() {
          const { dataDir } = yield* Running
          const home = Path.join(dataDir, "signer-home")
          assert.includeMembers(Fs.readdirSync(home), ["signer-kek", "signing-record", "socket"])
          assert.isFalse(Fs.existsSync(Path.join(dataDir, "signing-record")))
          yield* Rewrap.verify(yield* KekFile.follow(Path.join(home, "signer-kek")), Rewrap.ofSigner)
          const failure = yield* Effect.flip(
            Rewrap.verify(yield* KekFile.follow(Path.join(dataDir, "kek")), Rewrap.ofSigner)
          )
          assert.strictEqual(failure._tag, "CannotDecrypt")
        }),
      600_000
    )

    it.effect(
      "loses nothing and doubles nothing when it is killed in the middle of 40 trades",
      () =>
        Effect.gen(function*() {
          const { start, the } = yield* ProcessGroup.ProcessGroup
          const known = yield* wallet
          const { settled, trades } = yield* begun(40)
          yield* the("signer").kill
          const killed = yield* countOf("succeeded", trades)
          yield* readiness("runner-1", "signer")
          yield* readiness("runner-2", "signer")
          // A leaked key can be exchanged without a signer; a new wallet needs one.
          const { ask } = yield* Running
          const refused = yield* ask("/createGasWallet")
          assert.deepStrictEqual(
            [refused.fields["status"], refused.fields["status_code"]],
            ["fail", "2021"],
            refused.text
          )
          assert.include(refused.text, "The signer of this service does not answer")
          const issued = yield* ask("/getNewApiKey", { json: { privateKey: known.privateKey } })
          assert.strictEqual(issued.fields["status"], "success", issued.text)
          yield* start("signer")
          const done = yield* settled
          yield* (yield* Market).holdsWith(done)
          assert.strictEqual(yield* countOf("succeeded", trades), 40)
          yield* readiness("runner-1", null)
          console.log(`40 trades, the signer killed after ${killed}: 0 lost, 0 double`)
        }),
      600_000
    )

    it.effect(
      "loses nothing and doubles nothing when it is killed again and again, and frozen",
      () =>
        Effect.gen(function*() {
          const { start, the } = yield* ProcessGroup.ProcessGroup
          const { settled, trades } = yield* begun(60)
          for (let times = 0; times < 3; times++) yield* Effect.andThen(the("signer").kill, start("signer"))
          yield* Effect.acquireUseRelease(
            the("signer").freeze,
            () => readiness("runner-1", "signer"),
            () => the("signer").thaw
          )
          const done = yield* settled
          yield* (yield* Market).holdsWith(done)
          assert.strictEqual(yield* countOf("succeeded", trades), 60)
        }),
      600_000
    )

    it.effect(
      "is refused a second time on its record, and contradictory settings are named in one sentence",
      () =>
        Effect.gen(function*() {
          const { dataDir } = yield* Running
          const { database } = yield* ProcessGroup.ProcessGroup
          const home = Path.join(dataDir, "signer-home")
          const base = {
            DATABASE_URL: database("signer"),
            NETWORKS_FILE: Path.join(dataDir, "networks-of-signer.json")
          }
          const second = yield* ServiceProcess.toItsEnd(
            {
              ...base,
              ...{ DATA_DIR: home, PLANNER_KEY_FILE: Path.join(dataDir, "planner-key") },
              SIGNER_SOCKET: Path.join(home, "second")
            },
            "signer"
          )
          assert.match(second.stderr, /^The signing record .* is in use by process \d+ on [^\n]*\n$/)
          const runner = (env: Readonly<Record<string, string>>) =>
            Effect.map(
              ServiceProcess.toItsEnd(
                { ...base, DATA_DIR: dataDir, SIGNER_SOCKET: Path.join(home, "socket"), RUNNER_PORT: "1", ...env },
                "workers"
              ),
              ({ stderr }) => stderr
            )
          assert.match(
            yield* runner({ SIGNING_RECORD_DIR: home }),
            /^SIGNING_RECORD_DIR has no effect beside SIGNER_SOCKET[^\n]*\n$/
          )
          assert.match(yield* runner({ SIGNER_KEK_FILE: "x" }), /^SIGNER_KEK_FILE is for npm run signer only[^\n]*\n$/)
          const signer = yield* ServiceProcess.toItsEnd(
            {
              ...base,
              ...{ DATA_DIR: Path.join(dataDir, "another-home"), PLANNER_KEY_FILE: Path.join(dataDir, "planner-key") },
              KEK_FILE: "x"
            },
            "signer"
          )
          assert.match(signer.stderr, /^KEK_FILE is for runners[^\n]*\n$/)
        }),
      600_000
    )
  }
)
