/**
 * Shared parts of the perpetual actions: HyperCore's configuration, the vault's permissions, the simulation and
 * decoding of movements.
 */
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"
import * as Result from "effect/Result"
import type { ChainClient } from "../chain/ChainClient.ts"
import * as Calldata from "../chain/Calldata.ts"
import * as Effect from "effect/Effect"
import * as Contract from "../chain/Contract.ts"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { erc20, Tokens } from "../chain/Tokens.ts"
import { notEnabled } from "../trading/PairState.ts"
import type { VaultContext } from "../vault/Action.ts"
import * as ContractGuard from "../platform/ContractGuard.ts"
import * as Simulation from "../platform/Simulation.ts"
import { refuseWhilePaused } from "../platform/TradingPause.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { MovementDecoder } from "../platform/AssetMovement.ts"
import { factoryAbi, managerLogicAbi } from "../platform/PlatformAbi.ts"
import * as HyperCoreWriter from "./HyperCoreWriter.ts"
import { meaningOf } from "./HyperCoreRevert.ts"

/** Returns the network's HyperCore configuration; fails with 2015 when it has none. */
export const bookOf = (network: Network, chain: ChainClient): Effect.Effect<PerpetualsBook, ExecutionFailure> =>
  chain.book.perpetuals === undefined
    ? explain({ _tag: "PerpetualsNotAvailable", network })
    : Effect.succeed(chain.book.perpetuals)

/** A vault's state for planning at HyperCore. Amounts in smallest units. */
interface PerpetualContext {
  readonly book: PerpetualsBook
  readonly usdc: Token
  /** The vault's USDC balance on the chain. */
  readonly balance: bigint
  /** The deposit wallet's current allowance. */
  readonly allowance: bigint
  /** USD per whole USDC by the vault's oracle, 18 decimals; 0 when there is no price. */
  readonly price: bigint
}

/** Reads the vault's state. Each reason why it cannot use HyperCore fails with its own error type. */
export const read = (
  context: VaultContext,
  through: "writer" | "depositWallet"
): Effect.Effect<PerpetualContext, Failure, Tokens> =>
  Effect.gen(function*() {
    const { chain, facts, network, pool } = context
    const book = yield* bookOf(network, chain)
    yield* refuseWhilePaused(context)
    const usdc = yield* (yield* Tokens).resolve(network, book.usdc, context.assets)
    const target = through === "writer" ? book.coreWriter : book.depositWallet
    const [balance, allowance, enabled, price, guard] = yield* Effect.mapError(
      chain.readConfirmed([
        Contract.read(erc20, usdc.address, "balanceOf", [pool]),
        Contract.read(erc20, usdc.address, "allowance", [pool, book.depositWallet]),
        Contract.read(managerLogicAbi, facts.managerLogic, "isSupportedAsset", [usdc.address]),
        Contract.read(factoryAbi, chain.book.platformFactory, "getAssetPrice", [usdc.address]),
        ContractGuard.read(chain.book, target)
      ]),
      unavailable
    )
    if (!Result.getOrElse(enabled, () => false)) return yield* notEnabled(usdc, facts)
    if (!ContractGuard.isGuarded(guard)) {
      return yield* explain({ _tag: "PerpetualsNotAllowed", network, target })
    }
    return {
      book,
      usdc,
      balance: Result.getOrElse(balance, () => 0n),
      allowance: Result.getOrElse(allowance, () => 0n),
      price: Result.getOrElse(price, () => 0n)
    }
  })

/** Estimates the transaction's gas; a revert is the guard's refusal. */
export const simulate = (context: VaultContext, calls: ReadonlyArray<VaultCall>) =>
  Simulation.estimate(context, calls, (data) => explain(meaningOf(reasonOf(data))))

/** Converts USD with 8 decimals to smallest units of USDC, rounded up. */
export const inUsdc = (usd8: bigint, { decimals }: Pick<Token, "decimals">): bigint => {
  const unit = 10n ** BigInt(8 - decimals)
  return (usd8 + unit - 1n) / unit
}

/** USDC's decimals on the chain, which calldata does not contain. */
const chainDecimals = { decimals: 6 }

/**
 * Decodes what calls to HyperCore's two contracts, and the approval that goes with a deposit, take out of a vault. An
 * order counts with its notional value.
 */
export const movement: MovementDecoder = (chain, call) => {
  const book = chain.book.perpetuals
  if (book === undefined) return undefined
  if (call.to === book.usdc) {
    const approval = Calldata.read(erc20, call.data)
    return approval?.functionName === "approve" && Contract.lower(approval.args[0]) === book.depositWallet
      ? { gives: [], receiver: null }
      : undefined
  }
  if (call.to === book.depositWallet) {
    const amount = HyperCoreWriter.readDeposit(call)
    return amount === undefined ? undefined : { gives: [{ token: book.usdc, amount }], receiver: null }
  }
  if (call.to !== book.coreWriter) return undefined
  const action = HyperCoreWriter.read(call)
  if (action === undefined) return undefined
  const gives = action.kind === "order" ? [{ token: book.usdc, amount: inUsdc(notionalOf(action), chainDecimals) }] : []
  return { gives, receiver: null }
}

/** Returns the notional in USD with 8 decimals of a price and a size with 8 decimals each, rounded up. */
export const notionalOf = ({ price, size }: { readonly price: bigint; readonly size: bigint }): bigint =>
  (price * size + 10n ** 8n - 1n) / 10n ** 8n
