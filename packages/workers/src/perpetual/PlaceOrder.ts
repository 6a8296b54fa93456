/** Places an order for a perpetual contract through HyperCore's writer; the result is read back from HyperCore. */
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { explain } from "@vault-trader/core/failure/Explanation"
import { type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import * as Cloid from "@vault-trader/core/perpetual/Cloid"
import * as OrderTerms from "@vault-trader/core/perpetual/OrderTerms"
import { maxSlippage, type PlacePerpetualOrderRequest, Side, tifs } from "@vault-trader/core/perpetual/Perpetual"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Hex } from "@vault-trader/core/chain/Address"
import * as Action from "../vault/Action.ts"
import { usdValueOrNull } from "@vault-trader/core/chain/Quantity"
import { reasonOf } from "../chain/Revert.ts"
import * as HyperCoreConfirmation from "./HyperCoreConfirmation.ts"
import * as HyperCoreInfo from "./HyperCoreInfo.ts"
import { meaningOf } from "./HyperCoreRevert.ts"
import * as HyperCoreWriter from "./HyperCoreWriter.ts"
import * as PerpetualContext from "./PerpetualContext.ts"
import { type HyperCoreMarket, toUnits } from "./HyperCoreSchema.ts"
import * as PerpetualOrder from "./PerpetualOrder.ts"
import type { Tokens } from "../chain/Tokens.ts"

/** The plan of an order; price and size with 8 decimals. */
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

/** The id used for the cloid of a dry run, which has no intent. */
const dryRunId = "00000000-0000-0000-0000-000000000000"

const format = (value: bigint) => Quantity.format(value, OrderTerms.wireDecimals)

const fields = ({ cloid, coin, price, reduceOnly, side, size, tif }: Details) => ({
  coin,
  side,
  cloid,
  size: format(size),
  limit_price: format(price),
  tif,
  reduce_only: reduceOnly
})

/** Finds the contract of this name, ignoring case. */
export const marketOf = (
  listed: ReadonlyArray<HyperCoreMarket>,
  coin: string
): Effect.Effect<HyperCoreMarket, Failure> => {
  const found = listed.find(({ coin: name }) => name.toUpperCase() === coin.toUpperCase())
  if (found !== undefined) return Effect.succeed(found)
  return explain({ _tag: "ContractNotListed", coin })
}

const pricesOf = ({ asset, coin, context, sizeDecimals }: HyperCoreMarket): OrderTerms.PerpetualMarket => ({
  asset,
  coin,
  sizeDecimals,
  mark: toUnits(context.markPx, OrderTerms.wireDecimals),
  mid: context.midPx === null ? null : toUnits(context.midPx, OrderTerms.wireDecimals)
})

/** Returns the size of the position that an order of this side can close, 8 decimals. */
const closingOf = (
  account: Effect.Success<ReturnType<HyperCoreInfo.HyperCoreInfo["Service"]["account"]>>,
  coin: string,
  side: Side
) => {
  const position = account.assetPositions.find((each) => each.position.coin === coin)?.position
  const size = position === undefined ? 0n : toUnits(position.szi, OrderTerms.wireDecimals)
  return side === "sell" ? (size > 0n ? size : 0n) : size < 0n ? -size : 0n
}

const maxWorse = BigInt(maxSlippage) * 10n ** 16n

export const PlacePerpetualOrder = Action.make<
  PlacePerpetualOrderRequest,
  Details,
  typeof Details.Encoded,
  Tokens | HyperCoreInfo.HyperCoreInfo
