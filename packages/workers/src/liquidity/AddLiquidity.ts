/**
 * Provides liquidity with one asset: swaps the part that makes both amounts match the range, then deposits both into
 * the position.
 */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { AddLiquidityRequest } from "@vault-trader/core/liquidity/Liquidity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Contract from "../chain/Contract.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as Allowance from "../platform/Allowance.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import * as Simulation from "../platform/Simulation.ts"
import * as PairState from "../trading/PairState.ts"
import * as TradeMovements from "../trading/TradeMovements.ts"
import { selectVenue } from "../trading/VenueSelection.ts"
import * as Action from "../vault/Action.ts"
import { usdValue } from "@vault-trader/core/chain/Quantity"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import { type Amounts, liquidityOf, toAdd, toSwap } from "./Amounts.ts"
import {
  oneOf,
  pairOf,
  PositionView,
  positionFields,
  quantities,
  simulate,
  Swap,
  swapFields,
  viewOf,
  words
} from "./LiquidityAction.ts"
import * as LiquidityPool from "./LiquidityPool.ts"
import * as PairPools from "./PairPools.ts"
import * as PoolPrice from "./PoolPrice.ts"
import * as PositionManager from "./PositionManager.ts"
import * as PositionStaking from "./PositionStaking.ts"
import * as Range from "./Range.ts"

/** The plan; amounts are in the pool's token order. */
const Details = Schema.Struct({
  place: PositionView,
  /** Null when a new position is minted. */
  tokenId: Schema.NullOr(Schema.BigIntFromString),
  liquidity: Schema.BigIntFromString,
  amounts: Schema.Tuple([Schema.BigIntFromString, Schema.BigIntFromString]),
  least: Schema.Tuple([Schema.BigIntFromString, Schema.BigIntFromString]),
  swap: Schema.NullOr(Swap)
})

/** Maximum number of sizing rounds. A size within 1 / `precision` of the whole amount is accepted. */
const rounds = 4
const precision = 2_000n

const slotRead = Contract.read(PairPools.poolAbi, "0x", "slot0", [])

interface SizedSwap {
  /** The venue's offer; undefined when nothing is swapped. */
  readonly offer: Effect.Success<ReturnType<typeof selectVenue>> | undefined
  readonly swap: bigint
  /** The pool's price after the swap. */
  readonly sqrtPrice: bigint
}

/**
 * Sizes the swap. Its proceeds, and its effect on this pool's own price, are known only for a given size. So it is
 * sized by the oracle, quoted and simulated, and sized again as if the price moved in proportion.
 */
const sizing = (
  context: Action.VaultContext,
  request: AddLiquidityRequest,
  market: PairState.Market,
  pool: PairPools.Pool,
  range: Range.Range,
  whole: bigint
) =>
  Effect.gen(function*() {
    const given = market.tokenIn.address < market.tokenOut.address ? 0 : 1
    const sizeFor = (sqrtPrice: bigint, sold: bigint, bought: bigint) =>
      toSwap(sqrtPrice, range, given, whole, { sold, bought })
    let size = sizeFor(pool.sqrtPrice, whole, PairState.fairOut(market, whole))
    let last: SizedSwap = { offer: undefined, swap: 0n, sqrtPrice: pool.sqrtPrice }
    for (let round = 0; round < rounds && size > 0n; round++) {
      const offer = yield* selectVenue(context, request, market, size)
      const slotData = yield* Simulation.readAfter(context, offer.calls, { ...slotRead, to: pool.address })
      const slot = slotData === undefined ? undefined : slotRead.decode(slotData)
      const sqrtPrice = slot?._tag === "Success" ? slot.success[0] : pool.sqrtPrice
      last = { offer, swap: size, sqrtPrice }
      const currentSize = size
      const next = findFixedPoint(whole, (part) =>
        sizeFor(pool.sqrtPrice + (sqrtPrice - pool.sqrtPrice) * part / currentSize, currentSize, offer.minOut))
      if ((next > size ? next - size : size - next) * precision <= whole) {
        break
      }
      size = next
    }
    return last
  })

/** Finds the fixed point of `wanted` by bisection; `wanted` decreases because the swap moves the price. */
const findFixedPoint = (whole: bigint, wanted: (part: bigint) => bigint): bigint => {
  let [low, high] = [0n, whole]
  if (wanted(whole) >= whole) return whole
  while (high - low > 1n && (high - low) * precision * 10n > whole) {
    const middle = (low + high) / 2n
    if (wanted(middle) > middle) low = middle
    else high = middle
  }
  return high
}

export const AddLiquidity = Action.make<
  AddLiquidityRequest,
  typeof Details.Type,
  typeof Details.Encoded,
  Tokens | AggregatorClient
