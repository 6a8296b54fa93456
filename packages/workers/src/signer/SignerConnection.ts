/**
 * A runner's connection to the signer's process. It reconnects by itself. A request that gets no answer in time fails
 * with `SignerAway`: whether it was carried out is decided by the rows and the signing record, as after a crash.
 */
import * as NodeSocket from "@effect/platform-node/NodeSocket"
import { SubmissionMac } from "@vault-trader/core/gas-wallet/SubmissionMac"
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as RpcClient from "effect/rpc/RpcClient"
import { RpcClientError } from "effect/rpc/RpcClientError"
import type * as RpcGroup from "effect/rpc/RpcGroup"
import * as RpcSerialization from "effect/rpc/RpcSerialization"
import * as Schedule from "effect/Schedule"
import { Socket } from "effect/socket/Socket"
import { SignerAway } from "../gas-wallet/SigningStop.ts"
import type { RecordStatus } from "../gas-wallet/RecordWriter.ts"
import * as PlannerMark from "./PlannerMark.ts"
import { maxFrameSize, SignerRpc } from "./SignerRpc.ts"

/** Time between two checks of the signer, and between two attempts to connect. */
const checkInterval = "1 second"
const connectInterval = "500 millis"
/** A signer that is connected and silent for this long is frozen: requests in flight to it fail. */
const silence = "3 seconds"

type Client = RpcClient.RpcClient<RpcGroup.Rpcs<typeof SignerRpc>, RpcClientError>

export class SignerConnection extends Context.Service<SignerConnection, {
  /** Sends a request. Fails with `SignerAway` when the signer does not answer within `limit`. */
  readonly ask: <A, E>(
    limit: Duration.Input,
    request: (client: Client) => Effect.Effect<A, E | RpcClientError>
  ) => Effect.Effect<A, E | SignerAway>
  /** The state as of the last check: the signing record's, and `away` without an answer of the signer. */
  readonly status: Effect.Effect<RecordStatus | { readonly _tag: "away"; readonly message: string }>
}>()("vault-trader/workers/signer/SignerConnection") {
  /** `path`: the signer's socket. */
  static readonly layer = (path: string): Layer.Layer<SignerConnection> =>
    Layer.effect(
      SignerConnection,
      Effect.gen(function*() {
        const client: Client = yield* RpcClient.make(SignerRpc, { disableTracing: true })
        const gone = `The signer at ${path} does not answer; nothing is signed until it does.`
        const mark = PlannerMark.of(yield* SubmissionMac)
        const ask: SignerConnection["Service"]["ask"] = (limit, request) =>
          request(client).pipe(
            Effect.timeoutOrElse({ duration: limit, orElse: () => new SignerAway({ message: gone }) }),
            // A broken connection is a failure of the client, or a defect where it breaks while a request is written.
            Effect.catchCause((cause) => failureOf(cause, gone))
          )

        let status: Effect.Success<SignerConnection["Service"]["status"]> = { _tag: "away", message: gone }
        const check = Effect.gen(function*() {
          const found = yield* Effect.result(ask("2 seconds", (signer) => signer.status()))
          const before = status
          status = found._tag === "Failure"
            ? { _tag: "away", message: gone }
            : found.success.mark !== mark
            ? {
              _tag: "away",
              message: `The signer at ${path} has another planner key, or another database, than this runner; ` +
                "nothing is signed."
            }
            : found.success.unwritable === null
            ? { _tag: "ok" }
            : { _tag: "unwritable", message: found.success.unwritable }
          if (before._tag !== status._tag) {
            yield* status._tag === "ok"
              ? Effect.logInfo(`the signer at ${path} signs`)
              : Effect.logWarning(status.message)
          }
        })
        yield* check
        yield* Effect.forkScoped(Effect.repeat(check, Schedule.spaced(checkInterval)))
        return { ask, status: Effect.sync(() => status) }
      })
    ).pipe(
      Layer.provide(RpcClient.layerProtocolSocket({
        pingInterval: checkInterval,
        pingTimeout: silence,
        retryTransientErrors: false,
        retryPolicy: Schedule.spaced(connectInterval)
      })),
      Layer.provide([
        Layer.effect(Socket, NodeSocket.makeNet({ path, openTimeout: 1000 })),
        RpcSerialization.layerSchemaBinary({ maxFrameSize })
      ])
    )
}

/** Returns the typed failure of a request's cause; anything else means that the signer did not answer. */
const failureOf = <E>(
  cause: Cause.Cause<E | RpcClientError>,
  gone: string
): Effect.Effect<never, E | SignerAway> => {
  if (Cause.hasInterruptsOnly(cause)) return Effect.interrupt
  const failure = Cause.findErrorOption(cause)
  return Option.isSome(failure) && !(failure.value instanceof RpcClientError)
    ? Effect.fail(failure.value)
    : Effect.fail(new SignerAway({ message: gone }))
}
