/**
 * Every call that only looks, as a stream: `live.<tag>` tells what the call would answer now, and again whenever that has become something
 * else. A fold: a call needs no line of its own. What only looks is known by an endpoint's class; of the console's own calls give reads only.
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

/** Why a stream ends: a look failed, or the session is over. */
export const LiveFailure = Schema.Union([Failure, SignedOut])

/** What a look has seen: `data`, or nothing where that is what was sent before. Either way it is true now. */
export type Seen<Success extends Schema.Top> = Schema.Struct<{ readonly data: Schema.optional<Success> }>

/** The stream of a call. The types cannot tell a write: a write has no twin, and asking for one is refused. */
export type LiveOf<R> = R extends Rpc.Rpc<infer Tag, infer Payload, infer Success, infer _Failed, infer _>
  ? Rpc.Rpc<`live.${Tag}`, Payload, RpcSchema.Stream<Seen<Success>, typeof LiveFailure>, typeof Schema.Never, typeof SessionAdmission>
  : never

/** The call a stream repeats. */
export const callOf = (stream: string): string => stream.slice("live.".length)

const onlyLooks = (rpc: Rpc.AnyWithProps) =>
  Option.match(Context.getOption(rpc.annotations, Declared), { onNone: () => true, onSome: (facts) => facts.class === "readOnly" })

/** The streams of a group's calls that only look. */
export const live = <Rpcs extends Rpc.Any>(group: RpcGroup.RpcGroup<Rpcs>): RpcGroup.RpcGroup<LiveOf<Rpcs>> => {
  const calls = Array.from(group.requests.values()) as unknown as ReadonlyArray<Rpc.AnyWithProps>
  return RpcGroup.make(...calls.filter(onlyLooks).map((rpc) =>
    Rpc.make(`live.${rpc._tag}`, {
      payload: rpc.payloadSchema,
      success: Schema.Struct({ data: Schema.optional(rpc.successSchema) }),
      error: LiveFailure,
      stream: true
    }).middleware(SessionAdmission))) as never
}
