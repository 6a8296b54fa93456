/** Removes part or all of a position's liquidity with the fees it earned, and optionally sells the other asset. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { RemoveLiquidityRequest } from "@vault-trader/core/liquidity/Liquidity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import type { Tokens } from "../chain/Tokens.ts"
import * as PairState from "../trading/PairState.ts"
import * as TradeMovements from "../trading/TradeMovements.ts"
import { minOutOf } from "../trading/VenueOffer.ts"
import { selectVenue } from "../trading/VenueSelection.ts"
import * as Action from "../vault/Action.ts"
import { usdValue } from "@vault-trader/core/chain/Quantity"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import { type Amounts, minAmounts, toRemove } from "./Amounts.ts"
import {
  oneOf,
  pairOf,
  PositionView,
  positionFields,
  quantities,
  readOwed,
  simulate,
  Swap,
  swapFields,
  viewOf,
  words
} from "./LiquidityAction.ts"
import * as LiquidityPool from "./LiquidityPool.ts"
import * as PositionManager from "./PositionManager.ts"
import * as PositionStaking from "./PositionStaking.ts"
import * as Range from "./Range.ts"

/** The plan; amounts are in the pool's token order. */
const Details = Schema.Struct({
  place: PositionView,
  tokenId: Schema.BigIntFromString,
  liquidity: Schema.BigIntFromString,
  /** The amounts expected back, including fees; `fees` is the fees' part of them. */
  amounts: Schema.Tuple([Schema.BigIntFromString, Schema.BigIntFromString]),
  fees: Schema.Tuple([Schema.BigIntFromString, Schema.BigIntFromString]),
  least: Schema.Tuple([Schema.BigIntFromString, Schema.BigIntFromString]),
  burn: Schema.Boolean,
  swap: Schema.NullOr(Swap)
})

const add = ([one0, one1]: Amounts, [other0, other1]: Amounts): Amounts => [one0 + other0, one1 + other1]
const subtract = ([one0, one1]: Amounts, [other0, other1]: Amounts): Amounts => [one0 - other0, one1 - other1]

/** Returns the index of the pool's token to sell, if any. */
const soldOf = (context: Action.VaultContext, request: RemoveLiquidityRequest, pair: Range.Pair) =>
  request.outputAsset === undefined
    ? Effect.succeed(undefined)
    : Effect.map(
      oneOf(context, pair, "output_asset", request.outputAsset),
      ({ address }) => address === Range.ordered(pair)[0].address ? 1 : 0
    )

/**
 * Returns the minimum of each token. The sold one must cover the amount the swap takes: it may fall short only by the
 * slippage, although a small price move changes the amounts of a narrow range considerably.
 */
const minimumsOf = (
  expected: Amounts,
  [least0, least1]: Amounts,
  sold: 0 | 1 | undefined,
  slippage: number
): Amounts => {
  const minimum = (place: 0 | 1, otherwise: bigint) =>
    sold === place ? minOutOf(expected[place], 0n, slippage) : otherwise
  return [minimum(0, least0), minimum(1, least1)]
}

const marketOf = (context: Action.VaultContext, pair: Range.Pair, sold: 0 | 1) => {
  const [token0, token1] = Range.ordered(pair)
  return sold === 0 ? PairState.read(context, token0, token1) : PairState.read(context, token1, token0)
}

export const RemoveLiquidity = Action.make<
  RemoveLiquidityRequest,
  typeof Details.Type,
  typeof Details.Encoded,
  Tokens | AggregatorClient
>({
  charge: "liquidity",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const pair = yield* pairOf(context, request)
      const { at, pool, position } = yield* LiquidityPool.readPosition(context, pair, request)
      const { manager } = at.exchange
      const range = Range.make(position.tickLower, position.tickUpper)
      const burn = request.percent >= 100
      const liquidity = Quantity.percentOf(position.liquidity, request.percent)
      const fees = yield* readOwed(context, manager, position.tokenId)
      const sold = yield* soldOf(context, request, pair)
      const expected = toRemove(pool.sqrtPrice, range, liquidity)
      const minimum = minimumsOf(
        expected,
        minAmounts(toRemove, pool.sqrtPrice, range, liquidity, request.slippage),
        sold,
        request.slippage
      )
      const withdrawal = PositionManager.withdraw(manager, context.pool, position.tokenId, {
        liquidity,
        minimum,
        burn,
        deadline: at.deadline
      })
      const staking = PositionStaking.stakingOf(at, position)
      const exit = [...(staking === undefined ? [] : [PositionStaking.unstake(context.pool, staking)]), withdrawal]
      const sellAmount = sold === undefined ? 0n : add(minimum, fees)[sold]
      const back = sold === undefined || sellAmount === 0n
        ? undefined
        : { amountIn: sellAmount, market: yield* marketOf(context, pair, sold) }
      const offer = back === undefined
        ? undefined
        : yield* selectVenue(
          context,
          { platform: request.platform, slippage: request.slippage, after: exit },
          back.market,
          back.amountIn
        )
      const calls = [
        ...exit,
        ...(staking === undefined || burn ? [] : PositionStaking.stake(context.pool, staking)),
        ...(offer?.calls ?? [])
      ]
      const estimate = yield* simulate(context, calls, staking)
      return {
        calls,
        ...(back === undefined
          ? {}
          : { worth: usdValue(back.amountIn, back.market.priceIn, back.market.tokenIn.decimals) }),
        details: {
          place: yield* viewOf(context, pair, at, pool, position, staking),
          tokenId: position.tokenId,
          liquidity,
          amounts: add(expected, fees),
          fees,
          least: minimum,
          burn,
          swap: back === undefined || offer === undefined
            ? null
            : {
              venue: offer.venue,
              tokenIn: back.market.tokenIn,
              tokenOut: back.market.tokenOut,
              amountIn: back.amountIn,
              minOut: offer.minOut
            }
        },
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  decodeMovement: (chain, call) =>
    PositionManager.withdrawal(chain, call) ?? PositionStaking.staking(chain, call) ??
      TradeMovements.approval(chain, call) ?? TradeMovements.swap(chain, call),
  describe: ({ amounts, burn, fees, least: minimum, place, swap, tokenId }) => ({
    ...positionFields(place, place.staking !== null && !burn),
    token_id: tokenId.toString(),
    removed: quantities(place, amounts),
    fees: quantities(place, fees),
    minimum: quantities(place, minimum),
    burnt: burn,
    rewards: [],
    swapped: swapFields(swap, undefined, [])
  }),
  interpretReceipt: ({ pool }, { place, swap, tokenId }, receipt) =>
    Effect.sync(() => {
      const logs = receipt?.logs ?? []
      const events = { manager: place.manager, tokenId, vault: pool }
      const collected = PositionManager.sumOf(logs, events, "collected")
      const decreased = PositionManager.sumOf(logs, events, "decreased")
      const removed = quantities(place, collected)
      const burnt = PositionManager.burnt(logs, place.manager, tokenId)
      return {
        message: `Removed ${words(removed)} from position ${tokenId}${burnt ? ", which was burnt" : ""}.`,
        result: {
          ...positionFields(place, place.staking !== null && !burnt),
          token_id: tokenId.toString(),
          removed,
          fees: quantities(place, subtract(collected, decreased)),
          burnt,
          rewards: PositionStaking.rewardsIn(logs, pool, place.staking, place.reward),
          swapped: swapFields(swap, pool, logs)
        }
      }
    })
})
