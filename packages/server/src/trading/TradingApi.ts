/** Handlers of trades and approvals; each turns its parameters into an intent. */
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { type Brands, parse as parseLender, standardBrands } from "@vault-trader/core/lending/Brands"
import { lenders } from "@vault-trader/core/lending/Lending"
import { ApproveRequest, defaultSlippage, TradeRequest } from "@vault-trader/core/trading/Trading"
import { TradingApi } from "@vault-trader/core/trading/TradingApi"
import { names as venueNames, parse as parseVenue } from "@vault-trader/core/venue/VenueName"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import { networkOf } from "../gate/ServedNetworks.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { Intents } from "../intent/Intents.ts"
import { successOf } from "../endpoint/Success.ts"

export const TradingApiLive = TradingApi.toLayer(Effect.gen(function*() {
  const intents = yield* Intents
  const directory = yield* Directory
  return {
    vaultTrade: (params) =>
      Effect.gen(function*() {
        const network = yield* networkOf(params.network)
        return yield* intents.write(successOf(TradingApi, "vaultTrade"), {
          endpoint: "vaultTrade",
          network,
          pool: params.pool,
          request: TradeRequest.make({
            from: params.from,
            to: params.to,
            ...sizeOf(params),
            slippage: params.slippage ?? defaultSlippage,
            platform: params.platform ?? "auto"
          }),
          idempotencyKey: params.idempotency_key,
          dryRun: params.dryRun ?? false
        })
      }).pipe(Effect.provideService(Directory, directory)),
    approve: (params) =>
      Effect.flatMap(
        spenderOf(directory.brands ?? standardBrands, params.platform ?? "auto"),
        (platform) =>
          intents.write(successOf(TradingApi, "approve"), {
            endpoint: "approve",
            network: params.network,
            pool: params.pool,
            request: ApproveRequest.make({ asset: params.asset, platform, ...amountOf(params) }),
            idempotencyKey: params.idempotency_key,
            dryRun: params.dryRun ?? false
          })
      )
  }
}))

/** Returns the venue or else the lender that `text` names. Parsed here, because the brands are configuration. */
const spenderOf = (brands: Brands, text: string): Effect.Effect<ApproveRequest["platform"], ValidationFailure> => {
  const found = parseVenue(text) ?? parseLender(brands, text)
  if (found !== undefined) return Effect.succeed(found)
  const accepted = ["auto", ...venueNames, ...lenders, ...Object.values(brands)]
  return new ValidationFailure({ code: "1010", message: `platform: must be one of ${accepted.join(", ")}` })
}

interface Size {
  readonly share?: number | undefined
  readonly amount?: BigDecimal.BigDecimal | undefined
}

/** Omits an undefined amount: a repeat is compared with the row, which has no undefined members. */
const amountOf = ({ amount }: Size) => amount === undefined ? {} : { amount }

/**
 * Returns the request's size. A share wins: the amount is dropped, so a repeat with another amount is the same request.
 */
const sizeOf = (size: Size) => size.share === undefined ? amountOf(size) : { share: size.share }
