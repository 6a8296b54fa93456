/** Deploys Aave V3 from its npm artifacts, with liquidity of which some is borrowed, so that rates are not zero. */
import * as Effect from "effect/Effect"
import { maxUint256, zeroAddress } from "viem"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import { link } from "./Artifact.ts"
import type { Bundle } from "./Bundle.ts"
import { AddressResult, type Contract, type Deployer, read } from "./Deployer.ts"
import type { ReserveFacts } from "./Market.ts"
import { type Token, type Tokens, whole } from "./Tokens.ts"

export interface AaveV3 {
  readonly addressesProvider: Contract
  readonly pool: Contract
  readonly dataProvider: Contract
  readonly oracle: Contract
}

type Reserve = ReserveFacts & { readonly token: Token }

/** Converts a rate to Aave's 27 decimals. */
const ray = (rate: number): bigint => BigInt(Math.round(rate * 1e9)) * 10n ** 18n

const variableRate = 2n
const oneDollar = 10n ** 8n
const liquidationBonus = 10_500n
const reserveFactor = 1_000n

/** Deploys the addresses provider, and gives the deployer every role before a contract checks them. */
const deployProvider = (deployer: Deployer, { aave }: Bundle) =>
  Effect.gen(function*() {
    const provider = yield* deployer.deploy(link(aave.addressesProvider, {}), "Devnet market", deployer.address)
    yield* deployer.send(provider, "setACLAdmin", deployer.address)
    const roles = yield* deployer.deploy(link(aave.aclManager, {}), provider.address)
    yield* deployer.send(provider, "setACLManager", roles.address)
    for (const grant of ["addPoolAdmin", "addAssetListingAdmin", "addRiskAdmin"]) {
      yield* deployer.send(roles, grant, deployer.address)
    }
    return provider
  })

const deployLibraries = (deployer: Deployer, { aave }: Bundle) =>
  Effect.reduce(
    Object.entries(aave.libraries),
    (): Readonly<Record<string, string>> => ({}),
    (deployed, [name, library]) =>
      Effect.map(deployer.deploy(link(library, deployed)), ({ address }) => ({ ...deployed, [name]: address }))
  )

/** Deploys the pool and its configurator: proxies that the provider creates for the implementations it is given. */
const deployPool = (deployer: Deployer, bundle: Bundle, provider: Contract) =>
  Effect.gen(function*() {
    const { aave } = bundle
    const libraries = yield* deployLibraries(deployer, bundle)
    const poolCode = yield* deployer.deploy(link(aave.pool, libraries), provider.address)
    const configuratorCode = yield* deployer.deploy(link(aave.configurator, libraries))
    yield* deployer.send(provider, "setPoolImpl", poolCode.address)
    yield* deployer.send(provider, "setPoolConfiguratorImpl", configuratorCode.address)
    const pool = yield* read(deployer.rpc, provider, AddressResult, "getPool")
    const configurator = yield* read(deployer.rpc, provider, AddressResult, "getPoolConfigurator")
    return {
      pool: { address: pool, abi: poolCode.abi },
      configurator: { address: configurator, abi: configuratorCode.abi }
    }
  })

const deployOracle = (deployer: Deployer, { aave }: Bundle, provider: Contract, reserves: ReadonlyArray<Reserve>) =>
  Effect.gen(function*() {
    const oracle = yield* deployer.deploy(
      link(aave.oracle, {}),
      provider.address,
      reserves.map(({ token }) => token.contract.address),
      reserves.map(({ token }) => token.feed.address),
      zeroAddress,
      zeroAddress,
      oneDollar
    )
    yield* deployer.send(provider, "setPriceOracle", oracle.address)
    return oracle
  })

const deployRates = (deployer: Deployer, { aave }: Bundle, provider: Contract, kind: ReserveFacts["rates"]) => {
  const [optimal, low, high] = kind === "stable" ? [0.9, 0.04, 0.6] : [0.45, 0.07, 3]
  const stableDebt = [0.005, 0.75, 0.01, 0.08, 0.2]
  const numbers = [optimal, 0, low, high, ...stableDebt].map(ray)
  return deployer.deploy(link(aave.rateStrategy, {}), provider.address, ...numbers)
}

