/** Deploys everything that a network of the devnet has. The result is cached for later chains. */
import * as Effect from "effect/Effect"
import type { Address } from "@vault-trader/core/chain/Address"
import { facts, type Network } from "@vault-trader/core/chain/Network"
import type { AnvilRpc } from "../anvil/AnvilRpc.ts"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import * as AaveV3 from "./AaveV3.ts"
import type { Bundle } from "./Bundle.ts"
import type { Deployed, Foundation } from "./Deployed.ts"
import * as Deployer from "./Deployer.ts"
import * as GasPriceOracle from "./GasPriceOracle.ts"
import * as Guards from "./Guards.ts"
import * as Lenders from "./Lenders.ts"
import * as Market from "./Market.ts"
import * as PancakeCl from "./PancakeCl.ts"
import * as Perpetuals from "./Perpetuals.ts"
import * as PoolTokens from "./PoolTokens.ts"
import * as Prebuilt from "./Prebuilt.ts"
import * as Routers from "./Routers.ts"
import * as Tokens from "./Tokens.ts"
import * as UniswapV3 from "./UniswapV3.ts"
import * as VelodromeCl from "./VelodromeCl.ts"
import * as VaultPlatform from "./VaultPlatform.ts"

/** The account that deployed Multicall3, at nonce 0, on every chain: deploying from it gives the same address. */
const multicall3Deployer: Address = "0x05f32b3cc3888453ff71b01135b34ff8e41263f2"
const multicall3: Address = "0xca11bde05977b3631167028862be2a173976ca11"

/** Wei, enough for a manager to send some transactions. */
const managerGas = 10n ** 20n

const deployMulticall3 = (rpc: AnvilRpc, { multicall3Code }: Bundle) =>
  Effect.gen(function*() {
    if ((yield* rpc.code(multicall3)) !== "0x") return
    yield* rpc.setBalance(multicall3Deployer, 10n ** 18n)
    yield* rpc.impersonating(multicall3Deployer, rpc.send({ from: multicall3Deployer, data: multicall3Code }))
  })

/** The markets of a network besides its pools and routers. */
type Markets = Pick<Foundation, "aaveV3" | "comets" | "fTokens" | "perpetuals" | "velodromeCl" | "pancakeCl">

interface DeployedBase {
  readonly deployer: Deployer.Deployer
  readonly bundle: Bundle
  readonly tokens: Tokens.Tokens
  readonly uniswap: UniswapV3.UniswapV3
  readonly routers: Routers.Routers
  readonly platform: VaultPlatform.VaultPlatform
}

/** Deploys the lenders and the other exchanges of concentrated liquidity, and guards for them and for every venue. */
const deployLending = ({ bundle, deployer, platform, routers, tokens, uniswap }: DeployedBase) =>
  Effect.gen(function*() {
    const aave = yield* AaveV3.deploy(deployer, bundle, tokens, Market.reserves)
    const lenders = yield* Lenders.deploy(deployer, bundle, tokens)
    const velodromeCl = yield* VelodromeCl.deploy(deployer, bundle, tokens)
    const pancakeCl = yield* PancakeCl.deploy(deployer, bundle, tokens)
    yield* Guards.install(deployer, bundle, platform, routers, { uniswap, aave, lenders, velodromeCl, pancakeCl })
    const markets: Markets = {
      velodromeCl: {
        factory: velodromeCl.factory.address,
        core: velodromeCl.core.address,
        positionManager: velodromeCl.positionManager.address,
        gauges: velodromeCl.gauges.map(({ address }) => address)
      },
      pancakeCl: {
        factory: pancakeCl.factory.address,
        positionManager: pancakeCl.positionManager.address,
        masterChef: pancakeCl.masterChef.address,
        cake: pancakeCl.cake.address
      },
      aaveV3: {
        pool: aave.pool.address,
        poolDataProvider: aave.dataProvider.address,
        addressesProvider: aave.addressesProvider.address,
        oracle: aave.oracle.address
      },
      comets: Object.fromEntries(lenders.comets.map(({ base, contract }) => [base.symbol, contract.address])),
      fTokens: Object.fromEntries(
        lenders.fTokens.map(({ contract, underlying }) => [underlying.symbol, contract.address])
      )
    }
    return markets
  })

/**
 * Deploys the lenders; on the derivatives network, its exchange instead, where KyberSwap is the only venue with a
 * guard.
 */
const deployMarkets = (network: Network, ground: DeployedBase): Effect.Effect<Markets, RpcFailure> =>
  Effect.gen(function*() {
    const { bundle, deployer, platform, routers, tokens } = ground
    yield* Guards.guardKyberSwap(deployer, bundle, platform, routers)
    if (network !== "hyperliquid") return yield* deployLending(ground)
    return { comets: {}, fTokens: {}, perpetuals: yield* Perpetuals.deploy(deployer, bundle, platform, tokens) }
  })

