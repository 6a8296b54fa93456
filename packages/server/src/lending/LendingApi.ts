/** Handlers of lending. Writes become intents; reads query the network's lenders. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import { noDebt } from "@vault-trader/core/lending/LendingAccount"
import { parse, standardBrands } from "@vault-trader/core/lending/Brands"
import { Lenders } from "@vault-trader/core/lending/Lenders"
import { type LenderName, lenders as names } from "@vault-trader/core/lending/Lending"
import { BorrowRequest, LendRequest, RepayRequest, UnlendRequest } from "@vault-trader/core/lending/Lending"
import { LendingApi } from "@vault-trader/core/lending/LendingApi"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import { successOf } from "../endpoint/Success.ts"
import { read } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { Intents } from "../intent/Intents.ts"

const status = "success" as const

interface LendingParams {
  readonly network: Network
  readonly pool: Address
  readonly asset: string
  readonly share?: number | undefined
  readonly amount?: BigDecimal.BigDecimal | undefined
  readonly dryRun?: boolean | undefined
  readonly idempotency_key?: string | undefined
}

/**
 * Builds the request's fields. A share wins: the amount is dropped, so a repeat with another amount is the same
 * request.
 */
const fieldsOf = ({ amount, asset, share }: LendingParams, lender: LenderName) => ({
  lender,
  asset,
  ...(share !== undefined ? { share } : amount === undefined ? {} : { amount })
})

type Fields = ReturnType<typeof fieldsOf>

const requests = {
  lend: (fields: Fields) => LendRequest.make(fields),
  unlend: (fields: Fields) => UnlendRequest.make(fields),
  borrow: (fields: Fields) => BorrowRequest.make(fields),
  repay: (fields: Fields) => RepayRequest.make(fields)
}

export const LendingApiLive = LendingApi.toLayer(Effect.gen(function*() {
  const intents = yield* Intents
  const lenders = yield* Lenders.client
  const brands = (yield* Directory).brands ?? standardBrands

  /** Builds the write handler of one endpoint from its response schema and its request. */
  const write =
    <A, I>(endpoint: string, answer: Schema.Codec<A, I>, request: (fields: Fields) => IntentRequest) =>
    (lender: LenderName) =>
    (params: LendingParams) =>
      intents.write(answer, {
        endpoint,
        network: params.network,
        pool: params.pool,
        request: request(fieldsOf(params, lender)),
        idempotencyKey: params.idempotency_key,
        dryRun: params.dryRun ?? false
      })

  /** Returns the market named by `platform`, lenderA by default. Parsed here, because the brands are configuration. */
  const lenderOf = (
    { platform }: { readonly platform?: string | undefined }
  ): Effect.Effect<LenderName, ValidationFailure> => {
    const found = platform === undefined ? "lenderA" : parse(brands, platform)
    return found === undefined
      ? new ValidationFailure({
        code: "1010",
        message: `platform: must be one of ${[...names, ...Object.values(brands)].join(", ")}`
      })
      : Effect.succeed(found)
  }

  const account = ({ network, pool }: Pick<LendingParams, "network" | "pool">) =>
    read(lenders(network).account({ pool }))

  return {
    "lenderAV3/lend": write("lenderAV3/lend", successOf(LendingApi, "lenderAV3/lend"), requests.lend)("lenderA"),
    "lenderAV3/unlend": write("lenderAV3/unlend", successOf(LendingApi, "lenderAV3/unlend"), requests.unlend)(
      "lenderA"
    ),
    "lenderAV3/borrow": write("lenderAV3/borrow", successOf(LendingApi, "lenderAV3/borrow"), requests.borrow)(
      "lenderA"
    ),
    "lenderAV3/repay": write("lenderAV3/repay", successOf(LendingApi, "lenderAV3/repay"), requests.repay)("lenderA"),
    "lenderAV3/getSupplied": (params) =>
      Effect.map(
        account(params),
        ({ supplied: assets, totalSupplied }) => ({ status, data: { totalSupplied, assets } })
      ),
    "lenderAV3/getBorrowed": (params) =>
      Effect.map(
        account(params),
        ({ borrowed: assets, totalBorrowed }) => ({ status, data: { totalBorrowed, assets } })
      ),
    "lenderAV3/getHealthFactor": (params) =>
      Effect.map(account(params), ({ data: { healthFactor } }) => ({
        status,
        data: { healthFactor },
        message: healthFactor === noDebt
          ? "The vault owes nothing, so its health factor is infinite."
          : `The vault's health factor is ${healthFactor}.`
      })),
    "lenderAV3/getPoolData": (params) => Effect.map(account(params), ({ data }) => ({ status, data })),
    "lenderBV3/lend": write("lenderBV3/lend", successOf(LendingApi, "lenderBV3/lend"), requests.lend)("lenderB"),
    "lenderBV3/unlend": write("lenderBV3/unlend", successOf(LendingApi, "lenderBV3/unlend"), requests.unlend)(
      "lenderB"
    ),
    "lenderC/lend": write("lenderC/lend", successOf(LendingApi, "lenderC/lend"), requests.lend)("lenderC"),
    "lenderC/unlend": write("lenderC/unlend", successOf(LendingApi, "lenderC/unlend"), requests.unlend)("lenderC"),
    lend: (params) =>
      Effect.flatMap(
        lenderOf(params),
        (lender) => write("lend", successOf(LendingApi, "lend"), requests.lend)(lender)(params)
      ),
    unlend: (params) =>
      Effect.flatMap(
        lenderOf(params),
        (lender) => write("unlend", successOf(LendingApi, "unlend"), requests.unlend)(lender)(params)
      ),
    borrow: (params) =>
      Effect.flatMap(
        lenderOf(params),
        (lender) => write("borrow", successOf(LendingApi, "borrow"), requests.borrow)(lender)(params)
      ),
    repay: (params) =>
      Effect.flatMap(
        lenderOf(params),
        (lender) => write("repay", successOf(LendingApi, "repay"), requests.repay)(lender)(params)
      )
  }
}))
