import { assert, layer, vi } from "@effect/vitest"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { buildConsole } from "../../../../scripts/console.mjs"
import { NetworksFile } from "../../src/Networks.ts"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"

// A machine with other load takes long to load the sources, and the tests do so at each of their starts.
vi.setConfig({ testTimeout: 600_000 })

// Otherwise the first process builds it, and prints so on standard error.
await buildConsole()

/** Asserts exit code 1, one sentence on standard error that names the cause, and no other output. */
const refusedToStart = ({ code, stderr, stdout }: ServiceProcess.Ended, saying: RegExp) => {
  assert.strictEqual(code, 1, stdout + stderr)
  assert.match(stderr, saying)
  assert.match(stderr, /^[^\n]+\n$/)
  assert.notMatch(stderr, / {2}at |Error:|\{/)
  // The cluster logs it when a machine with other work takes seconds to start.
  const lines = stdout.split("\n").filter((line) => !line.includes("No healthy runners available"))
  assert.strictEqual(lines.join("\n"), "")
}

layer(Devnet.layer({ networks: ["polygon"] }), { timeout: 120_000, excludeTestServices: true })(
  "a service that cannot start",
  (it) => {
    it.effect("says which setting cannot be used, repeats no value and touches nothing", () =>
      Effect.gen(function*() {
        const dataDir = yield* ServiceProcess.dataDirectory
        yield* Effect.forEach([["PORT", "eighty"], ["RATE_LIMIT", "sometimes"]] as const, ([name, value]) =>
          Effect.map(
            ServiceProcess.programToItsEnd(ServiceProcess.sources, { DATA_DIR: dataDir, [name]: value }),
            (ended) => {
              refusedToStart(ended, new RegExp(`^The setting ${name} cannot be used: `))
              assert.notInclude(ended.stderr, value)
            }
          ), { concurrency: 2 })
        assert.deepStrictEqual(Fs.readdirSync(dataDir), [])
      }).pipe(Effect.scoped))

    it.effect("names the setting that a misspelt variable is nearest to, and touches nothing", () =>
      Effect.gen(function*() {
        const dataDir = yield* ServiceProcess.dataDirectory
        yield* Effect.forEach(
          [["RPC_URL_BAES", "RPC_URL_BASE"], ["DATABSE_URL", "DATABASE_URL"]] as const,
          ([name, nearest]) =>
            Effect.map(
              ServiceProcess.programToItsEnd(ServiceProcess.sources, {
                DATA_DIR: dataDir,
                [name]: "http://127.0.0.1:1"
              }),
              (ended) => refusedToStart(ended, new RegExp(`^There is no setting ${name}; did you mean ${nearest}\\?`))
            ),
          { concurrency: 2 }
        )
        assert.deepStrictEqual(Fs.readdirSync(dataDir), [])
      }).pipe(Effect.scoped))

    it.effect("takes an empty variable for one that is not set, and refuses another pepper and secrets that other accounts may read", () =>
      Effect.gen(function*() {
        const { books } = yield* Devnet
        const dataDir = yield* ServiceProcess.dataDirectory
        const NETWORKS_FILE = Path.join(dataDir, "networks.json")
        Fs.writeFileSync(
          NETWORKS_FILE,
          yield* Schema.encodeEffect(NetworksFile)(books as Arr.NonEmptyReadonlyArray<NetworkBook>)
        )
        const env = {
          DATA_DIR: dataDir,
          NETWORKS_FILE,
          TREASURY: "",
          DATABASE_URL: "",
          KEK_FILE: "",
          METRICS_PORT: " ",
          TRUSTED_PROXIES: ""
        }
        const service = yield* ServiceProcess.start(env)
        assert.strictEqual((yield* service.ask("/createGasWallet")).fields["status"], "success")
        yield* service.stop

        const again = Effect.suspend(() =>
          ServiceProcess.programToItsEnd(ServiceProcess.sources, { ...env, PORT: "0" })
        )
        const pepper = Path.join(dataDir, "pepper")
        const right = Fs.readFileSync(pepper, "utf8")
        Fs.writeFileSync(pepper, `${"0".repeat(63)}1\n`)
        refusedToStart(
          yield* again,
          new RegExp(`^The file ${pepper} does not hold the API key pepper of this database: put the right file back`)
        )
        Fs.writeFileSync(pepper, right)
        for (const name of ["pepper", "kek"]) {
          const file = Path.join(dataDir, name)
          for (const mode of [0o644, 0o640]) {
            Fs.chmodSync(file, mode)
            refusedToStart(yield* again, new RegExp(`^The file ${file} .*mode ${mode.toString(8)}.*chmod 600 ${file}`))
          }
          Fs.chmodSync(file, 0o600)
        }
        const back = yield* ServiceProcess.start(env)
        assert.strictEqual((yield* back.ask("/createGasWallet")).fields["status"], "success")
      }).pipe(Effect.scoped))

    it.effect("names the port that is taken, the folder that is in use, the file that is missing and the chain that is another", () =>
      Effect.gen(function*() {
        const { books, file } = yield* Devnet
        const dataDir = yield* ServiceProcess.dataDirectory
        const other = yield* ServiceProcess.dataDirectory
        const NETWORKS_FILE = Path.join(dataDir, "networks.json")
        Fs.writeFileSync(
          NETWORKS_FILE,
          yield* Schema.encodeEffect(NetworksFile)(books as Arr.NonEmptyReadonlyArray<NetworkBook>)
        )
        const service = yield* ServiceProcess.start({ DATA_DIR: dataDir, NETWORKS_FILE })
        const port = new URL(service.baseUrl).port

        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, {
            DATA_DIR: dataDir,
            NETWORKS_FILE,
            PORT: "0"
          }),
          new RegExp(dataDir)
        )
        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, { DATA_DIR: other, NETWORKS_FILE, PORT: port }),
          new RegExp(`127.0.0.1:${port}.*PORT`)
        )
        assert.strictEqual((yield* service.ask("/createGasWallet")).fields["status"], "success")
        assert.strictEqual((yield* service.stop).code, 0)

        const elsewhere = { DATA_DIR: other, PORT: "0", RPC_URL_BASE: file.networks.polygon!.rpcUrl }
        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, elsewhere),
          /base serves chain 137, but base is chain 8453/
        )
        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, {
            DATA_DIR: other,
            NETWORKS_FILE,
            PORT: "0",
            TLS_CERT: "cert.pem"
          }),
          /TLS_CERT and TLS_KEY/
        )

        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, {
            DATA_DIR: other,
            NETWORKS_FILE,
            PORT: "0",
            HOST: "0.0.0.0"
          }),
          /HOST=0\.0\.0\.0 .*set PUBLIC_URL to where they reach it/
        )

        const record = Path.join(other, "signing-record")
        const [name = ""] = Fs.readdirSync(record).filter((name) => name.endsWith(".record"))
        const lines = Fs.readFileSync(Path.join(record, name), "utf8")
        Fs.writeFileSync(Path.join(record, name), lines.replace("signingRecord", "signedRecord"))
        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, { DATA_DIR: other, NETWORKS_FILE, PORT: "0" }),
          new RegExp(`signing record is damaged: line 1 of ${Path.join(record, name)}.*docs/deploy.md`)
        )

        const kek = Path.join(dataDir, "kek")
        const another = "0".repeat(63)
        Fs.writeFileSync(kek, `${another}1\n`)
        const wrong = yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, {
          DATA_DIR: dataDir,
          NETWORKS_FILE,
          PORT: "0"
        })
        refusedToStart(
          wrong,
          new RegExp(`${kek} does not hold the key-encryption key of this database.*put the right file back`)
        )
        assert.notInclude(wrong.stderr, another)
        Fs.writeFileSync(kek, `v2:${another}1\n`)
        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, {
            DATA_DIR: dataDir,
            NETWORKS_FILE,
            PORT: "0"
          }),
          /key-encryption key v1.*put the right file back/
        )
        Fs.writeFileSync(kek, "v1:short\n")
        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, {
            DATA_DIR: dataDir,
            NETWORKS_FILE,
            PORT: "0"
          }),
          /does not hold key-encryption keys: 64 lower-case hex/
        )
        Fs.rmSync(kek)
        refusedToStart(
          yield* ServiceProcess.programToItsEnd(ServiceProcess.sources, {
            DATA_DIR: dataDir,
            NETWORKS_FILE,
            PORT: "0"
          }),
          new RegExp(`${kek}.*is missing`)
        )
        assert.isFalse(Fs.existsSync(kek))
        assert.deepStrictEqual([
          ...(yield* ServiceProcess.processesOf(dataDir)),
          ...(yield* ServiceProcess.processesOf(other))
        ], [])
      }).pipe(Effect.scoped))
  }
)
