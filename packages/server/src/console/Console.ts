/** The console's routes: its page, sign-in, and RPC over a WebSocket. */
import { ChangeStore } from "@vault-trader/core/console/ChangeStore"
import { ConsoleApi } from "@vault-trader/core/console/ConsoleApi"
import { SessionStore } from "@vault-trader/core/console/SessionStore"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { VaultLinkStore } from "@vault-trader/core/gas-wallet/VaultLinkStore"
import { FollowerStore } from "@vault-trader/core/follower/FollowerStore"
import { GuardianStore } from "@vault-trader/core/guardian/GuardianStore"
import { VaultOrderStore } from "@vault-trader/core/vault-order/VaultOrderStore"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import { IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { StrategyBotStore } from "@vault-trader/core/strategy/StrategyBotStore"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { ActivityStore } from "@vault-trader/core/intent/ActivityStore"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as RpcServer from "effect/rpc/RpcServer"
import * as Wire from "../wire/Wire.ts"
import { query } from "../gate/ActorCall.ts"
import type { Version } from "../gate/Health.ts"
import { RateLimit } from "../gate/RateLimit.ts"
import * as WebSockets from "../gate/WebSockets.ts"
import { Origin } from "../wire/Origin.ts"
import * as Assets from "./Assets.ts"
import { PerformanceStores } from "../performance/PerformanceReads.ts"
import { ChangeNotifier } from "./ChangeNotifier.ts"
import { ConsoleCallsLive } from "./ConsoleApi.ts"
import { ConsoleReadsLive } from "./ConsoleReads.ts"
import { LiveCallsLive } from "./LiveStreams.ts"
import { ManagerCallsLive, WalletCallsLive } from "./SessionCalls.ts"
import { SignedCallsLive } from "./SignedCalls.ts"
import * as OpenCalls from "./OpenCalls.ts"
import { clientHeader, SessionAdmissionLive } from "./SessionAdmission.ts"
import { digestOf, tokenOf } from "./SessionToken.ts"
import * as SignIn from "./SignIn.ts"
import * as Sockets from "./Sockets.ts"

/** Serves `/console/rpc`, a WebSocket for signed-in managers on our own page. Each call reads the session again. */
const socket = (limits: Sockets.SocketLimits) =>
  Layer.effect(
    RpcServer.Protocol,
    Effect.gen(function*() {
      const { httpEffect, protocol } = yield* RpcServer.makeProtocolWithHttpEffectWebsocket
      const router = yield* HttpRouter.HttpRouter
      const sessions = yield* SessionStore
      const { urls } = yield* Origin
      const limiter = yield* RateLimit
      const sockets = Sockets.make(limits)
      const webSockets = yield* WebSockets.make(limits.idleSeconds)
      const empty = HttpServerResponse.empty()
      /**
       * Serves the calls of one socket. The protocol reads the socket from the request, and the calls the client's
       * network from its headers; the rest of the request is unchanged.
       */
      const serve = (request: HttpServerRequest.HttpServerRequest) =>
        webSockets.upgrade(request, (upgraded) => {
          // Object.create loses the prototype's type.
          const socketRequest = Object.create(request, {
            upgrade: { value: Effect.succeed(upgraded) },
            // The protocol passes headers to the calls and nothing else; one that the client sent is replaced.
            headers: { value: Headers.set(request.headers, clientHeader, limiter.clientOf(request)) }
          }) as HttpServerRequest.HttpServerRequest
          return Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, socketRequest)
        }).pipe(
          Effect.catch((ended) => Effect.logDebug("a socket of the console ended", ended)),
          Effect.as(empty)
        )
      const connect = Effect.gen(function*() {
        yield* SignIn.originOf(urls)
        const request = yield* HttpServerRequest.HttpServerRequest
        const token = tokenOf(request.headers)
        const session = token === undefined ? Option.none() : yield* query(sessions.find(digestOf(token)))
        if (token === undefined || Option.isNone(session)) return Wire.error(401, "Sign in first.")
        return yield* sockets.within(
          { session: digestOf(token), client: limiter.clientOf(request) },
          serve(request),
          (message) => Wire.error(429, message)
        )
      })
      yield* router.add("GET", "/console/rpc", Effect.catch(connect, Effect.succeed))
      return OpenCalls.bounded(protocol)
    })
  )

const calls = ({ scripts, sockets, version }: ConsoleOptions) =>
  RpcServer.layer(ConsoleApi, { disableFatalDefects: true, disableTracing: true }).pipe(
    Layer.provide(socket(sockets)),
    // The size limit of a frame also applies to a message of several frames.
    Layer.provide(RpcSerialization.layerNdjsonWith({ maxBufferSize: WebSockets.maxFrame })),
    Layer.provide(LiveCallsLive),
    Layer.provide([
      // The only scripts from elsewhere are those of the devnet's wallet.
      ConsoleReadsLive(version.version, scripts.length > 0),
      ConsoleCallsLive,
      WalletCallsLive,
      ManagerCallsLive,
      SignedCallsLive,
      SessionAdmissionLive
    ]),
    Layer.provide(ChangeNotifier.layer),
    Layer.provide([ActivityStore.layer, ChangeStore.layer, PerformanceStores])
  )

export interface ConsoleOptions {
  /** Folder of the built page. */
  readonly console?: string | undefined
  readonly version: Version
  readonly sockets: Sockets.SocketLimits
  /** Paths of scripts at this origin that the page loads before its own. */
  readonly scripts: ReadonlyArray<string>
}

/** The stores of the console's sessions and of the data that its pages show. */
const stores = Layer.mergeAll(
  ...[SessionStore.layer, ApiKeyStore.layer, KillSwitch.layer, ManagerStore.layer, VaultLinkStore.layer],
  ...[ThresholdBotStore.layer, IndexBotStore.layer, IndexRunStore.layer, VaultOrderStore.layer],
  ...[GuardianStore.layer, FollowerStore.layer, StrategyBotStore.layer]
)

export const layer = (options: ConsoleOptions) =>
  Layer.mergeAll(Assets.layer(options.console, options.scripts), SignIn.layer, calls(options)).pipe(
    Layer.provide(stores)
  )
