/**
 * The whole service as separate processes: PostgreSQL, a devnet behind a front that records requests, wallets that
 * trade vaults.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import * as Fs from "node:fs"
import * as Net from "node:net"
import * as Path from "node:path"
import { NetworksFile } from "@vault-trader/app/Networks"
import { root } from "../Machine.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import * as NodeFront from "./NodeFront.ts"

export const network = "base" as const

export interface Process {
  readonly baseUrl: string
  readonly pid: number
  /** Everything that the process has printed. */
  readonly output: () => string
  /** Sends the signal without waiting. */
  readonly signal: (signal: "SIGKILL" | "SIGTERM" | "SIGUSR2") => Effect.Effect<void>
  readonly ended: Effect.Effect<void>
}

export class ServiceUnderTest extends Context.Service<ServiceUnderTest, {
  readonly front: NodeFront.NodeFront
  /** A second endpoint over the same node, and the settings of a service that uses it beside the first one. */
  readonly second: {
    readonly front: NodeFront.NodeFront
    readonly settings: Readonly<Record<string, string>>
  }
  /** Settings of every process. */
  readonly env: Readonly<Record<string, string>> & { readonly DATA_DIR: string; readonly DATABASE_URL: string }
  /**
   * Starts a process of the service with additional settings and options of Node, and waits until it is ready; it ends
   * with the scope.
   */
  readonly start: (
    command: "start" | "server" | "workers",
    settings?: Readonly<Record<string, string>>,
    nodeOptions?: ReadonlyArray<string>
  ) => Effect.Effect<Process, never, Scope>
  /** Starts a runner with the signing record of this machine: runners do not share one. */
  readonly startRunner: (machine: number) => Effect.Effect<Process, never, Scope>
}>()("vault-trader/scripts/bench/ServiceUnderTest") {
  static readonly layer = Layer.effect(
    ServiceUnderTest,
    Effect.gen(function*() {
      const postgres = yield* EmbeddedPostgres
      const [book] = (yield* Devnet).books
      if (book === undefined) return yield* Effect.die(new Error("the devnet has no network"))
      const dataDir = yield* temporaryFolder
      const front = yield* NodeFront.start(book.rpcUrls[0])
      const other = yield* NodeFront.start(book.rpcUrls[0])
      /** Writes the networks' file with these endpoints; returns its path. */
      const networksOver = (name: string, rpcUrls: NetworkBook["rpcUrls"]) =>
        Effect.gen(function*() {
          const path = Path.join(dataDir, name)
          // Without the fake aggregators, which would query the node directly, past the front.
          const text = yield* Schema.encodeEffect(NetworksFile)([
            NetworkBook.make({ ...book, aggregators: {}, rpcUrls })
          ])
          Fs.writeFileSync(path, text)
          return path
        })
      const networks = yield* networksOver("networks.json", [front.url])
      const socket = new URLSearchParams({ host: postgres.socketDir }).toString()
      const env = {
        DATA_DIR: dataDir,
        DATABASE_URL: `postgres://${postgres.username}@localhost/${postgres.database}?${socket}`,
        NETWORKS_FILE: networks,
        RATE_LIMIT: "off",
        LOG_LEVEL: "warning"
      }
      const start: ServiceUnderTest["Service"]["start"] = (command, settings = {}, nodeOptions = []) =>
        Effect.flatMap(
          freePort,
          (port) => started(command, { ...env, ...settings, PORT: port, RUNNER_PORT: port }, nodeOptions)
        )
      return {
        front,
        second: {
          front: other,
          settings: { NETWORKS_FILE: yield* networksOver("two-endpoints.json", [front.url, other.url]) }
        },
        env,
        start,
        startRunner: (machine) =>
          start("workers", { SIGNING_RECORD_DIR: Path.join(dataDir, `signing-record-${machine}`) })
      }
    })
  ).pipe(
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(
          EmbeddedPostgres,
          (postgres) => PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 4 })
        )
      )
    ),
    Layer.provideMerge(Layer.unwrap(Effect.map(temporaryFolder, (dataDir) => EmbeddedPostgres.layer({ dataDir })))),
    Layer.provideMerge(Devnet.layer({ networks: [network], heartbeat: false })),
    Layer.orDie
  )
}