/** Deploys everything except the vaults, paid by the deployer. */
const deployFoundation = Effect.fn("Deployment.deployFoundation")(function*(
  rpc: AnvilRpc,
  network: Network,
  bundle: Bundle
) {
  yield* deployMulticall3(rpc, bundle)
  const deployer = yield* Deployer.make(rpc)
  const tokens = yield* Tokens.deploy(deployer, bundle, Market.tokens(network))
  const bySymbol = Tokens.index(tokens)
  const wrappedNative = bySymbol(facts[network].wrappedNative).contract
  const uniswap = yield* UniswapV3.deploy(deployer, bundle, wrappedNative)
  yield* UniswapV3.seedPools(deployer, uniswap, bySymbol, Market.pools(network))
  const routers = yield* Routers.deploy(deployer, bundle, uniswap, network)
  const platform = yield* VaultPlatform.deploy(deployer, bundle, tokens)
  const { executor, kyberswap, odosV3, oneInch, quickswap } = routers
  const base = { deployer, bundle, tokens: bySymbol, uniswap, routers, platform }
  const markets = yield* deployMarkets(network, base)
  const { feeds: poolTokenFeeds, ...easySwapper } = network === "hyperliquid"
    ? { feeds: {} }
    : yield* PoolTokens.deploy(network, base)
  const foundation: Foundation = {
    ...markets,
    ...easySwapper,
    factory: platform.factory.address,
    tokens: Object.fromEntries(
      tokens.map(({ contract, decimals, symbol }) => [symbol, { address: contract.address, decimals }])
    ),
    aggregators: {
      "1inch": oneInch.address,
      kyberswap: kyberswap.address,
      odosV3: odosV3.address,
      executor: executor.address
    },
    ...(quickswap === undefined
      ? {}
      : { quickswap: { router: quickswap.router.address, quoter: quickswap.quoter.address } }),
    multicall3,
    wrappedNative: wrappedNative.address,
    uniswapV3: {
      factory: uniswap.factory.address,
      router: uniswap.router.address,
      quoter: uniswap.quoter.address,
      positionManager: uniswap.positionManager.address
    },
    slippageAccumulator: platform.slippageAccumulator.address,
    feeds: { ...Object.fromEntries(tokens.map(({ feed, symbol }) => [symbol, feed.address])), ...poolTokenFeeds }
  }
  return foundation
})

/** Creates the manager's vaults: one for plain tokens, one that may use every market. */
const createVaults = (
  deployer: Deployer.Deployer,
  bundle: Bundle,
  network: Network,
  foundation: Foundation,
  manager: Address
) =>
  Effect.gen(function*() {
    const vault = (facts: Omit<VaultPlatform.VaultFacts, "manager">) =>
      VaultPlatform.createDemoVault(deployer, bundle, foundation, Market.tokens(network), { manager, ...facts })
    const { aaveV3, comets, fTokens, perpetuals, uniswapV3 } = foundation
    const plain = yield* vault({ name: "Demo Vault", symbol: "DEMO", markets: [] })
    if (perpetuals !== undefined) {
      const trading = yield* vault({
        name: "Demo Perpetuals Vault",
        symbol: "PERP",
        markets: [perpetuals.coreWriter]
      })
      const guard = { address: perpetuals.guard, abi: bundle.own.CoreWriterGuard.abi }
      yield* deployer.send(guard, "setWhitelisted", trading.pool, true)
      return [plain, trading]
    }
    const held = (markets: Readonly<Record<string, Address>>, facts: Parameters<typeof Market.isInVault>[0]) =>
      Object.entries(markets).flatMap(([symbol, market]) => Market.isInVault(facts, symbol) ? [market] : [])
    const markets = [
      ...[aaveV3?.pool].filter((market) => market !== undefined),
      ...held(comets, Market.comets),
      ...held(fTokens, Market.fTokens),
      uniswapV3.positionManager
    ]
    return [plain, yield* vault({ name: "Demo Yield Vault", symbol: "YIELD", markets })]
  })

/** Deploys to the node behind `rpc`, or loads an earlier deployment; the demo vaults belong to `manager`. */
export const deploy: (options: {
  readonly rpc: AnvilRpc
  readonly network: Network
  readonly manager: Address
  readonly bundle: Bundle
}) => Effect.Effect<Deployed, RpcFailure> = Effect.fn("Deployment.deploy")(function*(options) {
  const { bundle, manager, network, rpc } = options
  const foundation = yield* Prebuilt.once({ rpc, network, bundle }, deployFoundation(rpc, network, bundle))
  yield* GasPriceOracle.install(rpc, network, bundle)
  yield* rpc.addBalance(manager, managerGas)
  const deployer = yield* Deployer.make(rpc)
  return { ...foundation, vaults: yield* createVaults(deployer, bundle, network, foundation, manager) }
})
