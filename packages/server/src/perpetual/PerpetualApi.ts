/** Handlers of perpetual contracts. Writes become intents; reads query HyperCore through the network's actor. */
import type { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import * as Cloid from "@vault-trader/core/perpetual/Cloid"
import {
  CancelPerpetualOrderRequest,
  DepositToPerpetualsRequest,
  PlacePerpetualOrderRequest,
  standardSlippage,
  WithdrawFromPerpetualsRequest
} from "@vault-trader/core/perpetual/Perpetual"
import { PerpetualApi } from "@vault-trader/core/perpetual/PerpetualApi"
import { standardNetwork } from "@vault-trader/core/perpetual/PerpetualParams"
import { Perpetuals } from "@vault-trader/core/perpetual/Perpetuals"
import type { Address } from "@vault-trader/core/chain/Address"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { successOf } from "../endpoint/Success.ts"
import { read } from "../gate/ActorCall.ts"
import { Intents } from "../intent/Intents.ts"

const status = "success" as const

interface About {
  readonly network?: Network | undefined
  readonly pool: Address
  readonly dryRun?: boolean | undefined
  readonly idempotency_key?: string | undefined
}

const networkOf = ({ network }: { readonly network?: Network | undefined }) => network ?? standardNetwork

/**
 * Returns the request's size. A share wins: the amount is dropped, so a repeat with another amount is the same request.
 */
const sizeOf = (
  { amount, share }: { readonly share?: number | undefined; readonly amount?: BigDecimal.BigDecimal | undefined }
) => share !== undefined ? { share } : amount === undefined ? {} : { amount }

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
      slippage: slippage ?? standardSlippage,
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

export const PerpetualApiLive = PerpetualApi.toLayer(Effect.gen(function*() {
  const intents = yield* Intents
  const perpetuals = yield* Perpetuals.client

  const write = <A, I>(endpoint: string, answer: Schema.Codec<A, I>, about: About, request: IntentRequest) =>
    intents.write(answer, {
      endpoint,
      network: networkOf(about),
      pool: about.pool,
      request,
      idempotencyKey: about.idempotency_key,
      dryRun: about.dryRun ?? false
    })

  return {
    depositToPerpetuals: (params) =>
      write(
        "depositToPerpetuals",
        successOf(PerpetualApi, "depositToPerpetuals"),
        params,
        DepositToPerpetualsRequest.make(sizeOf(params))
      ),
    withdrawFromPerpetuals: (params) =>
      write(
        "withdrawFromPerpetuals",
        successOf(PerpetualApi, "withdrawFromPerpetuals"),
        params,
        WithdrawFromPerpetualsRequest.make(sizeOf(params))
      ),
    placePerpetualOrder: (params) =>
      Effect.flatMap(
        orderOf(params),
        (request) => write("placePerpetualOrder", successOf(PerpetualApi, "placePerpetualOrder"), params, request)
      ),
    cancelPerpetualOrder: (params) =>
      Effect.flatMap(
        cancelOf(params),
        (request) => write("cancelPerpetualOrder", successOf(PerpetualApi, "cancelPerpetualOrder"), params, request)
      ),
    getPerpetualPositions: (params) =>
      Effect.map(read(perpetuals(networkOf(params)).account({ pool: params.pool })), (data) => ({ status, data })),
    getPerpetualOrders: (params) =>
      Effect.map(read(perpetuals(networkOf(params)).orders({ pool: params.pool })), (orders) => ({ status, orders })),
    getPerpetualMarkets: (params) =>
      Effect.map(read(perpetuals(networkOf(params)).markets()), (markets) => ({ status, markets }))
  }
}))
