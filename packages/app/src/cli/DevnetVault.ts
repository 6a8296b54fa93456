/** Reads from the chain whether an address is a vault, and who manages it. */
import { type Address, parse } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { DevnetClient } from "@vault-trader/devnet/devnet/DevnetClient"
import * as Effect from "effect/Effect"
import { encodeFunctionData, parseAbi } from "viem"

const abi = parseAbi([
  "function poolManagerLogic() view returns (address)",
  "function manager() view returns (address)"
])

/** Returns a vault's manager; `undefined` when the address is not a vault. */
export const managerOf = (devnet: DevnetClient, network: Network, pool: Address) =>
  Effect.gen(function*() {
    const rpc = yield* devnet.rpc(network)
    const addressAt = (to: Address, functionName: "poolManagerLogic" | "manager") =>
      rpc.call({ to, data: encodeFunctionData({ abi, functionName }) }).pipe(
        Effect.map((data) => data.length === 66 ? parse(`0x${data.slice(26)}`) : undefined),
        // A contract without this function reverts.
        Effect.catchTag("RpcRefused", () => Effect.succeed(undefined))
      )
    const logic = yield* addressAt(pool, "poolManagerLogic")
    return logic === undefined ? undefined : yield* addressAt(logic, "manager")
  })
