/** `npm run build`: what it writes is run away from the repository, by an account that is not root. */
import { assert, layer } from "@effect/vitest"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { spawnSync } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Os from "node:os"
import * as Path from "node:path"
import { NetworksFile } from "../../src/Networks.ts"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { ask, type Fields, onChainOnly, Running, temporaryFolder, trader } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"

const network = "base" as const
const root = Path.join(import.meta.dirname, "../../../..")
const slow = 240_000

/** Removes all rights to write, as on a file system that is mounted read-only. */
const freeze = (folder: string) => {
  for (const name of Fs.readdirSync(folder, { recursive: true, encoding: "utf8" })) {
    const path = Path.join(folder, name)
    Fs.chmodSync(path, Fs.statSync(path).mode & 0o555)
  }
}

/** A temporary folder, removed with the scope although its folders are read-only by then. */
const folderNamed = (name: string) =>
  Effect.acquireRelease(
    Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), `vault-trader-${name}-`))),
    (folder) =>
      Effect.sync(() => {
        Fs.chmodSync(folder, 0o755)
        for (const each of Fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
          if (each.isDirectory()) Fs.chmodSync(Path.join(each.parentPath, each.name), 0o755)
        }
        Fs.rmSync(folder, { recursive: true, force: true })
      })
  )

/** A build in a folder of its own, and what it runs on: a database and chains that it does not operate. */
class Built extends Context.Service<Built, {
  readonly folder: string
  readonly program: ServiceProcess.Program
  /** The account that may use the database's socket. */
  readonly account: number
  readonly socket: string
  /** Settings of the networks and of the database; the data folder belongs to the account. */
  readonly networks: Readonly<Record<string, string>>
  readonly database: Readonly<Record<string, string>>
}>()("vault-trader/app/test/process/Built") {
  static readonly layer = Layer.effect(
    Built,
    Effect.gen(function*() {
      const folder = yield* folderNamed("build")
      const out = Path.join(folder, "vault-trader")
      const { status, stderr, stdout } = spawnSync(
        process.execPath,
        [Path.join(root, "scripts/run.mjs"), "build", "--out", out],
        { encoding: "utf8" }
      )
      assert.strictEqual(status, 0, stdout + stderr)
      console.log(stdout.trim())
      Fs.chmodSync(folder, 0o755)
      freeze(out)
      const postgres = yield* EmbeddedPostgres
      // The embedded database admits only the account that runs it.
      const account = Fs.statSync(postgres.socketDir).uid
      const uid = process.getuid?.() === account ? undefined : account
      const { books } = yield* Devnet
      const dataDir = yield* temporaryFolder
      const file = Path.join(dataDir, "networks.json")
      const served = onChainOnly(books) as Arr.NonEmptyReadonlyArray<NetworkBook>
      Fs.writeFileSync(file, yield* Effect.orDie(Schema.encodeEffect(NetworksFile)(served)))
      if (uid !== undefined) Fs.chownSync(dataDir, uid, uid)
      const host = new URLSearchParams({ host: postgres.socketDir })
      return {
        folder: out,
        program: { command: [process.execPath, Path.join(out, "vault-trader.js")], uid },
        account,
        networks: { NETWORKS_FILE: file, DATA_DIR: dataDir },
        socket: `${postgres.socketDir}/.s.PGSQL.5432`,
        database: { DATABASE_URL: `postgres://postgres@localhost/${postgres.database}?${host.toString()}` }
      }
    })
  )
}

const Grounds = Layer.unwrap(
  Effect.map(
    temporaryFolder,
    (dataDir) => Layer.merge(Devnet.layer({ networks: [network] }), EmbeddedPostgres.layer({ dataDir }))
  )
)