>({
  charge: "liquidity",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const pair = yield* pairOf(context, request)
      const tokenIn = yield* oneOf(context, pair, "input_asset", request.inputAsset)
      const market = yield* PairState.read(
        context,
        tokenIn,
        tokenIn.address === pair.first.address ? pair.second : pair.first
      )
      const { at, pool } = yield* LiquidityPool.readForDeposit(context, pair, request)
      const { allowances, exchange, positions } = at
      const { manager } = exchange
      const range = yield* Range.of(pair, pool.spacing, request)
      const whole = yield* RequestedAmount.upTo(request, tokenIn, market.balance)
      const limits = PoolPrice.limitsOf(market, pool, request.slippage)
      yield* PoolPrice.check(pair, limits.before, pool.sqrtPrice)
      const { offer, sqrtPrice, swap } = yield* sizing(context, request, market, pool, range, whole)
      yield* PoolPrice.check(pair, limits.after, sqrtPrice)

      const [token0, token1] = Range.ordered(pair)
      const [own, other] = [whole - swap, offer?.minOut ?? 0n]
      const desired: Amounts = tokenIn.address === token0.address ? [own, other] : [other, own]
      const liquidity = liquidityOf(sqrtPrice, range, desired)
      if (liquidity === 0n) return yield* explain({ _tag: "PositionTooSmall" })
      const existing = positions.find(({ key, tickLower, tickUpper, ...of }) =>
        key === pool.key && tickLower === range.tickLower && tickUpper === range.tickUpper &&
        of.token0 === token0.address && of.token1 === token1.address
      )
      const deposit = {
        desired,
        minimum: PoolPrice.minimumsOf(limits.after, sqrtPrice, range, liquidity, request.slippage),
        deadline: at.deadline
      }
      const { tickLower, tickUpper } = range
      const staking = existing === undefined ? undefined : PositionStaking.stakingOf(at, existing)
      const calls = [
        ...(offer?.calls ?? []),
        ...([[token0, 0], [token1, 1]] as const).flatMap(([{ address }, place]) =>
          desired[place] === 0n ? [] : Allowance.set(address, manager, allowances[place], desired[place])
        ),
        ...(staking === undefined ? [] : [PositionStaking.unstake(context.pool, staking)]),
        existing === undefined
          ? PositionManager.mint(exchange, context.pool, {
            token0: token0.address,
            token1: token1.address,
            key: pool.key,
            tickLower,
            tickUpper
          }, deposit)
          : PositionManager.increase(manager, existing.tokenId, deposit),
        ...(staking === undefined ? [] : PositionStaking.stake(context.pool, staking))
      ]
      const estimate = yield* simulate(context, calls, staking)
      return {
        calls,
        // Everything that leaves the vault. The swapped part counts twice: as sold, and as bought for the position.
        worth: usdValue(swap, market.priceIn, market.tokenIn.decimals) +
          usdValue(own, market.priceIn, market.tokenIn.decimals) +
          usdValue(other, market.priceOut, market.tokenOut.decimals),
        details: {
          place: yield* viewOf(context, pair, at, pool, range, staking),
          tokenId: existing?.tokenId ?? null,
          liquidity,
          amounts: toAdd(sqrtPrice, range, liquidity),
          least: deposit.minimum,
          swap: offer === undefined
            ? null
            : {
              venue: offer.venue,
              tokenIn: market.tokenIn,
              tokenOut: market.tokenOut,
              amountIn: swap,
              minOut: offer.minOut
            }
        },
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  decodeMovement: (chain, call) =>
    PositionManager.approval(chain, call) ?? PositionManager.deposit(chain, call) ??
      PositionStaking.staking(chain, call) ?? TradeMovements.approval(chain, call) ?? TradeMovements.swap(chain, call),
  describe: ({ amounts, least: minimum, liquidity, place, swap, tokenId }) => ({
    ...positionFields(place, place.staking !== null),
    token_id: tokenId?.toString() ?? null,
    is_new: tokenId === null,
    liquidity: liquidity.toString(),
    added: quantities(place, amounts),
    minimum: quantities(place, minimum),
    swapped: swapFields(swap, undefined, [])
  }),
  interpretReceipt: ({ pool }, { place, swap, tokenId }, receipt) =>
    Effect.gen(function*() {
      const logs = receipt?.logs ?? []
      const [event] = PositionManager.readEvents(logs, place.manager, "increased")
      if (event === undefined) {
        return yield* explain({ _tag: "NoLiquidityEvent" }, "mined")
      }
      const added = quantities(place, event.amounts)
      return {
        message: `Added ${words(added)} to ${tokenId === null ? "the new " : ""}position ${event.tokenId}.`,
        result: {
          ...positionFields(place, place.staking !== null),
          token_id: event.tokenId.toString(),
          is_new: tokenId === null,
          liquidity: event.liquidity.toString(),
          added,
          swapped: swapFields(swap, pool, logs)
        }
      }
    })
})
