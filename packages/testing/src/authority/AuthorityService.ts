/**
 * The real server in this process, without sockets: handlers, admission and stores over a real PostgreSQL, the real
 * keyring, and actors over a world of vaults and contract wallets.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { ChangeStore } from "@vault-trader/core/console/ChangeStore"
import { ConsoleCalls, ManagerCalls, WalletCalls } from "@vault-trader/core/console/ConsoleApi"
import { SessionStore } from "@vault-trader/core/console/SessionStore"
import { PriceList } from "@vault-trader/core/billing/PriceList"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { type KeyLimits } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import type { Scope } from "@vault-trader/core/gas-wallet/SwitchScope"
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { CreationBudgetStore } from "@vault-trader/core/rate-limit/CreationBudgetStore"
import { ServerStore } from "@vault-trader/core/rate-limit/ServerStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { migrate } from "@vault-trader/core/storage/Migrations"
import { StrategyBotStore } from "@vault-trader/core/strategy/StrategyBotStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { EmbeddedPostgres } from "@vault-trader/devnet/postgres/EmbeddedPostgres"
import * as PostgresClient from "@vault-trader/devnet/postgres/PostgresClient"
import * as CatalogueHandlers from "@vault-trader/server/Catalogue"
import { ChangeNotifier } from "@vault-trader/server/console/ChangeNotifier"
import { ConsoleCallsLive } from "@vault-trader/server/console/ConsoleApi"
import { SessionAdmissionLive } from "@vault-trader/server/console/SessionAdmission"
import { ManagerCallsLive, WalletCallsLive } from "@vault-trader/server/console/SessionCalls"
import { AdmissionLive } from "@vault-trader/server/endpoint/Admission"
import { GatekeeperLive } from "@vault-trader/server/endpoint/Gatekeeper"
import { GracefulShutdown } from "@vault-trader/server/gate/GracefulShutdown"
import { IdempotentWritesLive } from "@vault-trader/server/gate/IdempotentWrites"
import { LiveServers } from "@vault-trader/server/gate/LiveServers"
import { KeyCache } from "@vault-trader/server/gate/KeyCache"
import { LastUseLive } from "@vault-trader/server/gate/LastUse"
import { RateLimit } from "@vault-trader/server/gate/RateLimit"
import { Directory } from "@vault-trader/server/gate/ServedNetworks"
import * as Intents from "@vault-trader/server/intent/Intents"
import { ChangeVotesLive } from "@vault-trader/server/change-approval/ChangeVotes"
import { AssociationLive } from "@vault-trader/server/manager/Association"
import { ManagerProofLive } from "@vault-trader/server/manager/ManagerProof"
import * as Server from "@vault-trader/server/Server"
import type { ServerOptions } from "@vault-trader/server/ServerOptions"
import { Origin } from "@vault-trader/server/wire/Origin"
import { RequestSeconds } from "@vault-trader/server/wire/RequestState"
import { KeyringLive } from "@vault-trader/workers/gas-wallet/Keyring"
import { Signer } from "@vault-trader/workers/gas-wallet/Signer"
import { SigningPolicy } from "@vault-trader/workers/gas-wallet/SigningPolicy"
import * as TestRunner from "effect/cluster/TestRunner"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as RpcTest from "effect/rpc/RpcTest"
import * as SqlClient from "effect/sql/SqlClient"
import { createHash } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryHttp from "../strategy-test/MemoryHttp.ts"
import * as World from "./World.ts"

const many = 1_000_000

const options: ServerOptions = {
  directory: { networks: World.networks, defaultNetwork: "base", protocols: ["dhedge"] },
  rateLimit: {
    enabled: false,
    burst: many,
    perMinute: many,
    trustedProxies: [],
    perHour: { wallets: many, signIns: many }
  },
  sockets: { perSession: 1, perClient: 1, inAll: 1, idleSeconds: 60 },
  version: { version: "test", commit: "test" },
  waitSeconds: 0,
  requestSeconds: 60,
  open: { ofVault: many, ofWallet: many, ofService: many }
}

const digest = ApiKeyDigest.of({
  digest: (apiKey) => Effect.sync(() => createHash("sha256").update(Redacted.value(apiKey).toLowerCase()).digest("hex"))
})

/** The response to a request: its HTTP status and its fields without the wire's arrays around them. */
export interface Answer {
  readonly status: number
  readonly fields: Readonly<Record<string, unknown>>
  /** The session's cookie, if the response sets one. */
  readonly cookie: string
}

