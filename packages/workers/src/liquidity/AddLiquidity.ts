/** Providing liquidity with one asset: as much of it is swapped as makes the two match the range, and both go into the position. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { AddLiquidityRequest } from "@vault-trader/core/liquidity/Liquidity"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Contract from "../chain/Contract.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as Allowance from "../platform/Allowance.ts"
import * as PairState from "../trading/PairState.ts"
import * as TradeMovements from "../trading/TradeMovements.ts"
import { selectVenue } from "../trading/Trade.ts"
import * as Action from "../vault/Action.ts"
import { worthOf } from "../vault/Worth.ts"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import { type Amounts, least, liquidityOf, toAdd, toSwap } from "./Amounts.ts"
import { afterwards, oneOf, pairOf, Place, placeFields, quantities, simulated, Swap, swapFields, words } from "./LiquidityAction.ts"
import * as LiquidityPool from "./LiquidityPool.ts"
import * as PositionManager from "./PositionManager.ts"
import * as Range from "./Range.ts"

/** What was decided; amounts are the pool's, in its order. */
const Details = Schema.Struct({
  place: Place,
  /** Null where a position is made for it. */
  tokenId: Schema.NullOr(Schema.BigIntFromString),
  liquidity: Schema.BigIntFromString,
  amounts: Schema.Tuple([Schema.BigIntFromString, Schema.BigIntFromString]),
  least: Schema.Tuple([Schema.BigIntFromString, Schema.BigIntFromString]),
  swap: Schema.NullOr(Swap)
})

const sized = (request: AddLiquidityRequest, token: Token, balance: bigint) => {
  const amount = request.share !== undefined || request.amount === undefined
    ? Quantity.percentOf(balance, request.share ?? 100)
    : Quantity.toRaw(request.amount, token.decimals)
  const held = `${Quantity.format(balance, token.decimals)} ${token.symbol}`
  if (amount > 0n && amount <= balance) return Effect.succeed(amount)
  return new ExecutionFailure({
    errorType: "insufficient_balance",
    message: amount === 0n
      ? `The vault holds ${held}; what is asked of that comes to nothing. Nothing was sent.`
      : `The vault holds ${held}, less than the ${Quantity.format(amount, token.decimals)} to give; nothing was sent.`
  })
}

/** How often the swap is sized anew, and the part of the whole (one of so many) by which it may be off. */
const rounds = 4
const precision = 2_000n

const look = Contract.read(LiquidityPool.poolAbi, "0x", "slot0", [])

interface Sizing {
  /** What is swapped, and what is surely bought. */
  readonly offer: Effect.Success<ReturnType<typeof selectVenue>> | undefined
  readonly swap: bigint
  /** The pool's price when the swap is done. */
  readonly sqrtPrice: bigint
}

/**
 * Sizes the swap. What a swap buys, and where it leaves the price of this very pool, is only known for one of a certain size: so it is
 * sized by the oracle, quoted and rehearsed, and sized anew as if the price moved in proportion.
 */
const sizing = (context: Action.VaultContext, request: AddLiquidityRequest, market: PairState.Market, pool: LiquidityPool.Pool, range: Range.Range, whole: bigint) =>
  Effect.gen(function*() {
    const given = market.tokenIn.address < market.tokenOut.address ? 0 : 1
    const sizeFor = (sqrtPrice: bigint, sold: bigint, bought: bigint) => toSwap(sqrtPrice, range, given, whole, { sold, bought })
    let size = sizeFor(pool.sqrtPrice, whole, PairState.fairOut(market, whole))
    let last: Sizing = { offer: undefined, swap: 0n, sqrtPrice: pool.sqrtPrice }
    for (let round = 0; round < rounds && size > 0n; round++) {
      const offer = yield* selectVenue(context, request, market, size)
      const seen = yield* afterwards(context, offer.calls, { ...look, to: pool.address })
      const slot = seen === undefined ? undefined : look.decode(seen)
      const sqrtPrice = slot?._tag === "Success" ? slot.success[0] : pool.sqrtPrice
      last = { offer, swap: size, sqrtPrice }
      const tried = size
      const next = matching(whole, (part) => sizeFor(pool.sqrtPrice + (sqrtPrice - pool.sqrtPrice) * part / tried, tried, offer.minOut))
      if ((next > size ? next - size : size - next) * precision <= whole) break
      size = next
    }
    return last
  })

