/** Swaps one vault asset for another: sizes the trade, and selects a venue whose price the vault's oracle permits. */
import { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { againstOracle, SkippedVenue, type TradeRequest } from "@vault-trader/core/trading/Trading"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Tokens } from "../chain/Tokens.ts"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import * as Action from "../vault/Action.ts"
import { usdValue } from "@vault-trader/core/chain/Quantity"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import * as PairState from "./PairState.ts"
import * as Payout from "./Payout.ts"
import * as Redemption from "./Redemption.ts"
import * as RedemptionStep from "./RedemptionStep.ts"
import { approval, redemption, refuses, swap } from "./TradeMovements.ts"
import { movedBy } from "../platform/Transfers.ts"
import type { SliceSizer } from "./SliceSizer.ts"
import { selectVenue } from "./VenueSelection.ts"
import * as WholeOrPart from "./WholeOrPart.ts"

/** The plan of a trade; quantities in smallest units. */
const Details = Schema.Struct({
  venue: Schema.String,
  route: Schema.Array(Schema.String),
  router: Address,
  tokenIn: Token,
  tokenOut: Token,
  amountIn: Schema.BigIntFromString,
  amountOut: Schema.BigIntFromString,
  minOut: Schema.BigIntFromString,
  /** USD per whole token by the vault's oracle at planning, 18 decimals; absent in older rows. */
  prices: Schema.optional(Schema.Struct({ in: Schema.BigIntFromString, out: Schema.BigIntFromString })),
  /** The venues before it in the fallback chain, each with the reason it was skipped. */
  passed: Schema.Array(SkippedVenue).pipe(Schema.withDecodingDefaultType(Effect.succeed([]))),
  /** The step of a redemption; absent for a swap. */
  redemption: Schema.optional(RedemptionStep.RedemptionStep)
})

/** Returns a trade's plan of a redemption's step. */
const ofStep = (step: RedemptionStep.RedemptionStep, router: Address): typeof Details.Type => ({
  venue: "toros",
  route: [step.poolToken.symbol, step.tokenOut.symbol],
  router,
  tokenIn: step.poolToken,
  tokenOut: step.tokenOut,
  amountIn: step.amount,
  amountOut: step.minOut,
  minOut: step.minOut,
  passed: [],
  redemption: step
})

/** Returns the action's decision for a redemption's step. */
const decisionOf = <A extends Omit<Action.Decision<RedemptionStep.RedemptionStep>, "details">>(
  { details, ...decision }: A & { readonly details: RedemptionStep.RedemptionStep }
) => ({ ...decision, details: ofStep(details, decision.calls.at(-1)?.to ?? details.poolToken.address) })

/** Selects the venue of a swap, of a part of it where the request allows that and its pool does not bear the whole. */
const offerFor = (context: Action.VaultContext, request: TradeRequest, market: PairState.Market, amount: bigint) => {
  const offerOf = (amountIn: bigint) =>
    Effect.map(selectVenue(context, request, market, amountIn), (offer) => ({ ...offer, amountIn }))
  const quotedBy = (
    { amountIn, quote }: { readonly amountIn: bigint; readonly quote: { readonly amountOut: bigint } }
  ) => ({
    amount: amountIn,
    bought: quote.amountOut
  })
  return request.partial === true
    ? WholeOrPart.plan(context, { market, request, amount, quotedBy }, offerOf)
    : offerOf(amount)
}

export const Trade = Action.make<
  TradeRequest,
  typeof Details.Type,
  typeof Details.Encoded,
  Tokens | AggregatorClient | SliceSizer
>({
  charge: "trade",
  lifetimeSeconds: Action.swapLifetimeSeconds,
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const { assets } = context
      const tokenIn = yield* tokens.resolve(context.network, request.from, assets)
      const tokenOut = yield* tokens.resolve(context.network, request.to, assets)
      if (tokenIn.address === tokenOut.address) {
        return yield* new ValidationFailure({ code: "1010", message: "to: must be another asset than from" })
      }
      const market = yield* PairState.read(context, tokenIn, tokenOut)
      const amount = yield* RequestedAmount.upTo(request, tokenIn, market.balance)
      if (Redemption.applies(context, request, tokenIn)) {
        return decisionOf(yield* Redemption.planFirst(context, request, market, amount))
      }
      const offer = yield* offerFor(context, request, market, amount)
      const { amountIn, calls, estimate, minOut, passed, quote, venue } = offer
      return {
        calls,
        worth: usdValue(amountIn, market.priceIn, tokenIn.decimals),
        details: {
          venue,
          route: quote.route,
          router: quote.router,
          tokenIn,
          tokenOut,
          amountIn,
          amountOut: quote.amountOut,
          minOut,
          passed,
          prices: { in: market.priceIn, out: market.priceOut }
        },
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  steps: {
    stepOf: ({ redemption }) => redemption?.step ?? "only",
    planSecond: (context, request, { details, receipt }) =>
      details.redemption === undefined
        ? Effect.die(new Error("a swap has no second step"))
        : Effect.map(
          Payout.plan(context, request, { details: details.redemption, receipt }),
          decisionOf
        )
  },
  decodeMovement: (chain, call) => approval(chain, call) ?? swap(chain, call) ?? redemption(chain, call),
  refuses,
  describe: (details) => ({
    venue: details.venue,
    route: details.route,
    amountIn: Quantity.of(details.tokenIn, details.amountIn),
    amountOut: Quantity.of(details.tokenOut, details.amountOut),
    minOut: Quantity.of(details.tokenOut, details.minOut),
    passed_over: details.passed
  }),
  interpretReceipt: (context, details, receipt) =>
    Effect.sync(() => {
      if (details.redemption !== undefined) {
        const { message, spentBefore, ...result } = RedemptionStep.resultOf(context.pool, details.redemption, receipt)
        return {
          message,
          spentBefore,
          result: {
            venue: details.venue,
            route: details.route,
            min_out: { ...Quantity.of(details.tokenOut, details.minOut) },
            passed_over: [],
            ...result
          }
        }
      }
      const logs = receipt?.logs ?? []
      const { sent } = movedBy(logs, details.tokenIn.address, context.pool)
      const { received } = movedBy(logs, details.tokenOut.address, context.pool)
      const sold = Quantity.of(details.tokenIn, sent)
      const bought = Quantity.of(details.tokenOut, received)
      return {
        message: `Sold ${sold.amount} ${sold.symbol} for ${bought.amount} ${bought.symbol} on ${details.venue}.`,
        result: {
          venue: details.venue,
          route: details.route,
          sold: { ...sold },
          bought: { ...bought },
          quoted: { ...Quantity.of(details.tokenOut, details.amountOut) },
          min_out: { ...Quantity.of(details.tokenOut, details.minOut) },
          passed_over: details.passed,
          oracle: details.prices === undefined ? null : againstOracle(
            usdValue(sent, details.prices.in, details.tokenIn.decimals),
            usdValue(received, details.prices.out, details.tokenOut.decimals)
          )
        }
      }
    })
})
