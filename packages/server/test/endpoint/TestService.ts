/** A small service behind the real gate and interpreter, with endpoints that answer, fail, die or wait on request. */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import * as Endpoint from "@vault-trader/core/endpoint/Endpoint"
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Params from "@vault-trader/core/endpoint/Params"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import { CreationBudgetStore } from "@vault-trader/core/rate-limit/CreationBudgetStore"
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as HttpServer from "effect/http/HttpServer"
import * as Layer from "effect/Layer"
import * as NetAddress from "effect/net/NetAddress"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Ref from "effect/Ref"
import * as References from "effect/References"
import type * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import * as Schema from "effect/Schema"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Http from "node:http"
import { AdmissionLive } from "../../src/endpoint/Admission.ts"
import { Gatekeeper } from "../../src/endpoint/Gatekeeper.ts"
import * as Interpreter from "../../src/endpoint/Interpreter.ts"
import { firstUpTo } from "../../src/params/RequestParams.ts"
import { GracefulShutdown } from "../../src/gate/GracefulShutdown.ts"
import { GateLive } from "../../src/gate/Gate.ts"
import { Hosts } from "../../src/gate/Hosts.ts"
import * as Listener from "../../src/gate/Listener.ts"
import { LiveServers } from "../../src/gate/LiveServers.ts"
import { RateLimit, type RateLimitOptions } from "../../src/gate/RateLimit.ts"
import { IdempotentWrites } from "../../src/gate/IdempotentWrites.ts"
import { Origin } from "../../src/wire/Origin.ts"
import { RequestSeconds } from "../../src/wire/RequestState.ts"

export const wallet = `0x${"ab".repeat(20)}` as const

class TestApi extends RpcGroup.make(
  Endpoint.make("echo", {
    class: "readOnly",
    access: "open",
    summary: "Returns its parameters.",
    aliases: ["/also/echo", "/echo/:asset/of"],
    params: {
      asset: Schema.optional(Params.Asset("Asset")),
      share: Schema.optional(Params.Share),
      network: Schema.optional(Params.Network)
    },
    success: { asset: Schema.NullOr(Schema.String), share: Schema.NullOr(Schema.Number) },
    example: { asset: "USDC", share: 1 }
  }),
  Endpoint.make("behave", {
    class: "readOnly",
    access: "open",
    summary: "Ends as requested.",
    params: { asset: Params.Asset("How to end") },
    success: {},
    example: {}
  }),
  Endpoint.make("whoami", {
    class: "readOnly",
    summary: "Says whose key it is.",
    params: { apiKey: Params.ApiKey },
    success: { address: Schema.String },
    example: { address: wallet }
  }),
  Endpoint.make("change", {
    class: "changesConfig",
    access: "open",
    method: "DELETE",
    summary: "Counts how often something was changed; waits first, if requested.",
    params: { asset: Schema.optional(Params.Asset("How to change")) },
    success: { count: Schema.Number },
    example: { count: 1 }
  }),
  Endpoint.make("seal", {
    class: "changesConfig",
    access: "open",
    method: "POST",
    methods: ["POST"],
    summary: "Takes a secret.",
    deprecated: { since: "2027-01-31", sunset: "2027-08-31", instead: "Keep your secrets." },
    params: { privateKey: Params.PrivateKey },
    success: {},
    example: {}
  })
) {}

/** Signals to the test that a request is waiting, and lets the request continue. */
export class Waiting extends Context.Service<Waiting, {
  readonly begun: Deferred.Deferred<void>
  readonly release: Deferred.Deferred<void>
  readonly changes: Ref.Ref<number>
}>()("vault-trader/server/test/Waiting") {
  static readonly layer = Layer.effect(
    Waiting,
    Effect.all({ begun: Deferred.make<void>(), release: Deferred.make<void>(), changes: Ref.make(0) })
  )
}

const done = { status: "success" as const }
const secret = "hunter2"

/** A key at which the plain functions of admission throw. */
export const brokenKey = "00000000-0000-4000-8000-0000000000bb"

const handlers = TestApi.toLayer(Effect.gen(function*() {
  const { begun, changes, release } = yield* Waiting
  return {
    echo: ({ asset, share }) => Effect.succeed({ ...done, asset: asset ?? null, share: share ?? null }),
    behave: ({ asset }) => {
      switch (asset) {
        case "validation":
          return new ValidationFailure({ code: "1005", message: "contract: is none" })
        case "execution":
          return new ExecutionFailure({ errorType: "no_route", message: "No venue has a route.", intentId: "i" })
        case "defect":
          return Effect.die(new Error(secret))
        case "throw":
          return Effect.suspend((): Effect.Effect<never> => {
            throw new TypeError(secret)
          })
        case "database":
          return Effect.die(
            new SqlError({ reason: new ConnectionError({ cause: new Error(secret), message: secret }) })
          )
        case "wait":
          return Effect.andThen(Deferred.succeed(begun, undefined), Effect.as(Deferred.await(release), done))
        default:
          return Effect.succeed(done)
      }
    },
    whoami: () => Effect.map(Caller, ({ wallet }) => ({ ...done, address: wallet })),
    change: ({ asset }) =>
      Effect.gen(function*() {
        if (asset === "wait") yield* Effect.andThen(Deferred.succeed(begun, undefined), Deferred.await(release))
        return { ...done, count: yield* Ref.updateAndGet(changes, (count) => count + 1) }
      }),
    seal: () => Effect.succeed(done)
  }
}))

