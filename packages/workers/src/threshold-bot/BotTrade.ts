/**
 * Executes a bot's turn. It decides on the vault's holdings when the vault's queue reaches it, so that two turns never
 * act on the same state. It trades in one transaction: withdraws supplied assets, swaps, and supplies the proceeds.
 */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import {
  decide,
  type Decision,
  type Leg,
  type Legs as PairLegs
} from "@vault-trader/core/threshold-bot/ThresholdDecision"
import { type BotTradeRequest, isSame, PaperHoldings } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { ThresholdBotStore } from "@vault-trader/core/threshold-bot/ThresholdBotStore"
import { againstOracle } from "@vault-trader/core/trading/Trading"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Tokens } from "../chain/Tokens.ts"
import { isAave } from "../lending/Lend.ts"
import { allowing } from "../lending/LendingAction.ts"
import { lenders } from "../lending/LenderRegistry.ts"
import { simulated } from "../lending/LenderRevert.ts"
import { type Market as LenderMarket, usable } from "../lending/LenderMarket.ts"
import * as LendingMovements from "../lending/LendingMovements.ts"
import { healthAfter } from "../lending/Unlend.ts"
import * as PairState from "../trading/PairState.ts"
import { approval, swap } from "../trading/TradeMovements.ts"
import { minOutOf, selectVenue } from "../trading/Trade.ts"
import { movedBy } from "../platform/Transfers.ts"
import * as Action from "../vault/Action.ts"
import { worthOf, worthOrUnknown } from "../vault/Worth.ts"
import type { AggregatorClient } from "../venue/AggregatorClient.ts"
import * as PairReader from "./PairReader.ts"

/** The plan of a turn; quantities in smallest units. */
const Details = Schema.Struct({
  action: Schema.Literals(["hold", "trade", "park"]),
  reason: Schema.String,
  paper: Schema.Boolean,
  venue: Schema.NullOr(Schema.String),
  from: Schema.NullOr(Token),
  to: Schema.NullOr(Token),
  amount: Schema.BigIntFromString,
  minOut: Schema.BigIntFromString,
  /** The amounts withdrawn before and supplied after the swap. */
  withdrawn: Schema.BigIntFromString,
  supplied: Schema.BigIntFromString,
  /**
   * USD per whole token by the vault's oracle at planning, 18 decimals; absent when nothing is swapped, and in older
   * rows.
   */
  prices: Schema.optional(Schema.Struct({ in: Schema.BigIntFromString, out: Schema.BigIntFromString })),
  /** The bot's paper holdings after the turn. */
  holdings: Schema.NullOr(PaperHoldings)
})
type Details = typeof Details.Type

const nothing = {
  venue: null,
  from: null,
  to: null,
  amount: 0n,
  minOut: 0n,
  withdrawn: 0n,
  supplied: 0n,
  holdings: null
}

const unknownLeg = new ExecutionFailure({
  errorType: "asset_not_enabled",
  message: "A leg of the pair is no longer a token; nothing was sent."
})

/** 2012: a value that the bot needs is unknown; the bot waits. */
const unknown = (reason: string) =>
  new ExecutionFailure({ errorType: "price_unavailable", message: `${reason} Nothing was sent.` })

/** Returns the vault's holdings, with which a bot starts on paper. */
const holdingsOf = ({ base, inverse, quote }: PairLegs): PaperHoldings => ({
  base: base.held,
  quote: quote.held,
  inverse: inverse?.held ?? 0n
})

/** Applies a trade to paper holdings at the oracle's price, less the slippage. */
const applyTrade = (
  legs: PairLegs,
  { amount, from, to }: Extract<Decision, { readonly _tag: "trade" }>,
  slippage: number
) => {
  const fair = amount * (from.price ?? 0n) * 10n ** BigInt(to.token.decimals) /
    ((to.price ?? 1n) * 10n ** BigInt(from.token.decimals))
  const bought = minOutOf(fair, 0n, slippage)
  const after = (leg: Leg | null) => (leg?.held ?? 0n) - (leg === from ? amount : 0n) + (leg === to ? bought : 0n)
  return { bought, holdings: { base: after(legs.base), quote: after(legs.quote), inverse: after(legs.inverse) } }
}

