/** Deploys the vault platform with its guards, and one demo vault. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Address } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"
import type { Deployed } from "./Deployed.ts"
import { AddressResult, type Contract, type Deployer, read } from "./Deployer.ts"
import type { Token, Tokens } from "./Tokens.ts"

/** Asset type of plain ERC-20s. Lending and LP positions have types, and guards, of their own. */
const plainToken = 0

/** 10% of every swapped value may be lost, and is forgiven within a day. */
const maximumSlippage = 100_000n
const slippageDecaySeconds = 86_400n

export interface VaultPlatform {
  readonly factory: Contract
  readonly slippageAccumulator: Contract
}

/** The platform with every token a valid asset and Uniswap's router callable. */
export const deploy = (
  deployer: Deployer,
  { own }: Bundle,
  tokens: ReadonlyArray<Token>,
  router: Contract
): Effect.Effect<VaultPlatform, RpcFailure> =>
  Effect.gen(function*() {
    const pool = yield* deployer.deploy(own.PoolLogic)
    const managerLogic = yield* deployer.deploy(own.PoolManagerLogic)
    const factory = yield* deployer.deploy(own.PoolFactory, pool.address, managerLogic.address)
    const slippageAccumulator = yield* deployer.deploy(
      own.SlippageAccumulator,
      factory.address,
      slippageDecaySeconds,
      maximumSlippage
    )
    const tokenGuard = yield* deployer.deploy(own.ERC20Guard)
    const routerGuard = yield* deployer.deploy(own.UniswapV3RouterGuard, slippageAccumulator.address)
    yield* deployer.send(factory, "setSlippageAccumulator", slippageAccumulator.address)
    yield* deployer.send(factory, "setAssetGuard", plainToken, tokenGuard.address)
    yield* deployer.send(factory, "setContractGuard", router.address, routerGuard.address)
    for (const { contract, feed } of tokens) {
      yield* deployer.send(factory, "addAsset", contract.address, plainToken, feed.address)
    }
    return { factory, slippageAccumulator }
  })

/** Whole tokens the deployer invests in the demo vault. */
const investments = [["USDC", 100_000n], ["WETH", 10n]] as const

/** A vault of `manager` without a trader, holding what the deployer invested. */
export const createDemoVault = (
  deployer: Deployer,
  { own }: Bundle,
  { factory }: VaultPlatform,
  tokens: ReadonlyArray<Token>,
  bySymbol: Tokens,
  manager: Address
): Effect.Effect<Deployed["vaults"][number], RpcFailure> =>
  Effect.gen(function*() {
    const assets = tokens
      .filter(({ inVault }) => inVault !== "absent")
      .map(({ contract, inVault }) => ({ asset: contract.address, isDeposit: inVault === "deposit" }))
    const names = ["Demo manager", "Demo Vault", "DEMO"]
    const [performanceFee, managerFee] = [1000n, 200n]
    yield* deployer.send(factory, "createFund", false, manager, ...names, performanceFee, managerFee, 0n, 0n, assets)
    const funds = yield* read(deployer.rpc, factory, Schema.NonEmptyArray(AddressResult), "getDeployedFunds")
    const pool = { address: funds[0], abi: own.PoolLogic.abi }
    const poolManagerLogic = yield* read(deployer.rpc, pool, AddressResult, "poolManagerLogic")
    for (const [symbol, whole] of investments) {
      const { contract, decimals } = bySymbol(symbol)
      const amount = whole * 10n ** BigInt(decimals)
      yield* deployer.send(contract, "approve", pool.address, amount)
      yield* deployer.send(pool, "deposit", contract.address, amount)
    }
    return { pool: pool.address, poolManagerLogic, manager }
  })