/** The result of a console call. */
export type Called =
  | { readonly _tag: "done"; readonly value: unknown }
  | { readonly _tag: "refused"; readonly message: string }

/** An account that signs. */
export interface Signing {
  readonly address: Address
  readonly signText: (text: string) => Effect.Effect<Hex>
}

export class AuthorityService extends Context.Service<AuthorityService, {
  readonly world: World.World
  /** Sends a JSON body to an endpoint. */
  readonly post: (path: string, body: Readonly<Record<string, unknown>>) => Effect.Effect<Answer>
  /** Calls the console's API with a session's cookie. The payload holds decoded values. */
  readonly call: (cookie: string, tag: string, payload: unknown) => Effect.Effect<Called>
  /** Signs in; returns the cookie, or "" when it is refused. */
  readonly signIn: (manager: Address, by: Signing, chainId: number) => Effect.Effect<string>
  /** Counts the sale of an accepted intent as its planning does; returns false when a limit refuses it. */
  readonly plan: (spending: Parameters<KeyLimitStore["Service"]["reserve"]>[0]) => Effect.Effect<boolean>
  /** Lets the time of a wallet's sub-keys pass. */
  readonly expireSubKeys: (wallet: Address) => Effect.Effect<void>
  /** Acts as the operator. */
  readonly operator: {
    readonly pause: (scope: Scope) => Effect.Effect<void>
    readonly resume: (scope: Scope) => Effect.Effect<void>
    readonly limit: (wallet: Address, limits: KeyLimits) => Effect.Effect<void>
  }
}>()("vault-trader/testing/authority/AuthorityService") {}

/** A migrated PostgreSQL in a temporary folder. Commits are not flushed: no test of authority crashes it. */
const Database = Layer.effectDiscard(migrate).pipe(
  Layer.provideMerge(Layer.unwrap(
    Effect.map(EmbeddedPostgres, (postgres) => PostgresClient.layer({ ...postgres.clientConfig(), maxConnections: 16 }))
  )),
  Layer.provide(Layer.unwrap(Effect.map(
    Effect.acquireRelease(
      Effect.promise(() => mkdtemp(join(tmpdir(), "vault-trader-authority-"))),
      (folder) => Effect.promise(() => rm(folder, { recursive: true, force: true }))
    ),
    (dataDir) => EmbeddedPostgres.layer({ dataDir })
  )))
)

const relaxed = Layer.effectDiscard(Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`alter role current_user set synchronous_commit = off`
}))

/** The keyring of production. It signs no transaction here, so its signer's policy is never asked. */
const keyring = KeyringLive.pipe(
  Layer.provide(Signer.layer({ version: 1, key: Redacted.make("11".repeat(32)) })),
  Layer.provide([
    GasWalletStore.layer,
    ApiKeyStore.layer,
    Layer.succeed(ApiKeyDigest, digest),
    Layer.mock(SigningPolicy, { admits: () => false, isPayee: () => false })
  ])
)

const first = (value: unknown): unknown => Array.isArray(value) && value.length === 1 ? value[0] : value

/** Serves the catalogue and the sign-in in memory. Returns the function that sends a request from the service's page. */
const http = Effect.gen(function*() {
  const memory = MemoryHttp.make()
  yield* Layer.build(Server.layer(options).pipe(Layer.provide(Layer.succeed(HttpServer.HttpServer, memory.server))))
  return (path: string, body: Readonly<Record<string, unknown>>) =>
    Effect.map(
      Effect.promise(() => memory.post(path, body, { origin: "http://localhost" })),
      ({ headers, status, text }): Answer => ({
        status,
        fields: Object.fromEntries(
          Object.entries(JSON.parse(text) as Record<string, unknown>).map(([name, value]) => [name, first(value)])
        ),
        cookie: (headers["set-cookie"]?.[0] ?? "").split(";")[0] ?? ""
      })
    )
})