>({
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
        return yield* explain({ _tag: "IsolatedMarginOnly", coin })
      }
      const closing = request.reduceOnly ? closingOf(account, coin, request.side) : 0n
      if (request.reduceOnly && closing === 0n) {
        return yield* explain({ _tag: "NoPerpetualPosition", coin, side: request.side })
      }
      if (!request.reduceOnly && toUnits(account.marginSummary.accountValue, 6) <= 0n) {
        return yield* explain({ _tag: "NoMargin" })
      }
      const prices = pricesOf(market)
      const terms = OrderTerms.of(prices, request, closing)
      if (Result.isFailure(terms)) {
        const { parameter, reason } = terms.failure
        return yield* new ValidationFailure({
          code: parameter === "price" ? "1010" : "1009",
          message: `${parameter}: ${reason}`
        })
      }
      const { notional, price, size } = terms.success
      const small = request.reduceOnly ? undefined : OrderTerms.tooSmall(terms.success, coin)
      if (small !== undefined) {
        return yield* new ValidationFailure({
          code: "1009",
          message: `${request.size === undefined ? "usd" : "size"}: ${small}`
        })
      }
      if (OrderTerms.worseBy(price, prices.mark, request.side) > maxWorse) {
        return yield* explain({
          _tag: "OrderPriceTooFar",
          price: format(price),
          mark: format(prices.mark),
          maxPercent: String(maxSlippage)
        })
      }
      const cloid = Cloid.ofIntent(here.intentId ?? dryRunId)
      const { reduceOnly, side, tif } = request
      const calls = [
        HyperCoreWriter.limitOrder(book.coreWriter, {
          asset: market.asset,
          isBuy: side === "buy",
          price,
          size,
          reduceOnly,
          tif,
          cloid
        })
      ]
      const estimate = yield* PerpetualContext.simulate(here, calls)
      return {
        calls,
        worth: usdValueOrNull(PerpetualContext.inUsdc(notional, usdc), usdcPrice, usdc.decimals),
        details: { coin, side, tif, reduceOnly, cloid, price, size },
        nothingToDo: "",
        ...(estimate === undefined ? {} : { estimate })
      }
    }),
  decodeMovement: PerpetualContext.movement,
  explainRevert: (revert) => meaningOf(reasonOf(revert)),
  describe: (details) => ({ ...fields(details), oid: null, order_status: "planned", filled: "0", average_price: null }),
  interpretReceipt: (_, details) => Effect.succeed({ message: "", result: fields(details) }),
  confirm: (here, details, receipt) => confirmOutcome(here, details, receipt)
})

const verbs = { buy: "Bought", sell: "Sold" } as const

/** Reads the order's outcome from HyperCore by its cloid. The transaction's own success says nothing about it. */
const confirmOutcome = (here: Action.ConfirmContext, details: Details, receipt: Receipt) =>
  Effect.gen(function*() {
    const book = yield* PerpetualContext.bookOf(here.network, here.chain)
    const order = yield* HyperCoreConfirmation.findOrLost(
      here,
      book,
      receipt,
      PerpetualOrder.find(here, book, details.cloid as Hex)
    )
    if (Option.isNone(order)) {
      return yield* HyperCoreConfirmation.rejection({ _tag: "OrderNotReceived" })
    }
    const { average, filled, state, verdict } = order.value
    const result = {
      ...fields(details),
      oid: String(state.oid),
      order_status: state.status,
      filled,
      average_price: average
    }
    const wanted = `${result.size} ${details.coin}`
    switch (verdict._tag) {
      case "refused":
        return yield* HyperCoreConfirmation.rejection({
          _tag: "OrderRefused",
          detail: verdict.sentence,
          status: state.status
        })
      case "cancelled":
        return yield* HyperCoreConfirmation.rejection({ _tag: "OrderCancelled", status: state.status })
      case "open":
        return {
          message: `The order is open: ${details.side} ${wanted} at ${result.limit_price}${
            filled === "0" ? "" : `, ${filled} of it filled`
          }.`,
          result
        }
      case "filled":
        return {
          message: `${verbs[details.side]} ${filled}${
            filled === result.size ? "" : ` of ${result.size}`
          } ${details.coin}${average === null ? "" : ` at ${average} on average`}.`,
          result
        }
    }
  })
