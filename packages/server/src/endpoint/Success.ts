/** The success schema of one procedure of a group. */
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"

/** Typed lookup by name; the name is one of the group's, so it is there. */
export const successOf = <Rpcs extends Rpc.Any, const Name extends Rpcs["_tag"]>(
  group: RpcGroup.RpcGroup<Rpcs>,
  name: Name
): Rpc.SuccessSchema<Rpc.ExtractTag<Rpcs, Name>> =>
  (group.requests.get(name) as unknown as Rpc.AnyWithProps).successSchema as Rpc.SuccessSchema<Rpc.ExtractTag<Rpcs, Name>>
