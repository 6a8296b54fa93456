/** Trading a perpetual contract: an order through the core's writer, told by what the core itself says of it. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Cloid from "@vault-trader/core/perpetual/Cloid"
import * as OrderTerms from "@vault-trader/core/perpetual/OrderTerms"
import { maximumSlippage, type PlacePerpetualOrderRequest, Side, tifs } from "@vault-trader/core/perpetual/Perpetual"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Action from "../vault/Action.ts"
import { worthOrUnknown } from "../vault/Worth.ts"
import { reasonOf } from "../chain/Revert.ts"
import * as HyperCoreConfirmation from "./HyperCoreConfirmation.ts"
import * as HyperCoreInfo from "./HyperCoreInfo.ts"
import { meaningOf } from "./HyperCoreRevert.ts"
import * as HyperCoreWriter from "./HyperCoreWriter.ts"
import * as PerpetualContext from "./PerpetualContext.ts"
import { type Listed, scaled } from "./HyperCoreSchema.ts"
import * as PerpetualOrder from "./PerpetualOrder.ts"
import type { Tokens } from "../chain/Tokens.ts"

/** What was decided; price and size with 8 decimals. */
const Details = Schema.Struct({
  coin: Schema.String,
  side: Side,
  tif: Schema.Literals(tifs),
  reduceOnly: Schema.Boolean,
  cloid: Schema.String,
  price: Schema.BigIntFromString,
  size: Schema.BigIntFromString
})
type Details = typeof Details.Type

/** A dry run has no intent, so its order has no name. */
const nameless = "00000000-0000-0000-0000-000000000000"

const said = (value: bigint) => Quantity.format(value, OrderTerms.wireDecimals)

const fields = ({ cloid, coin, price, reduceOnly, side, size, tif }: Details) =>
  ({ coin, side, cloid, size: said(size), limit_price: said(price), tif, reduce_only: reduceOnly })

/** The contract of this name, in the core's own spelling. */
export const marketOf = (listed: ReadonlyArray<Listed>, coin: string): Effect.Effect<Listed, Failure> => {
  const found = listed.find(({ coin: name }) => name.toUpperCase() === coin.toUpperCase())
  if (found !== undefined) return Effect.succeed(found)
  return PerpetualContext.refuse("market_not_available", `The core trades no contract ${coin}; getPerpetualMarkets lists those it does.`)
}

const pricesOf = ({ asset, coin, context, sizeDecimals }: Listed): OrderTerms.PerpetualMarket => ({
  asset,
  coin,
  sizeDecimals,
  mark: scaled(context.markPx, OrderTerms.wireDecimals),
  mid: context.midPx === null ? null : scaled(context.midPx, OrderTerms.wireDecimals)
})

/** How much of the position an order of this side closes, 8 decimals. */
const closingOf = (account: Effect.Success<ReturnType<HyperCoreInfo.HyperCoreInfo["Service"]["account"]>>, coin: string, side: Side) => {
  const position = account.assetPositions.find((each) => each.position.coin === coin)?.position
  const size = position === undefined ? 0n : scaled(position.szi, OrderTerms.wireDecimals)
  return side === "sell" ? (size > 0n ? size : 0n) : size < 0n ? -size : 0n
}

const allowedWorse = BigInt(maximumSlippage) * 10n ** 16n

