/**
 * Deploys the derivatives network's side of its exchange: contracts that send actions to it, deposit into it, and
 * mirror what accounts have there.
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Address } from "@vault-trader/core/chain/Address"
import type { RpcFailure } from "../anvil/RpcFailure.ts"
import type { Bundle } from "./Bundle.ts"
import { coins } from "./Coins.ts"
import type { Foundation } from "./Deployed.ts"
import type { Contract, Deployer } from "./Deployer.ts"
import { feedAnswer } from "./Market.ts"
import { type Tokens, whole } from "./Tokens.ts"
import type { VaultPlatform } from "./VaultPlatform.ts"

/** The contract's address on the real chain, and the asset that represents what a vault has on the exchange. */
const coreWriter: Address = "0x3333333333333333333333333333333333333333"

/** The account that acts for the exchange on its chain. Funds sent to it on the exchange return to the chain. */
export const systemAddress: Address = "0x2000000000000000000000000000000000000000"

/** The platform's asset type for a Hyperliquid perpetuals account, counted in 6 decimals. */
const assetType = 39

/** USDC that others have on the exchange. Vaults' winnings are paid from it, so they cannot exceed it. */
const stock = 1_000_000_000n

/**
 * Puts the core writer at its real address. It has no constructor and no immutables, so code from one address works at
 * another.
 */
const placeWriter = (deployer: Deployer, { own }: Bundle) =>
  Effect.gen(function*() {
    const { address } = yield* deployer.deploy(own.CoreWriter)
    yield* deployer.rpc.request("anvil_setCode", [coreWriter, yield* deployer.rpc.code(address)], Schema.Unknown)
    return { address: coreWriter, abi: own.CoreWriter.abi }
  })

const install = (
  deployer: Deployer,
  { own }: Bundle,
  { factory }: VaultPlatform,
  { mirror, wallet, writer }: { readonly mirror: Contract; readonly wallet: Contract; readonly writer: Contract }
) =>
  Effect.gen(function*() {
    const writerGuard = yield* deployer.deploy(own.CoreWriterGuard, mirror.address)
    for (const [asset, { isListed, onlyIsolated }] of coins.entries()) {
      if (isListed && !onlyIsolated) yield* deployer.send(writerGuard, "setApproved", asset, true)
    }
    yield* deployer.send(factory, "setContractGuard", writer.address, writerGuard.address)
    const walletGuard = yield* deployer.deploy(own.CoreDepositWalletGuard, writerGuard.address)
    yield* deployer.send(factory, "setContractGuard", wallet.address, walletGuard.address)
    const assetGuard = yield* deployer.deploy(own.CorePositionAssetGuard, mirror.address)
    yield* deployer.send(factory, "setAssetGuard", assetType, assetGuard.address)
    // An account's balance is already its value in dollars.
    const dollar = yield* deployer.deploy(own.DevAggregator, 8, "USD / USD", feedAnswer(1))
    yield* deployer.send(factory, "addAsset", writer.address, assetType, dollar.address)
    return writerGuard
  })

/** Deploys the contracts, the guards and the asset that represents a vault's account. No vault is whitelisted yet. */
export const deploy = (
  deployer: Deployer,
  bundle: Bundle,
  platform: VaultPlatform,
  tokens: Tokens
): Effect.Effect<NonNullable<Foundation["perpetuals"]>, RpcFailure> =>
  Effect.gen(function*() {
    const { own } = bundle
    const usdc = tokens("USDC")
    const writer = yield* placeWriter(deployer, bundle)
    const wallet = yield* deployer.deploy(own.CoreDepositWallet, usdc.contract.address)
    yield* deployer.send(usdc.contract, "mint", wallet.address, whole(stock, usdc))
    const prices = coins.map(({ price }, asset) => ({ asset, px: price }))
    const mirror = yield* deployer.deploy(own.CoreMirror, wallet.address, prices)
    yield* deployer.send(wallet, "setMirror", mirror.address)
    const guard = yield* install(deployer, bundle, platform, { mirror, wallet, writer })
    yield* deployer.rpc.setBalance(systemAddress, 10n ** 27n)
    return {
      coreWriter,
      depositWallet: wallet.address,
      usdc: usdc.contract.address,
      mirror: mirror.address,
      guard: guard.address
    }
  })
