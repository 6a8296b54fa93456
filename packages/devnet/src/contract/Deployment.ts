/** Deploys everything a network of the devnet has. Takes well under a second. */
import * as Effect from "effect/Effect"
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"
import type { Deployed } from "./Deployed.ts"
import * as Deployer from "./Deployer.ts"
import * as Market from "./Market.ts"
import * as Tokens from "./Tokens.ts"
import * as UniswapV3 from "./UniswapV3.ts"
import * as VaultPlatform from "./VaultPlatform.ts"

/** What Multicall3's author deployed it from, at nonce 0, on every chain: sending from there gives the same address. */
const multicall3Deployer: Address = "0x05f32b3cc3888453ff71b01135b34ff8e41263f2"
const multicall3: Address = "0xca11bde05977b3631167028862be2a173976ca11"

/** Enough for a manager to send some transactions. */
const managerGas = 10n ** 20n

const deployMulticall3 = (rpc: AnvilRpc, { multicall3Code }: Bundle) =>
  Effect.gen(function*() {
    if ((yield* rpc.code(multicall3)) !== "0x") return
    yield* rpc.setBalance(multicall3Deployer, 10n ** 18n)
    yield* rpc.impersonating(multicall3Deployer, rpc.send({ from: multicall3Deployer, data: multicall3Code }))
  })

/** Deploys to the node behind `rpc`; the demo vault belongs to `manager`. */
export const deploy: (options: {
  readonly rpc: AnvilRpc
  readonly network: Network
  readonly manager: Address
  readonly bundle: Bundle
}) => Effect.Effect<Deployed, RpcFailure> = Effect.fn("Deployment.deploy")(function*(options) {
  const { bundle, manager, network, rpc } = options
  yield* deployMulticall3(rpc, bundle)
  const deployer = yield* Deployer.make(rpc)
  const tokens = yield* Tokens.deploy(deployer, bundle, Market.tokens(network))
  const bySymbol = Tokens.index(tokens)
  const wrappedNative = bySymbol(facts[network].wrappedNative).contract
  const uniswap = yield* UniswapV3.deploy(deployer, bundle, wrappedNative)
  yield* UniswapV3.seedPools(deployer, uniswap, bySymbol, Market.pools(network))
  const platform = yield* VaultPlatform.deploy(deployer, bundle, tokens, uniswap.router)
  yield* rpc.addBalance(manager, managerGas)
  const vault = yield* VaultPlatform.createDemoVault(deployer, bundle, platform, tokens, bySymbol, manager)
  return {
    factory: platform.factory.address,
    tokens: Object.fromEntries(
      tokens.map(({ contract, decimals, symbol }) => [symbol, { address: contract.address, decimals }])
    ),
    vaults: [vault],
    multicall3,
    wrappedNative: wrappedNative.address,
    uniswapV3: {
      factory: uniswap.factory.address,
      router: uniswap.router.address,
      quoter: uniswap.quoter.address,
      positionManager: uniswap.positionManager.address
    },
    slippageAccumulator: platform.slippageAccumulator.address,
    feeds: Object.fromEntries(tokens.map(({ feed, symbol }) => [symbol, feed.address]))
  }
})
