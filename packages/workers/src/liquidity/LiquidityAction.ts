/**
 * Shared parts of adding and removing liquidity: the pair, the swap in the transaction, the simulation and the response
 * fields.
 */
import { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Log } from "@vault-trader/core/gas-wallet/Submission"
import { Dex, hasTickSpacing } from "@vault-trader/core/liquidity/Dex"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { reasonOf } from "../chain/Revert.ts"
import { unavailable } from "../chain/RpcFailure.ts"
import { Tokens } from "../chain/Tokens.ts"
import { movedBy } from "../platform/Transfers.ts"
import type * as Action from "../vault/Action.ts"
import * as Simulation from "../platform/Simulation.ts"
import { refuseWhilePaused } from "../platform/TradingPause.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import { meaningOf } from "../platform/PlatformRevert.ts"
import type { Amounts } from "./Amounts.ts"
import type { PairLiquidity, Position } from "./LiquidityPool.ts"
import type { Pool } from "./PairPools.ts"
import * as PositionManager from "./PositionManager.ts"
import * as PositionStaking from "./PositionStaking.ts"
import { isStraight, type Pair, priceBounds } from "./Range.ts"

/** A swap that is part of the transaction; smallest units. */
export const Swap = Schema.Struct({
  venue: Schema.String,
  tokenIn: Token,
  tokenOut: Token,
  amountIn: Schema.BigIntFromString,
  minOut: Schema.BigIntFromString
})
export type Swap = typeof Swap.Type

/** A position as responses describe it. */
export const PositionView = Schema.Struct({
  dex: Dex.pipe(Schema.withDecodingDefaultType(Effect.succeed("uniswapV3" as const))),
  manager: Address,
  first: Token,
  second: Token,
  /** Hundredths of a basis point, or the tick spacing where that distinguishes pools. */
  fee: Schema.Int,
  lowerPrice: Schema.NullOr(Schema.String),
  upperPrice: Schema.NullOr(Schema.String),
  /** Where the position is staked before the transaction. */
  staking: Schema.NullOr(Address).pipe(Schema.withDecodingDefaultType(Effect.succeed(null))),
  /** The token of its rewards. */
  reward: Schema.NullOr(Token).pipe(Schema.withDecodingDefaultType(Effect.succeed(null)))
})
export type PositionView = typeof PositionView.Type

export const positionFields = ({ dex, fee, lowerPrice, manager, upperPrice }: PositionView, staked: boolean) => ({
  dex,
  staked,
  position_manager: manager,
  fee_tier: hasTickSpacing(dex) ? null : fee,
  tick_spacing: hasTickSpacing(dex) ? fee : null,
  lower_price: lowerPrice,
  upper_price: upperPrice
})

/** Describes a position of a pool, and where it is staked. */
export const viewOf = (
  context: Action.VaultContext,
  pair: Pair,
  { exchange }: PairLiquidity,
  pool: Pool,
  range: Pick<Position, "tickLower" | "tickUpper">,
  staking: PositionStaking.Staking | undefined
) =>
  Effect.gen(function*() {
    const { lower_price: lowerPrice, upper_price: upperPrice } = priceBounds(pair, range, pool.spacing)
    return {
      ...{ dex: exchange.dex, manager: exchange.manager, ...pair, fee: pool.key, lowerPrice, upperPrice },
      staking: staking?.contract ?? null,
      reward: staking === undefined ? null : yield* PositionStaking.rewardTokenOf(context, staking)
    } satisfies PositionView
  })

/** Converts the pool's amounts to quantities in the caller's order. */
export const quantities = (pair: Pair, [amount0, amount1]: Amounts) => {
  const [first, second] = isStraight(pair) ? [amount0, amount1] : [amount1, amount0]
  return [{ ...Quantity.of(pair.first, first) }, { ...Quantity.of(pair.second, second) }]
}

/** Formats quantities as text, such as "0.332 WETH and 996 USDC". */
export const words = (amounts: ReturnType<typeof quantities>) =>
  amounts.map(({ amount, symbol }) => `${amount} ${symbol}`).join(" and ")

const format = (token: Token, raw: bigint) => `${Quantity.format(raw, token.decimals)} ${token.symbol}`

/** Describes a swap: with the minimum as planned, or with the amount received according to the logs. */
export const swapFields = (swap: Swap | null, vault: Address | undefined, logs: ReadonlyArray<Log>) =>
  swap === null ? null : {
    venue: swap.venue,
    sold: format(swap.tokenIn, swap.amountIn),
    bought: format(
      swap.tokenOut,
      vault === undefined ? swap.minOut : movedBy(logs, swap.tokenOut.address, vault).received
    )
  }

/** Resolves the tokens of a request; refuses when trading is paused. */
export const pairOf = (context: Action.VaultContext, request: { readonly asset1: string; readonly asset2: string }) =>
  Effect.gen(function*() {
    yield* refuseWhilePaused(context)
    const tokens = yield* Tokens
    const first = yield* tokens.resolve(context.network, request.asset1, context.assets)
    const second = yield* tokens.resolve(context.network, request.asset2, context.assets)
    if (first.address === second.address) {
      return yield* new ValidationFailure({ code: "1010", message: "asset2: must be another asset than asset1" })
    }
    return { first, second } satisfies Pair
  })

/** Resolves a parameter that must name one of the pair's tokens. */
export const oneOf = (context: Action.VaultContext, { first, second }: Pair, name: string, text: string) =>
  Effect.gen(function*() {
    const token = yield* (yield* Tokens).resolve(context.network, text, context.assets)
    if (token.address !== first.address && token.address !== second.address) {
      return yield* new ValidationFailure({
        code: "1010",
        message: `${name}: must be ${first.symbol} or ${second.symbol}`
      })
    }
    return token
  })

/**
 * Gas of paying a reward. A position that was staked in the latest block has none yet, so the node's estimate does not
 * contain the payment, which the mined transaction makes.
 */
const rewardGas = 150_000n

/**
 * Estimates the whole transaction's gas, with that of a reward when the position is staked; a revert becomes the
 * refusal.
 */
export const simulate = (
  context: Action.VaultContext,
  calls: ReadonlyArray<VaultCall>,
  staking: PositionStaking.Staking | undefined
) =>
  Effect.map(
    Simulation.estimate(context, calls, (data) => explain(meaningOf(reasonOf(data)))),
    (estimate) =>
      estimate === undefined || staking === undefined ? estimate : { ...estimate, gas: estimate.gas + rewardGas }
  )

/**
 * Simulates, as the vault, collecting what a position is owed: liquidity removed but not collected, and earned fees.
 * Nothing is sent. Of a staked position it is not known before the transaction.
 */
export const readOwed = ({ chain, pool }: Action.VaultContext, manager: Address, tokenId: bigint) =>
  chain.call({ from: pool, ...PositionManager.collectAll(manager, pool, tokenId), value: 0n }).pipe(
    Effect.map((answer): Amounts => PositionManager.decodeCollected(answer) ?? [0n, 0n]),
    // The receipt reports the collected amounts in any case.
    Effect.catchTags({ RpcRefused: () => Effect.succeed<Amounts>([0n, 0n]), RpcUnavailable: unavailable })
  )