export const PlacePerpetualOrder = Action.make<PlacePerpetualOrderRequest, Details, typeof Details.Encoded, Tokens | HyperCoreInfo.HyperCoreInfo | HyperCoreConfirmation.Patience>({
  charge: "trade",
  details: Details,
  plan: (here, request) =>
    Effect.gen(function*() {
      const info = yield* HyperCoreInfo.HyperCoreInfo
      const { book, price: usdcPrice, usdc } = yield* PerpetualContext.read(here, "writer")
      const [listed, account] = yield* Effect.mapError(
        Effect.all([info.markets(book), info.account(book, here.pool)], { concurrency: "unbounded" }),
        HyperCoreInfo.unavailable
      )
      const market = yield* marketOf(listed, request.coin)
      const { coin, isolatedOnly } = market
      if (isolatedOnly) {
        return yield* PerpetualContext.refuse("market_not_available", `${coin} is traded with isolated margin only, which the vault platform does not allow.`)
      }
      const closing = request.reduceOnly ? closingOf(account, coin, request.side) : 0n
      if (request.reduceOnly && closing === 0n) {
        return yield* PerpetualContext.refuse("position_not_found", `The vault has no position in ${coin} that ${request.side === "buy" ? "buying" : "selling"} would reduce.`)
      }
      if (!request.reduceOnly && scaled(account.marginSummary.accountValue, 6) <= 0n) {
        return yield* PerpetualContext.refuse("insufficient_balance", "The vault has nothing at the core that could be margin; depositToPerpetuals moves USDC there.")
      }
      const prices = pricesOf(market)
      const terms = OrderTerms.of(prices, request, closing)
      if (Result.isFailure(terms)) {
        const { parameter, reason } = terms.failure
        return yield* new ValidationFailure({ code: parameter === "price" ? "1010" : "1009", message: `${parameter}: ${reason}` })
      }
      const { notional, price, size } = terms.success
      const small = request.reduceOnly ? undefined : OrderTerms.tooSmall(terms.success, coin)
      if (small !== undefined) return yield* new ValidationFailure({ code: "1009", message: `${request.size === undefined ? "usd" : "size"}: ${small}` })
      if (OrderTerms.worseBy(price, prices.mark, request.side) > allowedWorse) {
        return yield* PerpetualContext.refuse("slippage_exceeded", `${said(price)} is worse than the market's ${said(prices.mark)} by more than ${maximumSlippage} %, as much as the vault platform allows.`)
      }
      const cloid = Cloid.ofIntent(here.intentId ?? nameless)
      const { reduceOnly, side, tif } = request
      const calls = [HyperCoreWriter.limitOrder(book.coreWriter, { asset: market.asset, isBuy: side === "buy", price, size, reduceOnly, tif, cloid })]
      const estimate = yield* PerpetualContext.simulated(here, calls)
      return {
        calls,
        worth: worthOrUnknown(PerpetualContext.inUsdc(notional, usdc), usdcPrice, usdc.decimals),
        details: { coin, side, tif, reduceOnly, cloid, price, size },
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  decodeMovement: PerpetualContext.movement,
  explainRevert: (revert) => meaningOf(reasonOf(revert)),
  describe: (details) => ({ ...fields(details), oid: null, order_status: "planned", filled: "0", average_price: null }),
  interpretReceipt: (_, details) => Effect.succeed({ message: "", result: fields(details) }),
  confirm: (here, details, receipt) => confirmed(here, details, receipt)
})

const verbs = { buy: "Bought", sell: "Sold" } as const

/** What the core says of the order by its own name; never whether the transaction succeeded. */
const confirmed = (here: Action.ConfirmContext, details: Details, receipt: Receipt) =>
  Effect.gen(function*() {
    const book = yield* PerpetualContext.bookOf(here.network, here.chain)
    const order = yield* HyperCoreConfirmation.sought(here, book, receipt, PerpetualOrder.find(here, book, details.cloid as Hex))
    if (Option.isNone(order)) {
      return yield* HyperCoreConfirmation.rejected("The core never took the order: it does not know it, long after the transaction. Nothing was traded, and nothing will be.")
    }
    const { average, filled, state, verdict } = order.value
    const told = { ...fields(details), oid: String(state.oid), order_status: state.status, filled, average_price: average }
    const wanted = `${told.size} ${details.coin}`
    switch (verdict._tag) {
      case "refused":
        return yield* HyperCoreConfirmation.rejected(`The core refused the order: ${verdict.sentence} (${state.status}). Nothing was traded.`)
      case "cancelled":
        return yield* HyperCoreConfirmation.rejected(`The order reached the core and was taken back there (${state.status}); nothing was traded.`)
      case "open":
        return { message: `The order rests: ${details.side} ${wanted} at ${told.limit_price}${filled === "0" ? "" : `, ${filled} of it filled`}.`, result: told }
      case "filled":
        return {
          message: `${verbs[details.side]} ${filled}${filled === told.size ? "" : ` of ${told.size}`} ${details.coin}${average === null ? "" : ` at ${average} on average`}.`,
          result: told
        }
    }
  })
