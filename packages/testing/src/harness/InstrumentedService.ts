/**
 * A service of real processes with its observers: a collector, a scraper, nodes behind an operator's key, and the
 * secrets it was given.
 */
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import type * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Scope from "effect/Scope"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { NetworksFile } from "@vault-trader/app/Networks"
import * as Collector from "./Collector.ts"
import * as Exposition from "./Exposition.ts"
import { ask, onChainOnly, Running, temporaryFolder } from "./Harness.ts"
import * as NodeFront from "./NodeFront.ts"
import * as ServiceProcess from "./ServiceProcess.ts"

/** Decides the answer of a node: a reply, silence, or the node's real answer when undefined. */
type Mood = (request: NodeFront.NodeRequest) => NodeFront.Reply | "silence" | undefined

export class InstrumentedService extends Context.Service<InstrumentedService, {
  readonly collector: Collector.Collector
  /** Returns `/metrics` of a process, unchanged. */
  readonly scrapeText: (name: ServiceProcess.Command) => Effect.Effect<string>
  readonly scrape: (name: ServiceProcess.Command) => Effect.Effect<Exposition.Exposition>
  /** Sets how the nodes answer from now on; the real answer where it returns undefined. */
  readonly nodes: (mood: Mood) => Effect.Effect<void>
  readonly start: (name: ServiceProcess.Command) => Effect.Effect<void>
  readonly the: (name: ServiceProcess.Command) => ServiceProcess.ServiceProcess
  /** Everything the processes have written so far. */
  readonly output: () => string
  /** Secrets the operator configured; they must appear nowhere. */
  readonly operatorKeys: ReadonlyArray<string>
}>()("vault-trader/testing/harness/InstrumentedService") {}

const make = (
  dataDir: string,
  databaseUrl: string | undefined,
  operatorKeys: readonly [nodes: string, collector: string, database: string]
) =>
  Effect.gen(function*() {
    const { books } = yield* Devnet
    const scope = yield* Effect.scope
    const collector = yield* Collector.listen
    let mood: Mood = () => undefined
    const front = yield* NodeFront.listen(async (request) => {
      const reply = mood(request)
      return reply === "silence" ? undefined : reply ?? request.forward()
    })
    const networks = Path.join(dataDir, "networks.json")
    const seen = front.inFront(operatorKeys[0], onChainOnly(books)) as Arr.NonEmptyReadonlyArray<NetworkBook>
    Fs.writeFileSync(networks, yield* Effect.orDie(Schema.encodeEffect(NetworksFile)(seen)))
    const processes = new Map<
      ServiceProcess.Command,
      { readonly process: ServiceProcess.ServiceProcess; readonly metrics: string }
    >()
    const outputs: Array<string> = []

    const found = (name: ServiceProcess.Command) => {
      const one = processes.get(name)
      if (one === undefined) throw new Error(`${name} was never started`)
      return one
    }
    const scrapeText = (name: ServiceProcess.Command) =>
      Effect.map(ask(found(name).metrics)("/metrics"), ({ text }) => text)
    const environment = Effect.gen(function*() {
      const [metrics, runner] = [yield* ServiceProcess.freePort, yield* ServiceProcess.freePort]
      return {
        DATA_DIR: dataDir,
        NETWORKS_FILE: networks,
        ...databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl },
        RUNNER_PORT: String(runner),
        METRICS_PORT: String(metrics),
        LOG_LEVEL: "debug",
        OTLP_URL: collector.url,
        OTLP_HEADERS: `authorization=Bearer ${operatorKeys[1]}`,
        OTLP_INTERVAL_SECONDS: "1",
        OTLP_TRACE_SHARE: "1"
      }
    })
    return InstrumentedService.of({
      collector,
      operatorKeys,
      scrapeText,
      scrape: (name) => Effect.map(scrapeText(name), Exposition.parse),
      nodes: (next) =>
        Effect.sync(() => {
          mood = next
        }),
      start: (name) =>
        Effect.gen(function*() {
          const env = yield* environment
          const place = outputs.push("") - 1
          const process = yield* Scope.provide(
            ServiceProcess.start(env, (text) => void (outputs[place] += text), name),
            scope
          )
          processes.set(name, { process, metrics: `http://127.0.0.1:${env.METRICS_PORT}` })
        }),
      the: (name) => found(name).process,
      output: () => outputs.join("\n")
    })
  })

const key = (what: string) => `${what}${Crypto.randomBytes(12).toString("hex")}`

/** Starts the processes on one devnet; the first of them answers callers. */
const layerOf = (
  dataDir: string,
  databaseUrl: string | undefined,
  operatorKeys: readonly [string, string, string],
  names: Arr.NonEmptyReadonlyArray<ServiceProcess.Command>
) =>
  Layer.effectContext(Effect.gen(function*() {
    const observed = yield* make(dataDir, databaseUrl, operatorKeys)
    yield* Effect.forEach(names, observed.start, { discard: true })
    const { baseUrl } = observed.the(names[0])
    return Context.make(InstrumentedService, observed).pipe(
      Context.add(Running, { baseUrl, dataDir, ask: ask(baseUrl) })
    )
  }))

/** The service as `npm start` runs it. */
export const oneProcess = Layer.unwrap(
  Effect.map(
    ServiceProcess.dataDirectory,
    (dataDir) => layerOf(dataDir, undefined, [key("node"), key("collector"), key("database")], ["start"])
  )
).pipe(
  Layer.provideMerge(Devnet.layer({ networks: ["base"] })),
  Layer.orDie
)

/** `npm run server` and `npm run workers` on their own PostgreSQL. */
export const twoProcesses = Layer.unwrap(
  Effect.map(temporaryFolder, (dataDir) =>
    Layer.unwrap(Effect.map(EmbeddedPostgres, (postgres) => {
      const keys = [key("node"), key("collector"), key("database")] as const
      const url = `postgres://${postgres.username}:${keys[2]}@localhost/${postgres.database}?${
        new URLSearchParams({ host: postgres.socketDir }).toString()
      }`
      return Layer.merge(
        layerOf(dataDir, url, keys, ["server", "workers"]),
        PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 2 })
      )
    })).pipe(Layer.provide(EmbeddedPostgres.layer({ dataDir }))))
).pipe(
  Layer.provideMerge(Devnet.layer({ networks: ["base"] })),
  Layer.orDie
)
