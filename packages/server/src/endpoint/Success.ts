/** The success schema of a procedure. */
import type * as Rpc from "effect/rpc/Rpc"
import type * as RpcGroup from "effect/rpc/RpcGroup"

/** Returns the success schema of the procedure with this name. The type ensures that it exists. */
export const successOf = <Rpcs extends Rpc.Any, const Name extends Rpcs["_tag"]>(
  group: RpcGroup.RpcGroup<Rpcs>,
  name: Name
): Rpc.SuccessSchema<Rpc.ExtractTag<Rpcs, Name>> =>
  (group.requests.get(name) as unknown as Rpc.AnyWithProps).successSchema as Rpc.SuccessSchema<
    Rpc.ExtractTag<Rpcs, Name>
  >
