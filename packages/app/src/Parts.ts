/** The parts of the service, the gate and the actors, each to be composed with a database and a cluster. */
import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { pricesOf, treasuriesOf } from "@vault-trader/core/billing/BillingSettings"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { isLoopback } from "@vault-trader/server/gate/Hosts"
import * as Listener from "@vault-trader/server/gate/Listener"
import * as Server from "@vault-trader/server/Server"
import { Chains } from "@vault-trader/workers/chain/Chains"
import type { Access } from "@vault-trader/workers/venue/AggregatorClient"
import * as Rewrap from "@vault-trader/workers/gas-wallet/Rewrap"
import * as Workers from "@vault-trader/workers/Workers"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Fs from "node:fs"
import * as Http from "node:http"
import * as Https from "node:https"
import * as Path from "node:path"
import * as KekFile from "./KekFile.ts"
import type { Networks } from "./Networks.ts"
import * as PepperCheck from "./PepperCheck.ts"
import * as SecretFile from "./SecretFile.ts"
import type { Settings } from "./Settings.ts"
import { CannotStart, explained } from "./StartupFailure.ts"

/** The version callers see at `/version`. */
export const version = { version: "0.1.0", commit: process.env["COMMIT"] ?? "unknown" }

/**
 * Ensures that a secret's file exists. It is created on a first start only: a new secret could not decrypt existing
 * wallets.
 */
const secretFile = (file: string, what: string) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<{ readonly some: boolean }>`select exists (select 1 from gas_wallets) as some`
    yield* SecretFile.ensure({ file, what, mayCreate: row?.some !== true })
  })

const secret = (file: string, what: string) => Effect.andThen(secretFile(file, what), SecretFile.read({ file, what }))

const Digest = (settings: Settings) => {
  const file = settings.service.pepperFile ?? Path.join(settings.service.dataDir, "pepper")
  return Layer.effectDiscard(PepperCheck.verify(file)).pipe(
    Layer.provideMerge(Layer.unwrap(Effect.map(secret(file, "API key pepper"), ApiKeyDigest.layer)))
  )
}

const listener = (settings: Settings) =>
  Effect.gen(function*() {
    const { tlsCert, tlsKey, host, port, publicUrls } = settings.server
    if (!isLoopback(host) && publicUrls.length === 0) {
      return yield* new CannotStart({
        message: `HOST=${host} lets other machines reach the service: set PUBLIC_URL to where they reach it, for ` +
          "instance https://trade.example, so that requests under any other name are refused."
      })
    }
    if ((tlsCert === undefined) !== (tlsKey === undefined)) {
      return yield* new CannotStart({ message: "TLS_CERT and TLS_KEY are set together or not at all." })
    }
    const tls = yield* Effect.try({
      try: () =>
        tlsCert === undefined || tlsKey === undefined
          ? undefined
          : { cert: Fs.readFileSync(tlsCert), key: Fs.readFileSync(tlsKey) },
      catch: () => new CannotStart({ message: "The files of TLS_CERT and TLS_KEY cannot be read." })
    })
    const listening = Listener.layer(() => tls === undefined ? Http.createServer() : Https.createServer(tls), {
      host,
      port
    })
    return explained(
      listening,
      `Nothing can listen on ${host}:${port}; is something running there already? PORT chooses another.`
    )
  })

/** Returns the URL at which callers reach the gate. */
export const address = ({ server: { host, tlsCert } }: Settings) =>
  Effect.map(
    HttpServer.HttpServer,
    (server) =>
      `${tlsCert === undefined ? "http" : "https"}://${host}${
        server.address._tag === "UnixPathAddress" ? "" : `:${server.address.port}`
      }`
  )

/** Prices of actions, and the wallets that are exempt from them. */
const billing = ({ billing: set }: Settings) => ({ prices: pricesOf(set), exempt: set.exempt })

/** Treasuries by network. Networks without one are logged once: their charges are recorded and stay outstanding. */
const settlements = ({ billing: set }: Settings, { treasury }: Networks) => ({
  treasuries: treasuriesOf(set, treasury),
  aboveUsd: set.settleAboveUsd
})