/** Runs a command of the build to its end. */
const command = (env: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
  Effect.flatMap(Built, ({ program }) => ServiceProcess.programToItsEnd(program, env, ...words))

/** Starts a process of the build with all settings, and prints how long it took. */
const started = (
  name: ServiceProcess.Command,
  more: Readonly<Record<string, string>> = {},
  other?: ServiceProcess.Program
) =>
  Effect.gen(function*() {
    const { database, networks, program } = yield* Built
    let said = ""
    const process = yield* ServiceProcess.start(
      { ...networks, ...database, ...more },
      (text) => {
        said += text
      },
      name,
      other ?? program
    )
    console.log(/^.*ready in.*$/m.exec(said)?.[0])
    return process
  })

/** Listens on a port of this machine and passes connections on to a socket, for who cannot reach its folder. */
const forwarded = (socket: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = Net.createServer((client) => {
        const there = Net.connect(socket)
        const end = () => void [client.destroy(), there.destroy()]
        for (const each of [client, there]) each.on("error", end).on("close", end)
        client.pipe(there).pipe(client)
      })
      server.listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) => Effect.sync(() => void server.close())
  ).pipe(Effect.map((server) => (server.address() as Net.AddressInfo).port))

/** Makes a root file system of Node, the libraries it is linked with, and the build: what an image has, at least. */
const rootFileSystem = Effect.gen(function*() {
  const { account, folder, networks } = yield* Built
  const rootFolder = yield* folderNamed("root")
  const put = (from: string, to: string) => {
    Fs.mkdirSync(Path.dirname(Path.join(rootFolder, to)), { recursive: true })
    Fs.copyFileSync(from, Path.join(rootFolder, to))
  }
  put(process.execPath, "bin/node")
  const { stdout } = spawnSync("ldd", [process.execPath], { encoding: "utf8" })
  for (const [library] of stdout.matchAll(/\/\S+(?= \(0x)/g)) put(library, library)
  Fs.cpSync(folder, Path.join(rootFolder, "opt/vault-trader"), { recursive: true })
  put(networks["NETWORKS_FILE"] ?? "", "etc/vault-trader/networks.json")
  freeze(rootFolder)
  for (const name of ["data", "tmp"]) {
    Fs.mkdirSync(Path.join(rootFolder, name), { mode: 0o700 })
    Fs.chownSync(Path.join(rootFolder, name), account, account)
  }
  Fs.chmodSync(rootFolder, 0o555)
  return rootFolder
})

/** Returns the words of an instruction of the Containerfile, with the path that Node has in the root file system. */
const instruction = (pattern: RegExp): ReadonlyArray<string> => {
  const [, words = "[]"] = pattern.exec(Fs.readFileSync(Path.join(root, "Containerfile"), "utf8")) ?? []
  return (JSON.parse(words) as ReadonlyArray<string>).map((word) => word === "node" ? "/bin/node" : word)
}

/** Copies the secrets that the first start made into another file system. */
const keptSecrets = (folder: string) =>
  Effect.map(Built, ({ account, networks }) => {
    for (const name of ["pepper", "kek", "planner-key"]) {
      const copy = Path.join(folder, "data", name)
      Fs.copyFileSync(Path.join(networks["DATA_DIR"] ?? "", name), copy)
      Fs.chmodSync(copy, 0o600)
      Fs.chownSync(copy, account, account)
    }
    return { PEPPER_FILE: "/data/pepper", KEK_FILE: "/data/kek", PLANNER_KEY_FILE: "/data/planner-key" }
  })

const stopped = (process: ServiceProcess.ServiceProcess) =>
  Effect.map(process.stop, ({ code, stderr, stdout }) => {
    assert.strictEqual(code, 0, stdout + stderr)
    assert.strictEqual(stderr, "")
  })

/** Trades once as a new wallet, through the HTTP API. Returns its key. */
const trade = ({ ask, baseUrl }: ServiceProcess.ServiceProcess) =>
  Effect.gen(function*() {
    const { networks } = yield* Built
    const running = Layer.succeed(Running, { ask, baseUrl, dataDir: networks["DATA_DIR"] ?? "" })
    const { apiKey, pool } = yield* Effect.provide(trader({ network }), running)
    const request = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "5" }
    const { tx_hash } = succeeded(yield* ask("/vaultTrade", { json: request }))
    assert.match(String(tx_hash), /^0x[0-9a-f]{64}$/)
    const { strategies } = succeeded(yield* ask("/getStrategies", { query: { apiKey, network, pool } }))
    assert.deepStrictEqual(
      (strategies as ReadonlyArray<Fields>).map(({ name, problem }) => [name, problem]),
      ["ema-cross", "grid", "momentum-rotation", "rsi", "volatility-target"].map((name) => [name, null])
    )
    return apiKey
  })

