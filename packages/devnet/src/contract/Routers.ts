/** Deploys routers in place of the aggregators' and QuickSwap's, all trading in the devnet's Uniswap pools. */
import * as Effect from "effect/Effect"
import type { Network } from "@vault-trader/core/chain/Network"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"
import type { Contract, Deployer } from "./Deployer.ts"
import type { UniswapV3 } from "./UniswapV3.ts"

export interface Routers {
  /** Executes swaps for the aggregators' routers; their calldata names it. */
  readonly executor: Contract
  readonly oneInch: Contract
  readonly kyberswap: Contract
  readonly odosV3: Contract
  /** Only on polygon, where QuickSwap is. */
  readonly quickswap: { readonly router: Contract; readonly quoter: Contract } | undefined
}

const deployQuickswap = (deployer: Deployer, { own }: Bundle, { factory, quoter, router }: UniswapV3) =>
  Effect.all({
    router: deployer.deploy(own.QuickswapRouter, factory.address, router.address),
    quoter: deployer.deploy(own.QuickswapQuoter, factory.address, quoter.address)
  })

export const deploy = (
  deployer: Deployer,
  bundle: Bundle,
  uniswap: UniswapV3,
  network: Network
): Effect.Effect<Routers, RpcFailure> =>
  Effect.gen(function*() {
    const { own } = bundle
    return {
      executor: yield* deployer.deploy(own.SwapExecutor, uniswap.router.address),
      oneInch: yield* deployer.deploy(own.OneInchRouter, uniswap.factory.address),
      kyberswap: yield* deployer.deploy(own.KyberSwapRouter),
      odosV3: yield* deployer.deploy(own.OdosRouter),
      quickswap: network === "polygon" ? yield* deployQuickswap(deployer, bundle, uniswap) : undefined
    }
  })
