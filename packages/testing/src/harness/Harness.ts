/** The whole service in this process, on its own devnet and database, for tests that call it over HTTP. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as References from "effect/References"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { Database } from "@vault-trader/app/Database"
import { SigningRecordFolder } from "@vault-trader/app/SigningRecordFolder"
import { devnetWallet } from "@vault-trader/app/LocalServices"
import { Application } from "@vault-trader/app/SingleProcess"
import type { Disk } from "@vault-trader/workers/gas-wallet/RecordFile"
import { Settings } from "@vault-trader/app/Settings"

export type Fields = Readonly<Record<string, unknown>>

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as received. */
  readonly body: Fields
  /** The body's fields, with one-element arrays unwrapped. */
  readonly fields: Fields
}

export interface Request {
  readonly method?: "GET" | "HEAD" | "POST" | "DELETE" | "PUT" | "PATCH"
  readonly query?: Readonly<Record<string, string | ReadonlyArray<string>>>
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string>>
  readonly raw?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A running service: tests call it over HTTP and read its database and its chains. */
export class Running extends Context.Service<Running, {
  readonly baseUrl: string
  readonly dataDir: string
  readonly ask: (path: string, request?: Request) => Effect.Effect<Answer>
}>()("vault-trader/testing/harness/Running") {}

const parse = (text: string): Fields => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null ? value as Fields : {}
  } catch {
    return {}
  }
}

const bodyOf = ({ form, json, raw }: Request) =>
  raw ??
    (form !== undefined ? new URLSearchParams(form).toString() : json === undefined ? undefined : JSON.stringify(json))

const contentTypeOf = ({ form, json }: Request): Readonly<Record<string, string>> =>
  form !== undefined
    ? { "content-type": "application/x-www-form-urlencoded" }
    : json === undefined
    ? {}
    : { "content-type": "application/json" }

/** Sends one request to a service at `baseUrl`; rejects when there is no answer. */
const send = (baseUrl: string) => async (path: string, request: Request, signal: AbortSignal): Promise<Answer> => {
  const url = new URL(path, baseUrl)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    for (const each of typeof value === "string" ? [value] : value) url.searchParams.append(name, each)
  }
  const body = bodyOf(request)
  const response = await fetch(url, {
    method: request.method ?? (body === undefined ? "GET" : "POST"),
    headers: { ...contentTypeOf(request), ...request.headers },
    signal,
    ...(body === undefined ? {} : { body })
  })
  const text = await response.text()
  const parsed = parse(text)
  const fields = Object.fromEntries(
    Object.entries(parsed).map(([name, value]) => [name, Array.isArray(value) && value.length === 1 ? value[0] : value])
  )
  return { status: response.status, headers: response.headers, text, body: parsed, fields }
}

/** Sends one request to a service at `baseUrl` that must answer. */
export const ask = (baseUrl: string) => (path: string, request: Request = {}): Effect.Effect<Answer> =>
  Effect.promise((signal) => send(baseUrl)(path, request, signal))

/**
 * Returns Linux's memory where it has 4 GiB to spare: a disk that stalls for half a minute is no fault of the code
 * under test.
 */
const temporaryBase = () => {
  const memory = "/dev/shm"
  if (!Fs.existsSync(memory)) return Os.tmpdir()
  const { bavail, bsize } = Fs.statfsSync(memory)
  return bavail * bsize >= 4 * 2 ** 30 ? memory : Os.tmpdir()
}

/**
 * A temporary folder, deleted with the scope. Others may traverse it, so that PostgreSQL can reach its data there when
 * it is not root. A killed service's PostgreSQL writes for up to ten seconds more, so the removal is repeated so long.
 */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = Fs.mkdtempSync(Path.join(temporaryBase(), "vault-trader-test-"))
    Fs.chmodSync(folder, 0o711)
    return folder
  }),
  (folder) =>
    Effect.promise(() => Fs.promises.rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }))
)

const settingsOf = (dataDir: string, env: Readonly<Record<string, string>>) =>
  Effect.orDie(Effect.provideService(
    Settings,
    ConfigProvider.ConfigProvider,
    ConfigProvider.fromEnv({
      env: { DATA_DIR: dataDir, PORT: "0", RATE_LIMIT: "off", LOG_LEVEL: "none", WAIT_SECONDS: "60", ...env }
    })
  ))

/** Returns the same networks without aggregators: trades then query only the node. */
export const onChainOnly = (books: ReadonlyArray<NetworkBook>): ReadonlyArray<NetworkBook> =>
  books.map((book) => NetworkBook.make({ ...book, aggregators: {} }))