/** Returns a port without a listener at the moment. */
export const freePort = Effect.promise(async () => {
  const server = Net.createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as Net.AddressInfo
  server.close()
  await once(server, "close")
  return String(port)
})

/** Returns the options of Node with which `npm run` starts a command. */
const optionsOf = (command: string): ReadonlyArray<string> => {
  const { scripts } = JSON.parse(Fs.readFileSync(Path.join(root, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  return (scripts[command] ?? "").split(" ").filter((word) => word.startsWith("--"))
}

/** Starts a process of the service with these settings and waits until it is ready; it ends with the scope. */
export const started = (
  command: string,
  env: Readonly<Record<string, string>>,
  nodeOptions: ReadonlyArray<string> = []
): Effect.Effect<Process, never, Scope> =>
  Effect.gen(function*() {
    let said = ""
    const child = yield* Effect.acquireRelease(
      Effect.sync(() => {
        const args = [...optionsOf(command), ...nodeOptions, Path.join(root, "scripts/run.mjs"), command]
        const spawned = spawn(process.execPath, args, {
          env: { PATH: process.env["PATH"] ?? "", ...env },
          stdio: ["ignore", "pipe", "pipe"]
        })
        const hear = (text: string) => {
          said += text
        }
        for (const stream of ["stdout", "stderr"] as const) spawned[stream].setEncoding("utf8").on("data", hear)
        return spawned
      }),
      (spawned) => Effect.andThen(Effect.sync(() => spawned.kill("SIGKILL")), ended(spawned))
    )
    const readiness = Effect.suspend(() =>
      child.exitCode === null
        ? Effect.succeed(said.includes("ready in"))
        : Effect.die(new Error(`npm run ${command} ended: ${said}`))
    )
    yield* readiness.pipe(
      Effect.delay("10 millis"),
      Effect.repeat({ until: (ready) => ready }),
      Effect.timeoutOrElse({
        duration: "60 seconds",
        orElse: () => Effect.die(new Error(`npm run ${command} is not ready: ${said}`))
      }),
      Effect.orDie
    )
    return {
      baseUrl: `http://127.0.0.1:${env["PORT"]}`,
      pid: child.pid ?? 0,
      output: () => said,
      signal: (signal) =>
        Effect.sync(() => {
          child.kill(signal)
        }),
      ended: ended(child)
    }
  })

const ended = (child: ChildProcess) =>
  Effect.promise(async () => {
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  })

/** A response with its one-element arrays unwrapped. */
export type Fields = Readonly<Record<string, unknown>>

/** Sends one request and unwraps its response. A service that does not answer is a defect. */
export const ask = (baseUrl: string, path: string, query: Readonly<Record<string, string>>): Effect.Effect<Fields> =>
  Effect.promise(async (signal) => {
    const response = await fetch(`${baseUrl}${path}?${new URLSearchParams(query).toString()}`, { signal })
    const body = await response.json() as Record<string, unknown>
    const opened = (value: unknown): unknown => Array.isArray(value) && value.length === 1 ? value[0] : value
    return Object.fromEntries(Object.entries(body).map(([name, value]) => [name, opened(value)]))
  })

/** A vault, and the wallet that trades it. */
export interface Trader {
  readonly apiKey: string
  readonly wallet: Address
  readonly pool: Address
}

/** Trades one dollar. */
export const trade = (baseUrl: string, { apiKey, pool }: Trader, idempotencyKey: string) =>
  ask(baseUrl, "/vaultTrade", {
    apiKey,
    network,
    pool,
    from: "USDC",
    to: "WETH",
    amount: "1",
    idempotency_key: idempotencyKey
  })