const FakeGatekeeper = Layer.succeed(Gatekeeper, {
  admitAs: (_, __, caller) => Effect.succeed(caller),
  admitKnown: (_, { apiKey }) => {
    if (Redacted.isRedacted(apiKey) && Redacted.value(apiKey) === brokenKey) throw new TypeError(secret)
    return { wallet, keyId: "k" }
  },
  admitBy: () => Effect.succeed({ _tag: "key", wallet, keyId: crypto.randomUUID() }),
  admit: (facts, _, refusals) => {
    const failure = firstUpTo(refusals, Number.POSITIVE_INFINITY)
    return failure !== undefined
      ? Effect.fail(failure)
      : Effect.succeed(facts.access === "open" ? Option.none() : Option.some({ wallet, keyId: "k" }))
  }
})

/** An empty ledger. */
const FakeWrites = Layer.succeed(IdempotentWrites, {
  named: () => Effect.succeedNone,
  settled: <A, E, R>(request: Effect.Effect<A, E, R>) => request
})

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** An HTTP client of the service. */
export class Client extends Context.Service<Client, {
  readonly ask: (path: string, request?: RequestInit & { readonly duplex?: "half" }) => Effect.Effect<Answer>
  /** A request with these headers, also those that a browser sets itself; `PORT` stands for the service's port. */
  readonly named: (
    path: string,
    headers: Readonly<Record<string, string>>
  ) => Effect.Effect<{ readonly status: number; readonly text: string }>
}>()("vault-trader/server/test/Client") {}

const ClientLive = Layer.effect(
  Client,
  Effect.map(HttpServer.HttpServer, ({ address }) => ({
    named: (path, headers) =>
      Effect.callback<{ readonly status: number; readonly text: string }>((resume) => {
        const port = NetAddress.isInetAddress(address) ? address.port : 0
        const placed = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [name, value.replace("PORT", String(port))])
        )
        Http.get({ host: "127.0.0.1", port, path, headers: placed }, (response) => {
          const chunks: Array<Buffer> = []
          response.on("data", (chunk: Buffer) => chunks.push(chunk))
          response.on(
            "end",
            () => resume(Effect.succeed({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }))
          )
        })
      }),
    ask: (path, request) =>
      Effect.promise(async () => {
        const base = NetAddress.isInetAddress(address) ? `http://127.0.0.1:${address.port}` : "http://unix"
        const response = await fetch(`${base}${path}`, request)
        return { status: response.status, headers: response.headers, text: await response.text() }
      })
  }))
)

export const unlimited: RateLimitOptions = {
  enabled: false,
  burst: 20,
  perMinute: 30,
  trustedProxies: [],
  perHour: { wallets: 1_000, signIns: 1_000 }
}

/** One server, and a budget of creations that is never used up. */
const OneServer = Layer.mergeAll(
  Layer.succeed(CreationBudgetStore, { take: () => Effect.succeed(undefined) }),
  Layer.succeed(LiveServers, { count: () => 1 })
)

/** Serves a group behind the gate on its own port. Its tests need `excludeTestServices`. */
export const Served = <Rpcs extends Rpc.Any, R>(
  group: RpcGroup.RpcGroup<Rpcs>,
  handlers: Layer.Layer<Rpc.ToHandler<Rpcs>, never, R>,
  rateLimit: RateLimitOptions,
  ending: Layer.Layer<GracefulShutdown> = GracefulShutdown.layer,
  origins: ReadonlyArray<string> = [],
  seconds = 25
) =>
  ClientLive.pipe(
    Layer.provideMerge(HttpRouter.serve(
      Interpreter.layer(group).pipe(
        Layer.provide(GateLive),
        Layer.provide([handlers, AdmissionLive]),
        Layer.provide([
          FakeGatekeeper,
          FakeWrites,
          Layer.provide(RateLimit.layer(rateLimit), OneServer),
          ending,
          Hosts.layer(rateLimit.trustedProxies)
        ]),
        Layer.provide([Origin.layer(origins), Layer.succeed(RequestSeconds, seconds)])
      ),
      { disableLogger: true, disableListenLog: true }
    )),
    Layer.provideMerge(Listener.layer(() => Http.createServer(), { host: "127.0.0.1", port: 0 })),
    // As a service without a collector of traces.
    Layer.provide([Layer.succeed(References.MinimumLogLevel, "None"), Layer.succeed(References.TracerEnabled, false)])
  )

/** Serves the small service. */
export const TestService = (
  rateLimit: RateLimitOptions,
  ending?: Layer.Layer<GracefulShutdown>,
  origins?: ReadonlyArray<string>,
  seconds?: number
) => Served(TestApi, handlers, rateLimit, ending, origins, seconds).pipe(Layer.provideMerge(Waiting.layer), Layer.orDie)