interface Options<R> {
  readonly env?: Readonly<Record<string, string>>
  readonly networks?: ReadonlyArray<Network>
  /** Adds the devnet's fake aggregators to the venues; without them a trade queries only the node. */
  readonly aggregators?: boolean
  /** False: no venue's API has a key, as for an operator who has none. */
  readonly venueKeys?: boolean
  /** The disk of the signing record; by default the real one. */
  readonly disk?: Disk
  /** Offers the devnet's wallet to the console's page, as under `npm start`. */
  readonly devnetWallet?: boolean
  /** Changes the configuration of the devnet's networks before the service reads it. */
  readonly books?: (books: ReadonlyArray<NetworkBook>) => Effect.Effect<ReadonlyArray<NetworkBook>, never, R>
}

/** Starts the service with these settings, on its own devnet and database, which end with it. */
export const running = <R = never>(
  {
    aggregators = false,
    books: seen,
    devnetWallet: wallet = false,
    disk,
    env = {},
    networks = ["base"],
    venueKeys = true
  }: Options<R> = {}
) =>
  Layer.unwrap(Effect.gen(function*() {
    const dataDir = yield* temporaryFolder
    const settings = yield* settingsOf(dataDir, env)
    const application = Layer.unwrap(Effect.gen(function*() {
      const { books: all, file } = yield* Devnet
      const books = aggregators ? all : onChainOnly(all)
      const devnetKey = venueKeys ? Redacted.make(file.aggregators.apiKey) : undefined
      return Application(settings, {
        books: seen === undefined ? books : yield* seen(books),
        devnetKey,
        exchangeUrls: file.exchanges.urls,
        ...(wallet ? { extra: devnetWallet(file) } : {})
      }, { record: SigningRecordFolder(settings, disk === undefined ? {} : { disk }), signer: undefined })
    }))
    const Address = Layer.effect(
      Running,
      Effect.map(HttpServer.HttpServer, ({ address }) => {
        const baseUrl = address._tag === "UnixPathAddress" ? "http://unix" : `http://127.0.0.1:${address.port}`
        return { baseUrl, dataDir, ask: ask(baseUrl) }
      })
    )
    return Address.pipe(
      Layer.provide(application),
      Layer.provideMerge(Devnet.layer({ networks })),
      Layer.provideMerge(Database(settings)),
      Layer.provide(Layer.succeed(References.MinimumLogLevel, settings.service.logLevel))
    )
  })).pipe(Layer.orDie)

export interface Wallet {
  readonly apiKey: string
  readonly address: Address
  readonly privateKey: string
}

/** Creates a gas wallet without gas. */
export const wallet: Effect.Effect<Wallet, never, Running> = Effect.gen(function*() {
  const { ask } = yield* Running
  const { fields, text } = yield* ask("/createGasWallet")
  if (fields["status"] !== "success") return yield* Effect.die(new Error(`no gas wallet was created:  ${text}`))
  return {
    apiKey: String(fields["apiKey"]),
    address: String(fields["address"]) as Address,
    privateKey: String(fields["private_key"])
  }
})

const vaultAt = (network: Network, index: number): Effect.Effect<Address, never, Devnet> =>
  Effect.flatMap(Devnet, ({ file }) => {
    const vault = file.networks[network]?.vaults[index]
    return vault === undefined ? Effect.die(new Error(`no vault ${index} on ${network}`)) : Effect.succeed(vault.pool)
  })

/** Returns the demo vault of a network. */
export const demoVault = (network: Network) => vaultAt(network, 0)

/** Returns the network's vault that may use lenders and hold positions. */
export const yieldVault = (network: Network) => vaultAt(network, 1)

/** Creates a funded gas wallet that trades a vault: the demo vault of its network unless another is given. */
export const trader = (
  { network = "base", pool: named }: { readonly network?: Network; readonly pool?: Address } = {}
) =>
  Effect.gen(function*() {
    const devnet = yield* Devnet
    const made = yield* wallet
    const pool = named ?? (yield* demoVault(network))
    yield* Effect.orDie(devnet.faucet({ network, address: made.address, amountWei: 10n ** 18n }))
    yield* Effect.orDie(devnet.setTrader({ network, pool, trader: made.address }))
    return { ...made, network, pool }
  })

/** Returns the rows of a query, to check the service's database directly. */
export const rows = (query: string) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.orDie(sql.unsafe<Fields>(query)))

/** Counts the rows of each table of the ledger. */
export const ledger = rows(
  `select (select count(*) from intents)::int as intents, (select count(*) from submissions)::int as submissions,
    (select count(*) from attempts)::int as attempts, (select count(*) from charges)::int as charges`
).pipe(
  Effect.map(([row]) =>
    row as {
      readonly intents: number
      readonly submissions: number
      readonly attempts: number
      readonly charges: number
    }
  )
)
