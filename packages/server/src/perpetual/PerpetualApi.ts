/** Handlers of perpetual contracts. Writes become intents; reads query HyperCore through the network's actor. */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Cloid from "@vault-trader/core/perpetual/Cloid"
import {
  CancelPerpetualOrderRequest,
  DepositToPerpetualsRequest,
  PlacePerpetualOrderRequest,
  defaultSlippage,
  WithdrawFromPerpetualsRequest
} from "@vault-trader/core/perpetual/Perpetual"
import { PerpetualApi } from "@vault-trader/core/perpetual/PerpetualApi"
import { defaultNetwork } from "@vault-trader/core/perpetual/PerpetualParams"
import { Perpetuals } from "@vault-trader/core/perpetual/Perpetuals"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"
import { Intents } from "../intent/Intents.ts"
import * as Size from "../intent/Size.ts"

interface OrderParams {
  readonly coin: string
  readonly side: "buy" | "sell"
  readonly size?: BigDecimal.BigDecimal | undefined
  readonly usd?: BigDecimal.BigDecimal | undefined
  readonly price?: BigDecimal.BigDecimal | undefined
  readonly tif?: "ioc" | "gtc" | "alo" | undefined
  readonly reduce_only?: boolean | undefined
  readonly slippage?: number | undefined
}

const unusable = (code: ValidationFailure["code"], message: string) => new ValidationFailure({ code, message })

/** Builds the order request. Refuses combinations of parameters that do not fit together. */
const orderOf = ({ coin, price, reduce_only: reduceOnly = false, side, size, slippage, tif, usd }: OrderParams) =>
  Effect.gen(function*() {
    if (size === undefined && usd === undefined && !reduceOnly) {
      return yield* unusable("1010", "size: is missing; give size, or usd, or reduce_only=true to close the position")
    }
    if (price === undefined && tif !== undefined && tif !== "ioc") {
      return yield* unusable("1010", `price: is missing; an order that rests (tif=${tif}) needs one`)
    }
    return PlacePerpetualOrderRequest.make({
      coin: coin.toUpperCase(),
      side,
      tif: tif ?? (price === undefined ? "ioc" : "gtc"),
      reduceOnly,
      slippage: slippage ?? defaultSlippage,
      // A size wins: the USD amount is dropped.
      ...(size !== undefined ? { size } : usd === undefined ? {} : { usd }),
      ...(price === undefined ? {} : { price })
    })
  })

interface CancelParams {
  readonly coin: string
  readonly intent_id?: string | undefined
  readonly cloid?: string | undefined
  readonly oid?: bigint | undefined
}

/** Builds the cancel request. The caller names the order by exactly one of its three ids. */
const cancelOf = ({ cloid, coin, intent_id: intentId, oid }: CancelParams) =>
  Effect.gen(function*() {
    const given = [intentId, cloid, oid].filter((name) => name !== undefined)
    if (given.length !== 1) {
      return yield* unusable(
        "1010",
        `intent_id: give one of intent_id, cloid and oid, not ${
          given.length === 0 ? "none of them" : `${given.length} of them`
        }`
      )
    }
    const name = intentId === undefined ? cloid : Cloid.ofIntent(intentId)
    return CancelPerpetualOrderRequest.make({
      coin: coin.toUpperCase(),
      ...(name === undefined ? {} : { cloid: name }),
      ...(oid === undefined ? {} : { oid })
    })
  })

export const PerpetualApiLive = Handlers.layer(
  PerpetualApi,
  Effect.gen(function*() {
    const intents = yield* Intents
    const perpetuals = yield* Perpetuals.client
    return {
      depositToPerpetuals: intents.write(
        PerpetualApi,
        "depositToPerpetuals",
        (size) => DepositToPerpetualsRequest.make(Size.of(size))
      ),
      withdrawFromPerpetuals: intents.write(
        PerpetualApi,
        "withdrawFromPerpetuals",
        (size) => WithdrawFromPerpetualsRequest.make(Size.of(size))
      ),
      placePerpetualOrder: intents.write(PerpetualApi, "placePerpetualOrder", orderOf),
      cancelPerpetualOrder: intents.write(PerpetualApi, "cancelPerpetualOrder", cancelOf),
      getPerpetualPositions: ({ network = defaultNetwork, pool }) =>
        Effect.map(read(perpetuals(network).account({ pool })), (data) => ({ data })),
      getPerpetualOrders: ({ network = defaultNetwork, pool }) =>
        Effect.map(read(perpetuals(network).orders({ pool })), (orders) => ({ orders })),
      getPerpetualMarkets: ({ network = defaultNetwork }) =>
        Effect.map(read(perpetuals(network).markets()), (markets) => ({ markets }))
    }
  })
)