/** The calls of the console's socket that change something or act as a wallet, with everything that they need. */
const consoleLayer = Layer.mergeAll(
  ConsoleCallsLive,
  SessionAdmissionLive,
  Layer.provide(Layer.merge(WalletCallsLive, ManagerCallsLive), CatalogueHandlers.layer(options))
).pipe(
  Layer.provide(ChangeNotifier.layer),
  Layer.provide(AdmissionLive),
  Layer.provide([Intents.layer(options), PriceList.layer(undefined), GatekeeperLive]),
  Layer.provide([AssociationLive, ChangeVotesLive, ManagerProofLive]),
  Layer.provide([KeyCache.layer, LastUseLive]),
  Layer.provide([
    ChangeStore.layer,
    SessionStore.layer,
    ApiKeyStore.layer,
    KillSwitch.layer,
    ManagerStore.layer,
    ThresholdBotStore.layer,
    IndexBotStore.layer,
    VaultOrderStore.layer,
    GuardianStore.layer,
    FollowerStore.layer,
    StrategyBotStore.layer
  ]),
  Layer.provide([RateLimit.layer(options.rateLimit), Origin.layer([]), Layer.succeed(Directory, options.directory)]),
  Layer.provide([CreationBudgetStore.layer, Layer.provide(LiveServers.layer, ServerStore.layer)]),
  Layer.provide([IdempotentWritesLive, GracefulShutdown.layer, Layer.succeed(RequestSeconds, options.requestSeconds)])
)

type Flat = (
  tag: string,
  payload: unknown,
  options: { readonly headers: Readonly<Record<string, string>> }
) => Effect.Effect<unknown, { readonly message: string }>

const make = (world: World.World) =>
  Effect.gen(function*() {
    const post = yield* http
    const console = yield* Layer.build(consoleLayer)
    const client = (yield* Effect.provideContext(
      RpcTest.makeClient(ConsoleCalls.merge(WalletCalls, ManagerCalls), { flatten: true, disableFatalDefects: true }),
      console
    )) as unknown as Flat
    const switches = yield* KillSwitch
    const limits = yield* KeyLimitStore
    const sql = yield* SqlClient.SqlClient
    return AuthorityService.of({
      world,
      post,
      call: (cookie, tag, payload) =>
        Effect.map(Effect.exit(client(tag, payload, { headers: { cookie } })), (exit): Called => {
          if (Exit.isSuccess(exit)) return { _tag: "done", value: exit.value }
          const failure = Cause.squash(exit.cause) as { readonly message?: string }
          return { _tag: "refused", message: String(failure.message) }
        }),
      signIn: (manager, by, chainId) =>
        Effect.gen(function*() {
          const { fields } = yield* post("/console/sign-in", { address: manager, chainId })
          const signature = yield* by.signText(String(fields["message"]))
          return (yield* post("/console/session", { nonce: fields["nonce"], signature })).cookie
        }),
      plan: (spending) =>
        Effect.match(sql.withTransaction(limits.reserve(spending)), {
          onSuccess: () => true,
          onFailure: (failure) => {
            if (failure._tag === "SqlError") throw failure
            return false
          }
        }),
      expireSubKeys: (wallet) =>
        Effect.asVoid(Effect.orDie(sql`update sub_keys set expires_at = now() where wallet = ${wallet}`)),
      operator: {
        pause: (scope) => Effect.orDie(switches.pause(scope, "by the operator")),
        resume: (scope) => Effect.asVoid(Effect.orDie(switches.resume(scope))),
        limit: (wallet, next) => Effect.asVoid(Effect.orDie(limits.change(wallet, () => next)))
      }
    })
  })

/** Starts the service. It ends with the scope. */
export const layer: Layer.Layer<AuthorityService> = Layer.suspend(() => {
  const world = World.make()
  return Layer.effect(AuthorityService, make(world)).pipe(
    Layer.provide([KillSwitch.layer, KeyLimitStore.layer]),
    Layer.provide([keyring, World.actors(world)]),
    Layer.provide([TestRunner.layer, relaxed, Layer.succeed(ApiKeyDigest, digest)]),
    Layer.provide(Database),
    Layer.orDie
  )
})
