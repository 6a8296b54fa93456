/** Swapping one vault asset for another: size it, find the best permitted venue, hold its price to the vault's own oracle. */
import { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import type { TradeRequest } from "@vault-trader/core/trading/Trading"
import { order } from "@vault-trader/core/venue/Venues"
import * as BigDecimal from "effect/BigDecimal"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Tokens } from "../chain/Tokens.ts"
import { venues } from "../venue/VenueRegistry.ts"
import type { Quote, Venue } from "../venue/Venue.ts"
import * as Action from "../vault/Action.ts"
import * as Allowance from "./Allowance.ts"
import * as Market from "./Market.ts"
import { movedBy } from "./Transfers.ts"

/** What was decided about a trade; quantities in smallest units. */
const Details = Schema.Struct({
  venue: Schema.String,
  route: Schema.Array(Schema.String),
  router: Address,
  tokenIn: Token,
  tokenOut: Token,
  amountIn: Schema.BigInt,
  amountOut: Schema.BigInt,
  minOut: Schema.BigInt
})

/** How long signed bytes stay worth mining, in seconds: after that the router refuses them. */
const lifetime = 120

/** The least acceptable proceeds: the stricter of the quote and the vault's oracle, each less the slippage (percent, exactly as written). */
export const minOutOf = (quoted: bigint, fair: bigint, slippage: number): bigint => {
  const { scale, value } = BigDecimal.unsafeFromNumber(slippage)
  const whole = 10n ** BigInt(scale + 2)
  const worth = quoted > fair ? quoted : fair
  // Rounded up: a floor that is rounded down is a worse price than promised.
  return (worth * (whole - value) + whole - 1n) / whole
}

const amountOf = (request: TradeRequest, token: Token, balance: bigint) =>
  Effect.gen(function*() {
    const amount = request.share !== undefined || request.amount === undefined
      ? Quantity.percentOf(balance, request.share ?? 100)
      : Quantity.toRaw(request.amount, token.decimals)
    if (amount === 0n) {
      return yield* new ExecutionFailure({
        errorType: "insufficient_balance",
        message: `The vault's ${token.symbol} to sell comes to nothing (it holds ${Quantity.format(balance, token.decimals)}); nothing was sent.`
      })
    }
    if (amount > balance) {
      return yield* new ExecutionFailure({
        errorType: "insufficient_balance",
        message: `The vault holds ${Quantity.format(balance, token.decimals)} ${token.symbol}, less than the ` +
          `${Quantity.format(amount, token.decimals)} to sell; nothing was sent.`
      })
    }
    return amount
  })

/** The first venue of the chain that is permitted and quotes; the failure names why each was passed over. */
const pick = (bench: Action.Bench, request: TradeRequest, market: Market.Market, amountIn: bigint) =>
  Effect.gen(function*() {
    const passed: Array<string> = []
    let guarded = false
    for (const name of order(bench.network, request.platform)) {
      const venue: Venue = venues[name]
      if (!market.guarded.has(name)) {
        passed.push(`${name}: not allowed by the vault platform on ${bench.network}`)
        continue
      }
      guarded = true
      const quote = yield* Effect.either(venue.quote({
        chain: bench.chain,
        tokenIn: market.tokenIn,
        tokenOut: market.tokenOut,
        amountIn,
        vault: bench.pool
      }))
      if (quote._tag === "Right") return { venue: name, quote: quote.right }
      if (quote.left._tag === "ExecutionFailure") return yield* quote.left
      passed.push(`${name}: ${quote.left.reason}`)
    }
    return yield* new ExecutionFailure({
      errorType: guarded ? "no_route" : "venue_not_allowed",
      message: `No venue can swap ${market.tokenIn.symbol} for ${market.tokenOut.symbol} (${passed.join("; ")}); nothing was sent.`
    })
  })

const callsFor = (market: Market.Market, quote: Quote, amountIn: bigint, allowance: bigint, minOut: bigint, deadline: bigint) => {
  const swap = { to: quote.router, data: quote.calldata(minOut, deadline) }
  if (allowance >= amountIn) return [swap]
  // Exactly this much, in the same transaction: nothing stays approved that was not asked for.
  return [...Allowance.set(market.tokenIn.address, quote.router, allowance, amountIn), swap]
}

export const Trade = Action.make<TradeRequest, typeof Details.Type, typeof Details.Encoded, Tokens>({
  charge: "trade",
  details: Details,
  plan: (bench, request) =>
    Effect.gen(function*() {
      const tokens = yield* Tokens
      const { assets } = bench
      const tokenIn = yield* tokens.resolve(bench.network, request.from, assets)
      const tokenOut = yield* tokens.resolve(bench.network, request.to, assets)
      if (tokenIn.address === tokenOut.address) {
        return yield* new ValidationFailure({ code: "1010", message: "to: must be another asset than from" })
      }
      const market = yield* Market.read(bench, tokenIn, tokenOut)
      const amountIn = yield* amountOf(request, tokenIn, market.balance)
      const { venue, quote } = yield* pick(bench, request, market, amountIn)
      const fair = Market.fairOut(market, amountIn)
      const minOut = minOutOf(quote.amountOut, fair, request.slippage)
      if (quote.amountOut < minOut) {
        return yield* new ExecutionFailure({
          errorType: "slippage_exceeded",
          message: `${venue} pays ${Quantity.format(quote.amountOut, tokenOut.decimals)} ${tokenOut.symbol}, but by the vault's oracle and ` +
            `${request.slippage} % slippage it must be at least ${Quantity.format(minOut, tokenOut.decimals)}; nothing was sent.`
        })
      }
      const now = yield* Clock.currentTimeMillis
      const deadline = BigInt(Math.floor(now / 1000) + lifetime)
      return {
        calls: callsFor(market, quote, amountIn, market.allowances.get(quote.router) ?? 0n, minOut, deadline),
        details: { venue, route: quote.route, router: quote.router, tokenIn, tokenOut, amountIn, amountOut: quote.amountOut, minOut },
        nothingToDo: ""
      }
    }),
  show: (details) => ({
    venue: details.venue,
    route: details.route,
    amountIn: Quantity.of(details.tokenIn, details.amountIn),
    amountOut: Quantity.of(details.tokenOut, details.amountOut),
    minOut: Quantity.of(details.tokenOut, details.minOut)
  }),
  settle: (bench, details, receipt) =>
    Effect.sync(() => {
      const logs = receipt?.logs ?? []
      const sold = Quantity.of(details.tokenIn, movedBy(logs, details.tokenIn.address, bench.pool).sent)
      const bought = Quantity.of(details.tokenOut, movedBy(logs, details.tokenOut.address, bench.pool).received)
      return {
        message: `Sold ${sold.amount} ${sold.symbol} for ${bought.amount} ${bought.symbol} on ${details.venue}.`,
        result: {
          venue: details.venue,
          route: details.route,
          sold: { ...sold },
          bought: { ...bought },
          min_out: { ...Quantity.of(details.tokenOut, details.minOut) }
        }
      }
    })
})