/** The gate: HTTP in front of the actors, on whichever runner they are. */
export const Gate = (settings: Settings, books: ReadonlyArray<NetworkBook>, extra?: Server.Extra) => {
  const { server } = settings
  const networks = books.map(({ network }) => network)
  return Server.layer({
    directory: {
      networks,
      defaultNetwork: networks.includes(server.defaultNetwork)
        ? server.defaultNetwork
        : networks[0] ?? server.defaultNetwork,
      protocols: server.protocols,
      brands: server.brands,
      explorers: Object.fromEntries(
        books.flatMap(({ explorer, network }) => explorer === undefined ? [] : [[network, explorer]])
      )
    },
    rateLimit: {
      enabled: server.rateLimit,
      burst: server.burst,
      perMinute: server.perMinute,
      trustedProxies: server.trustedProxies,
      perHour: { wallets: server.walletsPerHour, signIns: server.signInsPerHour }
    },
    sockets: {
      perSession: server.socketsOfSession,
      perClient: server.socketsOfClient,
      inAll: server.sockets,
      idleSeconds: server.socketIdleSeconds
    },
    version,
    waitSeconds: server.waitSeconds,
    requestSeconds: server.requestSeconds ?? Math.max(25, server.waitSeconds),
    origins: server.publicUrls,
    console: Path.join(import.meta.dirname, "../../console/dist"),
    open: { ofVault: server.openOfVault, ofWallet: server.openOfWallet, ofService: server.openOfService },
    billing: billing(settings),
    extra
  }).pipe(Layer.provideMerge(Layer.unwrap(listener(settings))), Layer.provide(Digest(settings)))
}

/** Access to the venues' APIs. `devnetKey`: the credential of the devnet's fakes, where they are in use. */
const venues = ({ workers }: Settings, devnetKey: Redacted.Redacted<string> | undefined): Access => ({
  urls: { "1inch": workers.oneInchUrl, kyberswap: workers.kyberSwapUrl, odosV3: workers.odosUrl },
  keys: { "1inch": devnetKey ?? workers.oneInchApiKey, odosV3: devnetKey ?? workers.odosApiKey },
  timeoutMillis: workers.venueTimeoutMillis
})

/** Thresholds for low gas, and the wallet that refills it. */
const gasWatch = (
  { workers: { gasSeconds, lowGas, topUpAmount, topUpFunder, topUpMaxUsdPerDay, topUpWallets } }: Settings
) => ({
  seconds: gasSeconds,
  low: lowGas,
  topUps: topUpFunder === undefined
    ? undefined
    : {
      funder: topUpFunder,
      wallets: topUpWallets,
      amount: topUpAmount,
      maxUsd18PerDay: BigInt(topUpMaxUsdPerDay) * 10n ** 18n
    }
})

/** Reads the key-encryption keys and verifies that they belong to this database. */
const keyEncryptionKey = (settings: Settings) =>
  Effect.gen(function*() {
    const file = settings.workers.kekFile ?? Path.join(settings.service.dataDir, "kek")
    yield* secretFile(file, "key-encryption key")
    const kek = yield* KekFile.follow(file)
    yield* Effect.catchTag(Rewrap.verify(kek), "CannotDecrypt", ({ message }) =>
      new CannotStart({
        message:
          `The file ${file} does not hold the key-encryption key of this database (${message}): put the right file back.`
      }))
    return kek
  })

/** Clients of the served networks' nodes. */
export const Nodes = (settings: Settings, served: Networks) =>
  Layer.provide(Chains.layer(served.books, settings.workers.rpcTimeoutMillis), NodeHttpClient.layerUndici)

/** The actors of one runner. */
export const Actors = (settings: Settings, served: Networks, nodes = Nodes(settings, served)) =>
  Layer.unwrap(Effect.map(
    keyEncryptionKey(settings),
    (kek) =>
      Workers.layer({
        kek,
        retention: settings.workers,
        venues: venues(settings, served.devnetKey),
        core: { timeoutMillis: settings.workers.perpetualTimeoutMillis },
        lostSeconds: settings.workers.perpetualLostSeconds,
        healthFactorFloor: settings.workers.healthFactorFloor,
        botSeconds: settings.workers.botSeconds,
        prices: billing(settings),
        settlements: settlements(settings, served),
        exchanges: {
          // The operator's URLs override the devnet's fakes.
          urls: { ...served.exchangeUrls, ...settings.workers.exchangeUrls },
          timeoutMillis: settings.workers.exchangeTimeoutMillis,
          windowMillis: settings.workers.exchangeWindowMillis
        },
        exchangeSeconds: settings.workers.exchangeSeconds,
        webhooksToLoopback: settings.workers.webhooksToLoopback,
        gasWatch: gasWatch(settings)
      })
  )).pipe(
    Layer.provide(Digest(settings)),
    Layer.provide(nodes),
    Layer.provide(NodeHttpClient.layerUndici)
  )
