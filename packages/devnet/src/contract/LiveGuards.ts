/** The guard lists of the live networks: governance guards no exchange's own router, only aggregators. */
import { AddressResult, make, read } from "./Deployer.ts"
import type { Network } from "@vault-trader/core/chain/Network"
import * as Effect from "effect/Effect"
import { parseAbi, zeroAddress } from "viem"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Deployed } from "./Deployed.ts"

const abi = parseAbi([
  "function getContractGuard(address) view returns (address)",
  "function setContractGuard(address, address)"
])

/** The network that keeps the guards of Uniswap V3's and QuickSwap's routers, so that they can be tried. */
const exception: Network = "polygon"

/** Takes the guards from the exchanges' routers of a network, if it still has them. */
export const apply = (
  rpc: AnvilRpc,
  network: Network,
  { factory: address, quickswap, uniswapV3 }: Pick<Deployed, "factory" | "quickswap" | "uniswapV3">
): Effect.Effect<void, RpcFailure> =>
  Effect.gen(function*() {
    if (network === exception) return
    const factory = { address, abi }
    const deployer = yield* make(rpc)
    for (const router of [uniswapV3.router, quickswap?.router]) {
      if (router === undefined) continue
      const guard = yield* read(rpc, factory, AddressResult, "getContractGuard", router)
      if (guard !== zeroAddress) yield* deployer.send(factory, "setContractGuard", router, zeroAddress)
    }
  })
