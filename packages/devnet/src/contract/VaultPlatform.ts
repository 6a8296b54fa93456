/** Deploys the vault platform, and vaults for the demo and for tests. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { parseAbi, zeroAddress } from "viem"
import type { Address } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"
import type { DeployedVault, Foundation } from "./Deployed.ts"
import { AddressResult, type Contract, type Deployer, read } from "./Deployer.ts"
import type { TokenFacts } from "./Market.ts"
import type { Token } from "./Tokens.ts"

/** Maximum loss by slippage: 10% of the swapped value, forgiven within a day. */
const maximumSlippage = 100_000n
const slippageDecaySeconds = 86_400n

export interface VaultPlatform {
  readonly factory: Contract
  readonly slippageAccumulator: Contract
  /** The guard of the tokens that vaults hold. */
  readonly tokenGuard: Contract
}

/** Deploys the platform with every token as a valid asset. No venue is callable yet. */
export const deploy = (
  deployer: Deployer,
  { own }: Bundle,
  tokens: ReadonlyArray<Token>
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
    yield* deployer.send(factory, "setSlippageAccumulator", slippageAccumulator.address)
    for (const type of new Set(tokens.map((token) => token.type))) {
      yield* deployer.send(factory, "setAssetGuard", type, tokenGuard.address)
    }
    for (const { contract, feed, type } of tokens) {
      yield* deployer.send(factory, "addAsset", contract.address, type, feed.address)
    }
    return { factory, slippageAccumulator, tokenGuard }
  })

/** Whole tokens the deployer invests in a demo vault. */
const investments = [["USDC", 100_000n], ["WETH", 10n]] as const

export interface VaultFacts {
  readonly manager: Address
  readonly name: string
  readonly symbol: string
  /** Assets the vault may hold besides the tokens that belong in every demo vault. */
  readonly markets: ReadonlyArray<Address>
}

const tokenAbi = parseAbi(["function approve(address spender, uint256 amount) returns (bool)"])

/** Creates a vault without a trader, with what the deployer invests. */
export const createDemoVault = (
  deployer: Deployer,
  { own }: Bundle,
  foundation: Foundation,
  market: ReadonlyArray<TokenFacts>,
  { manager, markets, name, symbol }: VaultFacts
): Effect.Effect<DeployedVault, RpcFailure> =>
  Effect.gen(function*() {
    const addressOf = (symbol: string) => foundation.tokens[symbol]?.address ?? zeroAddress
    const held = market
      .filter(({ inVault }) => inVault !== "absent")
      .map(({ inVault, symbol }) => ({ asset: addressOf(symbol), isDeposit: inVault === "deposit" }))
    const assets = [...held, ...markets.map((asset) => ({ asset, isDeposit: false }))]
    const names = ["Demo manager", name, symbol]
    const [performanceFee, managerFee] = [1000n, 200n]
    const factory = { address: foundation.factory, abi: own.PoolFactory.abi }
    yield* deployer.send(factory, "createFund", false, manager, ...names, performanceFee, managerFee, 0n, 0n, assets)
    const funds = yield* read(deployer.rpc, factory, Schema.Array(AddressResult), "getDeployedFunds")
    const pool = { address: funds.at(-1) ?? zeroAddress, abi: own.PoolLogic.abi }
    const poolManagerLogic = yield* read(deployer.rpc, pool, AddressResult, "poolManagerLogic")
    for (const [symbol, tokens] of investments) {
      const amount = tokens * 10n ** BigInt(foundation.tokens[symbol]?.decimals ?? 0)
      yield* deployer.send({ address: addressOf(symbol), abi: tokenAbi }, "approve", pool.address, amount)
      yield* deployer.send(pool, "deposit", addressOf(symbol), amount)
    }
    return { pool: pool.address, poolManagerLogic, manager }
  })
