/** Sizes a follower's trade so that its market bears it, and makes its request. A pool token is redeemed whole. */
import type { Failure } from "@vault-trader/core/failure/Failure"
import { type FollowerTerms, type FollowerTrade, leastUsd18 } from "@vault-trader/core/follower/Follower"
import { TradeRequest } from "@vault-trader/core/trading/Trading"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as PairState from "../trading/PairState.ts"
import { noSliceText, SliceSizer } from "../trading/SliceSizer.ts"
import type { VaultContext } from "../vault/Action.ts"
import { poolTokenAt } from "../venue/EasySwapper.ts"

export interface Sized {
  readonly trade: FollowerTrade
  readonly request: TradeRequest
}

const sizedAs = (trade: FollowerTrade, slippage: number): Sized => ({
  trade,
  request: TradeRequest.make({
    ...{ from: trade.from.address, to: trade.to.address, platform: "auto", slippage },
    amount: BigDecimal.make(trade.amount, trade.from.decimals)
  })
})

/** Returns the part of the trade that its market bears; the reason when it bears none. */
export const find = (
  context: VaultContext,
  { maxImpact, slippage }: FollowerTerms,
  trade: FollowerTrade
): Effect.Effect<Sized | string, Failure, SliceSizer> =>
  Effect.gen(function*() {
    const { amount, from, to, usd18 } = trade
    if (poolTokenAt(context.chain.book, from.address) !== undefined) return sizedAs(trade, slippage)
    const market = yield* PairState.read(context, from, to)
    const sized = yield* (yield* SliceSizer).largest(context, { platform: "auto", slippage }, market, amount, maxImpact)
    if (sized._tag === "none") return noSliceText(sized)
    const worth18 = usd18 * sized.amount / amount
    return worth18 < leastUsd18
      ? noSliceText({ best: null, most: maxImpact })
      : sizedAs({ ...trade, amount: sized.amount, usd18: worth18 }, slippage)
  })