layer(Layer.provideMerge(Built.layer, Grounds), { timeout: 600_000, excludeTestServices: true })("a build", (it) => {
  it.effect(
    "has no TypeScript, no devnet and no other packages than it names, and is smaller than 120 MB",
    () =>
      Effect.gen(function*() {
        const { folder } = yield* Built
        const files = Fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
        // The examples of strategies are their author's sources.
        const strategies = Path.join(folder, "strategies")
        const own = files.filter(({ parentPath }) => parentPath !== strategies)
        assert.deepStrictEqual(own.filter(({ name }) => /(?<!\.d)\.tsx?$/.test(name)), [])
        const bytes = files.reduce((sum, each) => sum + Fs.statSync(Path.join(each.parentPath, each.name)).size, 0)
        assert.isBelow(bytes, 120e6)
        for (
          const name of [
            "LICENSE",
            "THIRD-PARTY-NOTICES.md",
            "sbom.cdx.json",
            "VERSION",
            "console/index.html",
            "docs/api.md",
            "site/index.html"
          ]
        ) {
          assert.isTrue(Fs.existsSync(Path.join(folder, name)), name)
        }
        const { dependencies } = JSON.parse(Fs.readFileSync(Path.join(folder, "package.json"), "utf8")) as {
          readonly dependencies: Readonly<Record<string, string>>
        }
        for (const [name, version] of Object.entries(dependencies)) {
          assert.match(version, /^\d+\.\d+\.\d+$/, name)
          const installed = Fs.readFileSync(Path.join(folder, "node_modules", name, "package.json"), "utf8")
          assert.strictEqual((JSON.parse(installed) as { readonly version: string }).version, version)
        }
        const loads = "require('secp256k1/bindings.js').publicKeyCreate(new Uint8Array(32).fill(1))"
        const native = spawnSync(process.execPath, ["-e", loads], { cwd: folder, encoding: "utf8" })
        assert.strictEqual(native.status, 0, native.stderr)
        const code = files.filter(({ name, parentPath }) => parentPath.endsWith("lib") && name.endsWith(".js"))
          .map(({ name, parentPath }) => Fs.readFileSync(Path.join(parentPath, name), "utf8"))
        assert.isTrue(code.every((text) => !text.includes(root)), "the bundle names this machine's folder")
        assert.isFalse(
          code.some((text) => /createAnvil|packages\/devnet\/src\/(devnet|contract|aggregator)/.test(text))
        )
      }),
    slow
  )

  it.effect(
    "names every setting that is missing, because it has no database and no chains of its own",
    () =>
      Effect.gen(function*() {
        const { database, networks } = yield* Built
        const { DATA_DIR = "" } = networks
        const nothing = yield* command({ DATA_DIR })
        assert.deepStrictEqual([nothing.code, nothing.stdout], [1, ""])
        assert.match(nothing.stderr, /^Not set: DATABASE_URL .* and RPC_URL_<NETWORK> or NETWORKS_FILE .*\n$/)
        const noDatabase = yield* command(networks)
        assert.match(noDatabase.stderr, /^Not set: DATABASE_URL \([^)]*\)\. /)
        const noNetwork = yield* command({ DATA_DIR, ...database })
        assert.match(noNetwork.stderr, /^Not set: RPC_URL_<NETWORK> or NETWORKS_FILE \([^)]*\)\. /)
        const server = yield* command({ DATA_DIR }, "server")
        assert.match(server.stderr, /^DATABASE_URL is not set; /)
        const devnet = yield* command({ DATA_DIR }, "devnet")
        assert.notStrictEqual(devnet.code, 0)
        for (const { stderr } of [nothing, noDatabase, noNetwork, server]) assert.match(stderr, /^[^\n]+\n$/)
      }),
    slow
  )

  it.effect(
    "trades with separate servers and runners, which end cleanly on SIGTERM",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const port = String(yield* ServiceProcess.freePort)
        const runner = yield* started("workers", { RUNNER_PORT: port })
        const server = yield* started("server", { RUNNER_PORT: port })
        const apiKey = yield* trade(server)
        assert.strictEqual((yield* server.ask("/console")).status, 200)
        assert.strictEqual((yield* server.ask("/docs/api.md")).status, 200)
        assert.include((yield* server.ask("/docs/tutorials/first-bot.html")).text, "Your first bot")
        const { program } = yield* Built
        if (program.uid !== undefined) {
          assert.strictEqual(Fs.statSync(`/proc/${server.pid}`).uid, program.uid)
        }
        // The library of the exchanges is loaded when it is needed.
        const candles = yield* server.ask("/getCandles", { query: { apiKey, exchange: "nosuch", pair: "BTC-USDT" } })
        assert.match(candles.text, /binance/)
        yield* stopped(server)
        yield* stopped(runner)
      })),
    slow
  )

  it.effect("finds its configuration ready, and prints its version and the address book", () =>
    Effect.gen(function*() {
      const { networks } = yield* Built
      const doctor = yield* command(networks, "doctor", network)
      assert.strictEqual(doctor.code, 0, doctor.stdout + doctor.stderr)
      assert.match(doctor.stdout, /Ready: 0 failures/)
      const books = yield* command(networks, "networks", "print", "base")
      assert.include(books.stdout, "8453")
      const version = yield* command({}, "--version")
      assert.include(
        version.stdout,
        (JSON.parse(Fs.readFileSync(Path.join(root, "package.json"), "utf8")) as {
          readonly version: string
        }).version
      )
      for (const name of ["switch", "limit", "lane", "ledger", "mcp", "backtest", "record", "audit", "rewrap"]) {
        assert.strictEqual((yield* command({}, name, "--help")).code, 0, name)
      }
    }), slow)

  it.effect("trades as a single process", () =>
    Effect.scoped(Effect.gen(function*() {
      const whole = yield* started("start")
      yield* trade(whole)
      yield* stopped(whole)
    })), slow)

  it.effect.skipIf(process.getuid?.() !== 0)(
    "trades and passes the demo in a root file system that has nothing but Node, its libraries and the build, as an image has",
    () =>
      Effect.scoped(Effect.gen(function*() {
        const { account, socket } = yield* Built
        const folder = yield* rootFileSystem
        const port = yield* forwarded(socket)
        const metrics = String(yield* ServiceProcess.freePort)
        const inside = instruction(/^ENTRYPOINT (\[.*\])$/m)
        const whole = yield* started("start", {
          DATA_DIR: "/data",
          NETWORKS_FILE: "/etc/vault-trader/networks.json",
          DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/vault_trader`,
          METRICS_PORT: metrics,
          // Of the tests before: the database has wallets that need them.
          ...(yield* keptSecrets(folder))
        }, { command: ["chroot", `--userspec=${account}:${account}`, folder, ...inside] })
        yield* trade(whole)
        const { path } = yield* Devnet
        const demo = yield* ServiceProcess.toItsEnd({ DATA_DIR: Path.dirname(path), BASE_URL: whole.baseUrl }, "demo")
        assert.strictEqual(demo.code, 0, demo.stdout + demo.stderr)
        assert.match(demo.stdout, /^Done: transaction 0x[0-9a-f]{64} is mined/m)
        const { status } = yield* ask(`http://127.0.0.1:${metrics}`)("/health/live")
        assert.strictEqual(status, 200)
        const check = ["chroot", `--userspec=${account}:${account}`, folder, ...instruction(/^ {2}CMD (\[.*\])$/m)]
        const health = (port: string) =>
          spawnSync(check[0] ?? "", check.slice(1), { env: { PATH: process.env["PATH"], METRICS_PORT: port } }).status
        assert.deepStrictEqual([health(metrics), health("1")], [0, 1])
        yield* stopped(whole)
      })),
    slow
  )
})