/** Finds lenderA's market of a token; none when this vault may not use it, in which case it just holds the token. */
const lenderOf = (context: Action.VaultContext, token: Token) =>
  Effect.option(Effect.flatMap(lenders.lenderA.find(context, token), usable))

/** Withdraws the part of a trade's amount that the vault does not hold itself. */
const withdrawMissing = (context: Action.VaultContext, { held, supplied, token }: Leg, amount: bigint, floor: bigint) =>
  Effect.gen(function*() {
    const missing = amount - held
    if (missing <= 0n) return { calls: [], withdrawn: 0n }
    const market = yield* Effect.flatMap(lenders.lenderA.find(context, token), usable)
    if (isAave(market)) yield* healthAfter(context, market, missing, floor)
    return { calls: [market.withdraw(missing >= supplied ? "everything" : missing)], withdrawn: missing }
  })

/** Supplies an amount that is guaranteed to be in the vault. */
const parking = (market: Option.Option<LenderMarket>, amount: bigint) =>
  Option.isNone(market) || amount === 0n
    ? { calls: [], supplied: 0n }
    : { calls: [...allowing(market.value, amount), market.value.supply(amount)], supplied: amount }

const alreadyTraded = (seconds: number) =>
  `The bot has already traded on the same terms within its check interval of ${seconds} s; the same signal ` +
  "causes only one trade. Nothing was sent."

/**
 * Builds the action. `floor` is the health factor floor, 18 decimals. `seconds` is the interval in which a signal
 * causes one trade.
 */
