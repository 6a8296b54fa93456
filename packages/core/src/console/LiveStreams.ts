/**
 * Derives a stream from every read-only call: `live.<tag>` emits the call's current result, and again each time it
 * changes. An endpoint is read-only by its class. The console's own calls have no class, so pass only those that read.
 */
import * as Rpc from "effect/rpc/Rpc"
import * as RpcGroup from "effect/rpc/RpcGroup"
import type * as RpcSchema from "effect/rpc/RpcSchema"
import * as Context from "effect/Context"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Declared } from "../endpoint/Endpoint.ts"
import { Failure } from "../failure/Failure.ts"
import { SessionAdmission, SignedOut } from "./Session.ts"

/** The reasons why a stream ends: a call failed, or the session is over. */
const LiveFailure = Schema.Union([Failure, SignedOut])

/**
 * The result of one poll: the call's answer as `data`, or as the `patch` (RFC 6902) that makes it of the last one sent,
 * in the form of the wire. Both are absent when it is the same as the last one; either way the client's data is current.
 * With `read_at`, in milliseconds since 1970, `data` is an earlier answer, which was current then: a stream begins with
 * it while the network cannot be read.
 */
const itemOf = <Success extends Schema.Top>(success: Success) =>
  Schema.Struct({
    data: Schema.optional(success),
    patch: Schema.optional(Schema.Array(Schema.Unknown)),
    read_at: Schema.optional(Schema.Number)
  })

/** The stream of a call. The types cannot exclude writes: a write has no stream, and a request for one is refused. */
type LiveOf<R> = R extends Rpc.Rpc<infer Tag, infer Payload, infer Success, infer _Failed, infer _> ? Rpc.Rpc<
    `live.${Tag}`,
    Payload,
    RpcSchema.Stream<ReturnType<typeof itemOf<Success>>, typeof LiveFailure>,
    typeof Schema.Never,
    typeof SessionAdmission
  >
  : never

/** Returns the tag of the call that a stream repeats. */
export const callOf = (stream: string): string => stream.slice("live.".length)

const isReadOnly = (rpc: Rpc.AnyWithProps) =>
  Option.match(Context.getOption(rpc.annotations, Declared), {
    onNone: () => true,
    onSome: (facts) => facts.class === "readOnly"
  })

/** Builds the streams of a group's read-only calls. */
export const live = <Rpcs extends Rpc.Any>(group: RpcGroup.RpcGroup<Rpcs>): RpcGroup.RpcGroup<LiveOf<Rpcs>> => {
  const calls = Array.from(group.requests.values()) as unknown as ReadonlyArray<Rpc.AnyWithProps>
  return RpcGroup.make(
    ...calls.filter(isReadOnly).map((rpc) =>
      Rpc.make(`live.${rpc._tag}`, {
        payload: rpc.payloadSchema,
        success: itemOf(rpc.successSchema),
        error: LiveFailure,
        stream: true
      }).middleware(SessionAdmission)
    )
  ) as never
}