/** The part of the whole that asks for itself: `wanted` falls as it grows, for a swap moves the price away from what it is for. */
const matching = (whole: bigint, wanted: (part: bigint) => bigint): bigint => {
  let [low, high] = [0n, whole]
  if (wanted(whole) >= whole) return whole
  while (high - low > 1n && (high - low) * precision * 10n > whole) {
    const middle = (low + high) / 2n
    if (wanted(middle) > middle) low = middle
    else high = middle
  }
  return high
}

const tooSmall = new ExecutionFailure({
  errorType: "insufficient_balance",
  message: "The amount is too small to be a position in this range; nothing was sent."
})

export const AddLiquidity = Action.make<AddLiquidityRequest, typeof Details.Type, typeof Details.Encoded, Tokens | AggregatorClient>({
  charge: "liquidity",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const pair = yield* pairOf(context, request)
      const tokenIn = yield* oneOf(context, pair, "input_asset", request.inputAsset)
      const market = yield* PairState.read(context, tokenIn, tokenIn.address === pair.first.address ? pair.second : pair.first)
      const at = yield* LiquidityPool.read(context, pair)
      const { allowances, manager, positions } = at
      const pool = yield* LiquidityPool.poolOf(context, at, pair, request.feeTier)
      const range = yield* Range.of(pair, pool.spacing, request)
      const whole = yield* sized(request, tokenIn, market.balance)
      const { offer, sqrtPrice, swap } = yield* sizing(context, request, market, pool, range, whole)

      const [token0, token1] = Range.ordered(pair)
      const [own, other] = [whole - swap, offer?.minOut ?? 0n]
      const desired: Amounts = tokenIn.address === token0.address ? [own, other] : [other, own]
      const liquidity = liquidityOf(sqrtPrice, range, desired)
      if (liquidity === 0n) return yield* tooSmall
      const existing = positions.find(({ fee, tickLower, tickUpper, ...of }) =>
        fee === pool.fee && tickLower === range.tickLower && tickUpper === range.tickUpper && of.token0 === token0.address && of.token1 === token1.address)
      const deposit = { desired, least: least(toAdd, sqrtPrice, range, liquidity, request.slippage), deadline: at.deadline }
      const { tickLower, tickUpper } = range
      const calls = [
        ...(offer?.calls ?? []),
        ...([[token0, 0], [token1, 1]] as const).flatMap(([{ address }, place]) =>
          desired[place] === 0n ? [] : Allowance.set(address, manager, allowances[place], desired[place])),
        existing === undefined
          ? PositionManager.mint(manager, context.pool, { token0: token0.address, token1: token1.address, fee: pool.fee, tickLower, tickUpper }, deposit)
          : PositionManager.increase(manager, existing.tokenId, deposit)
      ]
      const estimate = yield* simulated(context, calls)
      const { lower_price: lowerPrice, upper_price: upperPrice } = Range.shown(pair, range, pool.spacing)
      return {
        calls,
        // All that leaves the vault, the swap's part of it twice: as what is sold, and as what is bought for the position.
        worth: worthOf(swap, market.priceIn, market.tokenIn.decimals) + worthOf(own, market.priceIn, market.tokenIn.decimals) +
          worthOf(other, market.priceOut, market.tokenOut.decimals),
        details: {
          place: { manager, ...pair, fee: pool.fee, lowerPrice, upperPrice },
          tokenId: existing?.tokenId ?? null,
          liquidity,
          amounts: toAdd(sqrtPrice, range, liquidity),
          least: deposit.least,
          swap: offer === undefined
            ? null
            : { venue: offer.venue, tokenIn: market.tokenIn, tokenOut: market.tokenOut, amountIn: swap, minOut: offer.minOut }
        },
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  decodeMovement: (chain, call) =>
    PositionManager.approval(chain, call) ?? PositionManager.deposit(chain, call) ?? TradeMovements.approval(chain, call) ?? TradeMovements.swap(chain, call),
  describe: ({ amounts, least: minimum, liquidity, place, swap, tokenId }) => ({
    ...placeFields(place),
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
      const [told] = PositionManager.told(logs, place.manager, "increased")
      if (told === undefined) {
        return yield* new ExecutionFailure({ errorType: "internal", message: "The transaction was mined, but it does not say what the position took." })
      }
      const added = quantities(place, told.amounts)
      return {
        message: `Added ${words(added)} to ${tokenId === null ? "the new " : ""}position ${told.tokenId}.`,
        result: {
          ...placeFields(place),
          token_id: told.tokenId.toString(),
          is_new: tokenId === null,
          liquidity: told.liquidity.toString(),
          added,
          swapped: swapFields(swap, pool, logs)
        }
      }
    })
})
