/** Deploys the platform's leveraged and inverse vault tokens, and EasySwapperV2, which buys and redeems them. */
import * as Effect from "effect/Effect"
import { stringToHex } from "viem"
import type { Network } from "@vault-trader/core/chain/Network"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"
import type { Foundation } from "./Deployed.ts"
import type { Deployer } from "./Deployer.ts"
import { feedAnswer, type PoolTokenFacts, poolTokens } from "./Market.ts"
import type { Routers } from "./Routers.ts"
import { type Tokens, whole } from "./Tokens.ts"
import type { VaultPlatform } from "./VaultPlatform.ts"

/** The platform's asset types: vault tokens are tokens, a withdrawal in progress is a position. */
const assetType = { token: 0, withdrawal: 30 } as const

/** Key of Odos's router at the swapper. */
export const odosKey = "ODOS_V3"

/** Whole tokens that each vault token can pay out, of the assets in which it redeems. The first one is deposited. */
const stock = [["USDC", 1_000_000n], ["WETH", 100n]] as const

interface Base {
  readonly deployer: Deployer
  readonly bundle: Bundle
  readonly tokens: Tokens
  readonly platform: Pick<VaultPlatform, "factory" | "slippageAccumulator">
  readonly routers: Pick<Routers, "odosV3">
}

const deployToken = ({ bundle: { own }, deployer, platform: { factory }, tokens }: Base, facts: PoolTokenFacts) =>
  Effect.gen(function*() {
    const assets = stock.map(([symbol]) => tokens(symbol).contract.address)
    const contract = yield* deployer.deploy(own.PoolToken, facts.name, facts.symbol, factory.address, assets)
    const feed = yield* deployer.deploy(own.DevAggregator, 8, `${facts.symbol} / USD`, facts.price)
    yield* deployer.send(factory, "addAsset", contract.address, assetType.token, feed.address)
    for (const [symbol, amount] of stock) {
      const token = tokens(symbol)
      yield* deployer.send(token.contract, "transfer", contract.address, whole(amount, token))
    }
    return { ...facts, contract, feed }
  })

/** Deploys the vault tokens of a network. They are assets of the platform that no demo vault holds. */
export const deploy = (
  network: Network,
  base: Base
): Effect.Effect<Pick<Foundation, "easySwapper" | "feeds">, RpcFailure> =>
  Effect.gen(function*() {
    const { bundle: { own }, deployer, platform: { factory, slippageAccumulator }, routers } = base
    const tokens = yield* Effect.forEach(poolTokens(network), (facts) => deployToken(base, facts))
    const swapper = yield* deployer.deploy(own.Swapper)
    yield* deployer.send(swapper, "setRouter", stringToHex(odosKey, { size: 32 }), routers.odosV3.address)
    const easySwapper = yield* deployer.deploy(own.EasySwapperV2, swapper.address)
    for (const { contract } of tokens) yield* deployer.send(easySwapper, "whitelist", contract.address, true)
    const guard = yield* deployer.deploy(own.EasySwapperV2Guard, slippageAccumulator.address)
    const assetGuard = yield* deployer.deploy(own.EasySwapperV2AssetGuard)
    // A position's balance is already its value in dollars.
    const dollar = yield* deployer.deploy(own.DevAggregator, 8, "USD / USD", feedAnswer(1))
    yield* deployer.send(factory, "setContractGuard", easySwapper.address, guard.address)
    yield* deployer.send(factory, "setAssetGuard", assetType.withdrawal, assetGuard.address)
    yield* deployer.send(factory, "addAsset", easySwapper.address, assetType.withdrawal, dollar.address)
    return {
      easySwapper: {
        address: easySwapper.address,
        poolTokens: Object.fromEntries(
          tokens.map(({ base, contract, leverage, symbol }) => [
            symbol,
            { address: contract.address, base, leverage }
          ])
        )
      },
      feeds: Object.fromEntries(tokens.map(({ feed, symbol }) => [symbol, feed.address]))
    }
  })
