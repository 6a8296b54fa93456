/** The whole service in this process, on a devnet and a database of its own, for tests that speak HTTP to it. */
import * as HttpServer from "@effect/platform/HttpServer"
import * as SqlClient from "@effect/sql/SqlClient"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { Application, Database } from "../OneProcess.ts"
import { Settings } from "../Settings.ts"

export type Fields = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as it came. */
  readonly body: Readonly<Record<string, unknown>>
  /** One-element arrays opened. */
  readonly fields: Fields
}

export interface Request {
  readonly method?: "GET" | "POST" | "DELETE" | "PUT"
  readonly query?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly json?: unknown
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A running service: speak to it over HTTP, look into its database and its chains. */
export class Running extends Context.Tag("vault-trader/scripts/test/Running")<Running, {
  readonly baseUrl: string
  readonly dataDir: string
  readonly ask: (path: string, request?: Request) => Effect.Effect<Answer>
}>() {}

const parse = (text: string): Readonly<Record<string, unknown>> => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? value as Readonly<Record<string, unknown>> : {}
  } catch {
    return {}
  }
}

/** One request to a service at `baseUrl`. */
export const ask = (baseUrl: string) => (path: string, request: Request = {}): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const url = new URL(path, baseUrl)
    for (const [name, value] of Object.entries(request.query ?? {})) {
      for (const each of typeof value === "string" ? [value] : value) url.searchParams.append(name, each)
    }
    const body = request.raw ?? (request.json === undefined ? undefined : JSON.stringify(request.json))
    const response = await fetch(url, {
      method: request.method ?? (body === undefined ? "GET" : "POST"),
      headers: { ...(request.json === undefined ? {} : { "content-type": "application/json" }), ...request.headers },
      ...(body === undefined ? {} : { body })
    })
    const text = await response.text()
    const parsed = parse(text)
    const fields = Object.fromEntries(Object.entries(parsed).map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value]))
    return { status: response.status, headers: response.headers, text, body: parsed, fields }
  })

const settingsOf = (dataDir: string, env: Readonly<Record<string, string>>) =>
  Effect.orDie(Effect.withConfigProvider(
    Settings,
    ConfigProvider.fromMap(new Map(Object.entries({ DATA_DIR: dataDir, PORT: "0", RATE_LIMIT: "off", LOG_LEVEL: "none", ...env })))
  ))

/** The service with these settings. Its devnet and database are its own, and gone with it. */
export const running = (env: Readonly<Record<string, string>> = {}, networks: ReadonlyArray<"base" | "polygon" | "optimism" | "arbitrum" | "ethereum"> = ["base"]) =>
  Layer.unwrapScoped(Effect.gen(function*() {
    const dataDir = yield* Effect.acquireRelease(
      Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-test-"))),
      (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
    )
    const settings = yield* settingsOf(dataDir, env)
    const application = Layer.unwrapEffect(Effect.map(Devnet, ({ books }) => Application(settings, books)))
    const Address = Layer.effect(Running, Effect.map(HttpServer.HttpServer, ({ address }) => {
      const baseUrl = address._tag === "TcpAddress" ? `http://127.0.0.1:${address.port}` : "http://unix"
      return { baseUrl, dataDir, ask: ask(baseUrl) }
    }))
    return Address.pipe(
      Layer.provide(application),
      Layer.provideMerge(Devnet.layer({ networks })),
      Layer.provideMerge(Database(settings)),
      Layer.provide(Logger.minimumLogLevel(settings.service.logLevel))
    )
  })).pipe(Layer.orDie)

/** A funded gas wallet that trades the demo vault of a network. */
export const trader = (network: "base" | "polygon" = "base") =>
  Effect.gen(function*() {
    const { ask: request } = yield* Running
    const devnet = yield* Devnet
    const { fields } = yield* request("/createGasWallet")
    const apiKey = String(fields["apiKey"])
    const address = String(fields["address"]) as `0x${string}`
    const vault = devnet.file.networks[network]?.vaults[0]
    if (vault === undefined) return yield* Effect.dieMessage(`no vault on ${network}`)
    yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
    yield* Effect.orDie(devnet.setTrader({ network, pool: vault.pool, trader: address }))
    return { apiKey, address, privateKey: String(fields["private_key"]), network, pool: vault.pool }
  })

/** The rows of a query, for looking behind the service's back. */
export const rows = (query: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.unsafe<Readonly<Record<string, unknown>>>(query)))
