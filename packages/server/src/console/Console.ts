/** The console's part of the gate: its page, signing in, and typed calls over a socket. */
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerRequest from "@effect/platform/HttpServerRequest"
import * as RpcSerialization from "@effect/rpc/RpcSerialization"
import * as RpcServer from "@effect/rpc/RpcServer"
import { ChangeStore } from "@vault-trader/core/console/ChangeStore"
import { ConsoleApi } from "@vault-trader/core/console/ConsoleApi"
import { SessionStore } from "@vault-trader/core/console/SessionStore"
import { ActivityStore } from "@vault-trader/core/intent/ActivityStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Wire from "../endpoint/Wire.ts"
import { stored } from "../gate/Asking.ts"
import type { Version } from "../gate/Health.ts"
import { Origin } from "../manager/Origin.ts"
import * as Assets from "./Assets.ts"
import { Changes } from "./Changes.ts"
import { ConsoleCallsLive, ConsoleReadsLive } from "./ConsoleApi.ts"
import { LiveCallsLive } from "./Live.ts"
import { ManagerCallsLive, WalletCallsLive } from "./OnBehalf.ts"
import { SessionAdmissionLive } from "./SessionAdmission.ts"
import { digestOf, tokenOf } from "./SessionToken.ts"
import * as SignIn from "./SignIn.ts"
import * as Sockets from "./Sockets.ts"

/** `/console/rpc`: a socket for who is signed in and comes from our own page. Each call looks the session up again. */
const socket = Layer.effect(
  RpcServer.Protocol,
  Effect.gen(function*() {
    const { httpApp, protocol } = yield* RpcServer.makeProtocolWithHttpAppWebsocket
    const router = yield* HttpLayerRouter.HttpRouter
    const sessions = yield* SessionStore
    const { url } = yield* Origin
    const sockets = Sockets.make()
    const opened = Effect.gen(function*() {
      yield* SignIn.originOf(url)
      const token = tokenOf((yield* HttpServerRequest.HttpServerRequest).headers)
      const session = token === undefined ? Option.none() : yield* stored(sessions.find(digestOf(token)))
      if (token === undefined || Option.isNone(session)) return Wire.error(401, "Sign in first.")
      return yield* sockets.within(digestOf(token), httpApp, Wire.error(429, `This session has ${Sockets.most} pages open, as many as may be; close one.`))
    })
    yield* router.add("GET", "/console/rpc", Effect.catchAll(opened, Effect.succeed))
    return protocol
  })
)

const calls = (version: Version) =>
  RpcServer.layer(ConsoleApi, { disableFatalDefects: true, disableTracing: true }).pipe(
    Layer.provide(socket),
    Layer.provide(RpcSerialization.layerNdjson),
    Layer.provide(LiveCallsLive),
    Layer.provide([ConsoleReadsLive(version.version), ConsoleCallsLive, WalletCallsLive, ManagerCallsLive, SessionAdmissionLive]),
    Layer.provide(Changes.layer),
    Layer.provide([ActivityStore.layer, ChangeStore.layer])
  )

export interface ConsoleOptions {
  /** Folder of the built page. */
  readonly console?: string | undefined
  readonly version: Version
  /** Paths of this origin whose scripts the page loads before its own. */
  readonly scripts: ReadonlyArray<string>
}

export const layer = ({ console: folder, scripts, version }: ConsoleOptions) =>
  Layer.mergeAll(Assets.layer(folder, scripts), SignIn.layer, calls(version))
