/** Cancels a resting order; the result is read back from HyperCore. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Hex } from "@vault-trader/core/chain/Address"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { type CancelPerpetualOrderRequest, Side } from "@vault-trader/core/perpetual/Perpetual"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { reasonOf } from "../chain/Revert.ts"
import type { Tokens } from "../chain/Tokens.ts"
import * as Action from "../vault/Action.ts"
import * as HyperCoreConfirmation from "./HyperCoreConfirmation.ts"
import * as HyperCoreInfo from "./HyperCoreInfo.ts"
import { meaningOf } from "./HyperCoreRevert.ts"
import * as HyperCoreWriter from "./HyperCoreWriter.ts"
import * as PerpetualContext from "./PerpetualContext.ts"
import * as PerpetualOrder from "./PerpetualOrder.ts"
import { marketOf } from "./PlaceOrder.ts"

/** The order's state when its cancellation was planned. */
const Details = Schema.Struct({
  coin: Schema.String,
  side: Side,
  oid: Schema.Int,
  cloid: Schema.NullOr(Schema.String),
  price: Schema.String,
  size: Schema.String,
  filled: Schema.String,
  status: Schema.String
})
type Details = typeof Details.Type

const fields = ({ cloid, coin, filled, oid, price, side, size, status }: Details) => ({
  coin,
  side,
  cloid,
  oid: String(oid),
  order_status: status,
  size,
  limit_price: price,
  filled,
  average_price: null
})

const nameOf = ({ cloid, oid }: CancelPerpetualOrderRequest): Hex | number =>
  cloid === undefined ? Number(oid ?? 0n) : cloid as Hex

export const CancelPerpetualOrder = Action.make<
  CancelPerpetualOrderRequest,
  Details,
  typeof Details.Encoded,
  Tokens | HyperCoreInfo.HyperCoreInfo
>({
  charge: "free",
  details: Details,
  plan: (context, request) =>
    Effect.gen(function*() {
      const info = yield* HyperCoreInfo.HyperCoreInfo
      const { book } = yield* PerpetualContext.read(context, "writer")
      const [listed, found] = yield* Effect.mapError(
        Effect.all([info.markets(book), PerpetualOrder.find(context, book, nameOf(request))], {
          concurrency: "unbounded"
        }),
        HyperCoreInfo.unavailable
      )
      const { asset, coin } = yield* marketOf(listed, request.coin)
      const orderName = String(nameOf(request))
      if (Option.isNone(found) || found.value.state.coin !== coin) {
        return yield* explain({ _tag: "OrderNotFound", order: orderName, coin })
      }
      const { filled, state, verdict } = found.value
      if (verdict._tag === "filled") {
        return yield* explain({ _tag: "OrderAlreadyFilled", order: orderName })
      }
      const { cloid, oid, price, side, size, status } = state
      const details = { coin, side, oid, cloid, price, size, filled, status }
      if (verdict._tag !== "open") {
        return {
          calls: [],
          details,
          nothingToDo: `Order ${orderName} is no longer open (${status}); nothing was sent.`
        }
      }
      const calls = [
        request.cloid === undefined
          ? HyperCoreWriter.cancelByOid(book.coreWriter, asset, BigInt(oid))
          : HyperCoreWriter.cancelByCloid(book.coreWriter, asset, request.cloid as Hex)
      ]
      const estimate = yield* PerpetualContext.simulate(context, calls)
      return { calls, details, nothingToDo: "", ...(estimate === undefined ? {} : { estimate }) }
    }),
  decodeMovement: PerpetualContext.movement,
  explainRevert: (revert) => meaningOf(reasonOf(revert)),
  describe: fields,
  interpretReceipt: (_, details) => Effect.succeed({ message: "", result: fields(details) }),
  confirm: (here, details, receipt) => confirmOutcome(here, details, receipt)
})

const confirmOutcome = (here: Action.ConfirmContext, details: Details, receipt: Receipt) =>
  Effect.gen(function*() {
    const book = yield* PerpetualContext.bookOf(here.network, here.chain)
    // An order that still rests is not yet cancelled. It is polled until it is, or until HyperCore's time limit has
    // passed.
    const closed = yield* HyperCoreConfirmation.findOrLost(
      here,
      book,
      receipt,
      Effect.map(PerpetualOrder.find(here, book, details.oid), Option.filter(({ verdict }) => verdict._tag !== "open"))
    )
    if (Option.isNone(closed)) {
      return yield* HyperCoreConfirmation.rejection({ _tag: "OrderStillOpen", order: String(details.oid) })
    }
    const { average, filled, state } = closed.value
    if (state.status === "filled") {
      return yield* HyperCoreConfirmation.rejection({ _tag: "OrderFilledFirst", order: String(details.oid) })
    }
    return {
      message: `Cancelled; ${filled} of ${details.size} ${details.coin} had been filled.`,
      result: { ...fields({ ...details, filled, status: state.status }), average_price: average }
    }
  })