const initialise = (
  deployer: Deployer,
  bundle: Bundle,
  { configurator, pool, provider }: {
    readonly configurator: Contract
    readonly pool: Contract
    readonly provider: Contract
  },
  reserves: ReadonlyArray<Reserve>
) =>
  Effect.gen(function*() {
    const { aave } = bundle
    const supply = yield* deployer.deploy(link(aave.aToken, {}), pool.address)
    const stable = yield* deployer.deploy(link(aave.stableDebtToken, {}), pool.address)
    const variable = yield* deployer.deploy(link(aave.variableDebtToken, {}), pool.address)
    const rates = {
      stable: yield* deployRates(deployer, bundle, provider, "stable"),
      volatile: yield* deployRates(deployer, bundle, provider, "volatile")
    }
    for (const { liquidationThreshold, ltv, symbol, token, ...reserve } of reserves) {
      const asset = token.contract.address
      yield* deployer.send(configurator, "initReserves", [{
        aTokenImpl: supply.address,
        stableDebtTokenImpl: stable.address,
        variableDebtTokenImpl: variable.address,
        underlyingAssetDecimals: token.decimals,
        interestRateStrategyAddress: rates[reserve.rates].address,
        underlyingAsset: asset,
        treasury: deployer.address,
        incentivesController: zeroAddress,
        aTokenName: `Aave Devnet ${symbol}`,
        aTokenSymbol: `aDev${symbol}`,
        variableDebtTokenName: `Aave Devnet Variable Debt ${symbol}`,
        variableDebtTokenSymbol: `variableDebtDev${symbol}`,
        stableDebtTokenName: `Aave Devnet Stable Debt ${symbol}`,
        stableDebtTokenSymbol: `stableDebtDev${symbol}`,
        params: "0x10"
      }])
      yield* deployer.send(
        configurator,
        "configureReserveAsCollateral",
        asset,
        ltv,
        liquidationThreshold,
        liquidationBonus
      )
      yield* deployer.send(configurator, "setReserveBorrowing", asset, true)
      yield* deployer.send(configurator, "setReserveFactor", asset, reserveFactor)
    }
  })

/** Supplies the deployer's stock and borrows part of it back. */
const seed = (deployer: Deployer, pool: Contract, reserves: ReadonlyArray<Reserve>) =>
  Effect.gen(function*() {
    const { address } = deployer
    for (const { supplied, token } of reserves) {
      yield* deployer.send(token.contract, "approve", pool.address, maxUint256)
      yield* deployer.send(pool, "supply", token.contract.address, whole(supplied, token), address, 0)
    }
    for (const { borrowed, token } of reserves) {
      yield* deployer.send(pool, "borrow", token.contract.address, whole(borrowed, token), variableRate, 0, address)
    }
  })

/** Deploys the pool, the oracle on the devnet's feeds, the data provider and the reserves. */
export const deploy = (
  deployer: Deployer,
  bundle: Bundle,
  tokens: Tokens,
  market: ReadonlyArray<ReserveFacts>
): Effect.Effect<AaveV3, RpcFailure> =>
  Effect.gen(function*() {
    const reserves = market.map((facts) => ({ ...facts, token: tokens(facts.symbol) }))
    const provider = yield* deployProvider(deployer, bundle)
    const { configurator, pool } = yield* deployPool(deployer, bundle, provider)
    const oracle = yield* deployOracle(deployer, bundle, provider, reserves)
    const dataProvider = yield* deployer.deploy(link(bundle.aave.dataProvider, {}), provider.address)
    yield* deployer.send(provider, "setPoolDataProvider", dataProvider.address)
    yield* initialise(deployer, bundle, { configurator, pool, provider }, reserves)
    yield* seed(deployer, pool, reserves)
    return { addressesProvider: provider, pool, dataProvider, oracle }
  })