export const BotTrade = (floor: bigint, seconds: number) => {
  /** Returns true when this turn would repeat a trade with the same terms before the bot's next check. */
  const isRepeat = (context: Action.VaultContext, request: BotTradeRequest) =>
    Effect.gen(function*() {
      const bots = yield* ThresholdBotStore
      if (context.intentId === undefined) return false
      const last = yield* Effect.orDie(bots.tradedJustBefore(context.intentId, seconds))
      return Option.exists(last, (made) => isSame(made, request))
    })

  const trade = (
    context: Action.VaultContext,
    request: BotTradeRequest,
    decision: Extract<Decision, { readonly _tag: "trade" }>
  ) =>
    Effect.gen(function*() {
      const { amount, from, reason, to } = decision
      const market = yield* PairState.read(context, from.token, to.token)
      const before = yield* withdrawMissing(context, from, amount, floor)
      const offer = yield* selectVenue(
        context,
        { platform: request.platform, slippage: request.slippage, after: before.calls },
        market,
        amount
      )
      const after = parking(
        request.lending ? yield* lenderOf(context, to.token) : Option.none(),
        request.lending ? to.held + offer.minOut : 0n
      )
      const calls = [...before.calls, ...offer.calls, ...after.calls]
      const estimate = after.calls.length === 0 ? offer.estimate : yield* simulated(context, calls)
      const sold = worthOf(amount, market.priceIn, from.token.decimals)
      const supplied = worthOf(after.supplied, market.priceOut, to.token.decimals)
      const details: Details = {
        ...nothing,
        ...{ action: "trade", reason, paper: false, venue: offer.venue, from: from.token, to: to.token, amount },
        ...{ minOut: offer.minOut, withdrawn: before.withdrawn, supplied: after.supplied },
        prices: { in: market.priceIn, out: market.priceOut }
      }
      return {
        calls,
        worth: sold + supplied,
        details,
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    })

  const park = (context: Action.VaultContext, { amount, leg, reason }: Extract<Decision, { readonly _tag: "park" }>) =>
    Effect.gen(function*() {
      const { calls, supplied } = parking(yield* lenderOf(context, leg.token), amount)
      const details: Details = {
        ...nothing,
        action: supplied === 0n ? "hold" : "park",
        reason,
        paper: false,
        to: leg.token,
        supplied
      }
      if (supplied === 0n) {
        return {
          calls: [],
          details,
          nothingToDo: `${reason} lenderA does not accept it from this vault; nothing was sent.`
        }
      }
      const estimate = yield* simulated(context, calls)
      return {
        calls,
        worth: worthOrUnknown(supplied, leg.price, leg.token.decimals),
        details,
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    })

  /** Plans a turn on paper: reports the decision and the resulting paper holdings. */
  const onPaper = (legs: PairLegs, decision: Decision, slippage: number) => {
    if (decision._tag !== "trade") {
      return {
        calls: [],
        details: {
          ...nothing,
          action: "hold" as const,
          reason: decision.reason,
          paper: true,
          holdings: holdingsOf(legs)
        },
        nothingToDo: decision.reason
      }
    }
    const { bought, holdings } = applyTrade(legs, decision, slippage)
    const { amount, from, reason, to } = decision
    const details: Details = {
      ...nothing,
      action: "trade",
      reason,
      paper: true,
      from: from.token,
      to: to.token,
      amount,
      minOut: bought,
      holdings
    }
    return { calls: [], details, nothingToDo: `On paper: ${reason} Nothing was sent.` }
  }

  return Action.make<BotTradeRequest, Details, typeof Details.Encoded, Tokens | AggregatorClient | ThresholdBotStore>({
    charge: "trade",
    details: Details,
    plan: (context, request) =>
      Effect.gen(function*() {
        const { base, inverse, lending, paper, quote } = request
        const [found] = yield* PairReader.read(context.chain, [{
          pool: context.pool,
          base,
          quote,
          inverse,
          lending,
          paper: paper?.holdings ?? null
        }])
        if (found === undefined || Option.isNone(found)) return yield* unknownLeg
        const legs = found.value
        const decision = decide(request, legs)
        // Also on paper: unknown balances must not be stored as holdings of 0.
        if (decision._tag === "hold" && decision.code === "balance_unknown") return yield* unknown(decision.reason)
        if (decision._tag === "trade" && (yield* isRepeat(context, request))) {
          const reason = alreadyTraded(seconds)
          return {
            calls: [],
            details: {
              ...nothing,
              action: "hold" as const,
              reason,
              paper: paper !== null,
              holdings: paper?.holdings ?? null
            },
            nothingToDo: reason
          }
        }
        if (paper !== null) return onPaper(legs, decision, request.slippage)
        if (decision._tag === "trade") return yield* trade(context, request, decision)
        if (decision._tag === "park") return yield* park(context, decision)
        if (decision.code === "price_unavailable") {
          return yield* unknown(decision.reason)
        }
        return {
          calls: [],
          details: { ...nothing, action: "hold" as const, reason: decision.reason, paper: false },
          nothingToDo: `${decision.reason} Nothing was sent.`
        }
      }),
    decodeMovement: (chain, call) =>
      approval(chain, call) ?? swap(chain, call) ?? LendingMovements.of("withdraw")(chain, call) ??
        LendingMovements.of("supply")(chain, call),
    describe: ({ action, amount, from, minOut, paper, reason, supplied, to, venue, withdrawn }) => ({
      ...{ action, reason, paper, venue },
      ...(from === null
        ? {}
        : { sold: { ...Quantity.of(from, amount) }, withdrawn: { ...Quantity.of(from, withdrawn) } }),
      ...(to === null ? {} : { min_out: { ...Quantity.of(to, minOut) }, supplied: { ...Quantity.of(to, supplied) } })
    }),
    interpretReceipt: ({ pool }, { action, from, holdings, paper, prices, reason, supplied, to, venue }, receipt) =>
      Effect.sync(() => {
        const logs = receipt?.logs ?? []
        const common = {
          action,
          reason,
          paper,
          venue,
          holdings: holdings === null ? null : Schema.encodeSync(PaperHoldings)(holdings)
        }
        if (receipt === null || to === null) return { message: reason, result: common }
        const parked = Quantity.of(to, supplied)
        if (from === null) {
          return {
            message: `Supplied ${parked.amount} ${parked.symbol} to lenderA.`,
            result: { ...common, supplied: { ...parked } }
          }
        }
        const { sent } = movedBy(logs, from.address, pool)
        const { received } = movedBy(logs, to.address, pool)
        const [sold, bought] = [Quantity.of(from, sent), Quantity.of(to, received)]
        const oracle = prices === undefined
          ? null
          : againstOracle(worthOf(sent, prices.in, from.decimals), worthOf(received, prices.out, to.decimals))
        return {
          message: `Sold ${sold.amount} ${sold.symbol} for ${bought.amount} ${bought.symbol} on ${venue ?? ""}.`,
          result: { ...common, sold: { ...sold }, bought: { ...bought }, supplied: { ...parked }, oracle }
        }
      })
  })
}
