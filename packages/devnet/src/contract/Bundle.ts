/** Everything that a network's deployment needs, read once and shared by all networks. */
import * as Effect from "effect/Effect"
import { createHash } from "node:crypto"
import * as Artifact from "./Artifact.ts"

const uniswap = (path: string) => Artifact.fromPackage(`@uniswap/${path}.json`)

const aave = (folder: string, name: string) =>
  Artifact.fromPackage(`@aave/core-v3/artifacts/contracts/${folder}/${name}.sol/${name}.json`)

const aaveLogic = (name: string) => aave("protocol/libraries/logic", name)

export const load = Effect.all({
  own: Artifact.own,
  weth: Artifact.fromPackage("canonical-weth/build/contracts/WETH9.json"),
  multicall3Code: Artifact.multicall3Code,
  aave: Effect.all({
    addressesProvider: aave("protocol/configuration", "PoolAddressesProvider"),
    aclManager: aave("protocol/configuration", "ACLManager"),
    /** By the names under which contracts link them; the last one links another of them. */
    libraries: Effect.all({
      BorrowLogic: aaveLogic("BorrowLogic"),
      BridgeLogic: aaveLogic("BridgeLogic"),
      ConfiguratorLogic: aaveLogic("ConfiguratorLogic"),
      EModeLogic: aaveLogic("EModeLogic"),
      LiquidationLogic: aaveLogic("LiquidationLogic"),
      PoolLogic: aaveLogic("PoolLogic"),
      SupplyLogic: aaveLogic("SupplyLogic"),
      FlashLoanLogic: aaveLogic("FlashLoanLogic")
    }),
    pool: aave("protocol/pool", "Pool"),
    configurator: aave("protocol/pool", "PoolConfigurator"),
    rateStrategy: aave("protocol/pool", "DefaultReserveInterestRateStrategy"),
    oracle: aave("misc", "AaveOracle"),
    dataProvider: aave("misc", "AaveProtocolDataProvider"),
    aToken: aave("protocol/tokenization", "AToken"),
    stableDebtToken: aave("protocol/tokenization", "StableDebtToken"),
    variableDebtToken: aave("protocol/tokenization", "VariableDebtToken")
  }),
  uniswap: Effect.all({
    factory: uniswap("v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory"),
    descriptorLibrary: uniswap("v3-periphery/artifacts/contracts/libraries/NFTDescriptor.sol/NFTDescriptor"),
    descriptor: uniswap(
      "v3-periphery/artifacts/contracts/NonfungibleTokenPositionDescriptor.sol/NonfungibleTokenPositionDescriptor"
    ),
    positionManager: uniswap(
      "v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager"
    ),
    router: uniswap("swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02"),
    quoter: uniswap("v3-periphery/artifacts/contracts/lens/QuoterV2.sol/QuoterV2")
  })
})

export type Bundle = Effect.Success<typeof load>

/** Increase it when the deployment changes without a contract changing, so that saved chains are deployed to again. */
const deploymentVersion = 4

/** Identifies what would be deployed: a saved chain with another fingerprint has old contracts. */
export const fingerprint = ({ own }: Bundle): string =>
  createHash("sha256").update(JSON.stringify([deploymentVersion, own])).digest("hex").slice(0, 16)
