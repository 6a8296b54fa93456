/** The serving process: HTTP in front of the actors, on whichever runner they are. It holds no key and has no RPC URL. */
import { ApprovalPolicy } from "@vault-trader/core/change-approval/ApprovalSettings"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { isLoopback } from "@vault-trader/server/gate/Hosts"
import * as Listener from "@vault-trader/server/gate/Listener"
import * as TlsCertificate from "@vault-trader/server/gate/TlsCertificate"
import * as Server from "@vault-trader/server/Server"
import type { Extra } from "@vault-trader/server/ServerOptions"
import * as Effect from "effect/Effect"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Http from "node:http"
import * as Https from "node:https"
import { actionPrices } from "./ActionPrices.ts"
import { callerDocuments } from "./CallerDocuments.ts"
import * as Cluster from "./Cluster.ts"
import { SharedDatabase } from "./Database.ts"
import { defaultNetworkOf } from "./DefaultNetwork.ts"
import { buildDocumentation } from "./LocalServices.ts"
import { Metrics } from "./MetricsServer.ts"
import { required } from "./Networks.ts"
import { PepperedDigest } from "./PepperedDigest.ts"
import { ready } from "./ReadyLine.ts"
import { version } from "./ServiceVersion.ts"
import type { Settings } from "./Settings.ts"
import { consoleFolder, siteFolder } from "./ShippedFiles.ts"
import { CannotStart, explained } from "./StartupFailure.ts"

/** Returns an HTTPS server whose certificate follows these files. */
const encrypted = (files: TlsCertificate.TlsFiles) =>
  Effect.gen(function*() {
    const certificate = yield* Effect.mapError(
      TlsCertificate.load(files),
      ({ message }) => new CannotStart({ message })
    )
    const server = Https.createServer({ ...certificate })
    yield* TlsCertificate.follow(server, files, certificate)
    return server
  })

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
    const server = tlsCert === undefined || tlsKey === undefined
      ? Http.createServer()
      : yield* encrypted({ cert: tlsCert, key: tlsKey })
    const listening = Listener.layer(() => server, { host, port })
    return explained(
      listening,
      `Nothing can listen on ${host}:${port}; is something running there already? PORT chooses another.`
    )
  })

/** Returns the URL at which callers reach the service. */
export const address = ({ server: { host, tlsCert } }: Settings) =>
  Effect.map(
    HttpServer.HttpServer,
    (server) =>
      `${tlsCert === undefined ? "http" : "https"}://${host}${
        server.address._tag === "UnixPathAddress" ? "" : `:${server.address.port}`
      }`
  )

/** The HTTP routes on their listener, over the cluster that is provided. */
export const Gateway = (settings: Settings, books: ReadonlyArray<NetworkBook>, extra?: Extra) => {
  const { server } = settings
  const networks = books.map(({ network }) => network)
  return Server.layer({
    directory: {
      networks,
      ...defaultNetworkOf(server.defaultNetwork, books),
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
    documents: callerDocuments(),
    console: consoleFolder,
    site: { folder: siteFolder, prepare: buildDocumentation },
    open: { ofVault: server.openOfVault, ofWallet: server.openOfWallet, ofService: server.openOfService },
    billing: actionPrices(settings),
    extra
  }).pipe(
    Layer.provideMerge(Layer.unwrap(listener(settings))),
    Layer.provide(PepperedDigest(settings)),
    Layer.provide(Layer.succeed(ApprovalPolicy, settings.approvals))
  )
}

const announced = (settings: Settings, books: ReadonlyArray<NetworkBook>) => {
  const networks = books.map(({ network }) => network)
  const line = Effect.map(address(settings), (url) => `${url} · networks ${networks.join(", ")}`)
  return ready(line).pipe(
    Layer.provide(Gateway(settings, books)),
    Layer.provide(Metrics(settings, networks)),
    Layer.provide(Cluster.Client(settings))
  )
}

/** The gateway alone, ready when built; any number of them on one PostgreSQL. */
export const GatewayProcess = (settings: Settings) =>
  Layer.unwrap(Effect.map(required(settings), (books) => announced(settings, books))).pipe(
    Layer.provide(SharedDatabase(settings))
  )
