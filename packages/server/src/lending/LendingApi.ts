/** Handlers of lending. Writes become intents; reads query the network's lenders. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { IntentRequest } from "@vault-trader/core/intent/Intent"
import { noDebt } from "@vault-trader/core/lending/LendingAccount"
import { type Brands, parse, defaultBrands } from "@vault-trader/core/lending/Brands"
import { Lenders } from "@vault-trader/core/lending/Lenders"
import { type LenderChoice, lenders as names } from "@vault-trader/core/lending/Lending"
import { BorrowRequest, LendRequest, RepayRequest, UnlendRequest } from "@vault-trader/core/lending/Lending"
import { LendingApi } from "@vault-trader/core/lending/LendingApi"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Handlers from "../wire/Handlers.ts"
import { read } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { Intents } from "../intent/Intents.ts"
import * as Size from "../intent/Size.ts"

interface LendingParams {
  readonly asset: string
  readonly share?: number | undefined
  readonly amount?: BigDecimal.BigDecimal | undefined
  /** The lending market's name or brand. */
  readonly platform?: string | undefined
}

const fieldsOf = (lender: LenderChoice, { asset, ...size }: LendingParams) => ({ lender, asset, ...Size.of(size) })

type Fields = ReturnType<typeof fieldsOf>

/** Returns the market that `platform` names, lenderA by default. Parsed here, because the brands are configuration. */
const lenderOf = (
  brands: Brands,
  { platform }: LendingParams
): Effect.Effect<LenderChoice, ValidationFailure> => {
  const found = platform === undefined
    ? "lenderA"
    : platform.toLowerCase() === "auto"
    ? "auto"
    : parse(brands, platform)
  return found === undefined
    ? new ValidationFailure({
      code: "1010",
      message: `platform: must be one of ${["auto", ...names, ...Object.values(brands)].join(", ")}`
    })
    : Effect.succeed(found)
}

/** The request of each action, from its fields. */
const requests = {
  lend: (fields: Fields) => LendRequest.make(fields),
  unlend: (fields: Fields) => UnlendRequest.make(fields),
  borrow: (fields: Fields) => BorrowRequest.make(fields),
  repay: (fields: Fields) => RepayRequest.make(fields)
}

/** Returns a builder of requests to one market. */
const at = (lender: LenderChoice, request: (fields: Fields) => IntentRequest) => (params: LendingParams) =>
  request(fieldsOf(lender, params))

/** Returns a builder of requests to the market that the caller names. */
const atNamed = (brands: Brands, request: (fields: Fields) => IntentRequest) => (params: LendingParams) =>
  Effect.map(lenderOf(brands, params), (lender) => request(fieldsOf(lender, params)))

const writes = Handlers.part(
  LendingApi,
  Effect.gen(function*() {
    const { write } = yield* Intents
    const { brands = defaultBrands } = yield* Directory
    return {
      "lenderAV3/lend": write(LendingApi, "lenderAV3/lend", at("lenderA", requests.lend)),
      "lenderAV3/unlend": write(LendingApi, "lenderAV3/unlend", at("lenderA", requests.unlend)),
      "lenderAV3/borrow": write(LendingApi, "lenderAV3/borrow", at("lenderA", requests.borrow)),
      "lenderAV3/repay": write(LendingApi, "lenderAV3/repay", at("lenderA", requests.repay)),
      "lenderBV3/lend": write(LendingApi, "lenderBV3/lend", at("lenderB", requests.lend)),
      "lenderBV3/unlend": write(LendingApi, "lenderBV3/unlend", at("lenderB", requests.unlend)),
      "lenderC/lend": write(LendingApi, "lenderC/lend", at("lenderC", requests.lend)),
      "lenderC/unlend": write(LendingApi, "lenderC/unlend", at("lenderC", requests.unlend)),
      lend: write(LendingApi, "lend", atNamed(brands, requests.lend)),
      unlend: write(LendingApi, "unlend", atNamed(brands, requests.unlend)),
      borrow: write(LendingApi, "borrow", atNamed(brands, requests.borrow)),
      repay: write(LendingApi, "repay", atNamed(brands, requests.repay))
    }
  })
)

const reads = Handlers.part(
  LendingApi,
  Effect.gen(function*() {
    const lenders = yield* Lenders.client
    const account = ({ network, pool }: { readonly network: Network; readonly pool: Address }) =>
      read(lenders(network).account({ pool }))
    return {
      "lenderAV3/getSupplied": (params) =>
        Effect.map(account(params), ({ supplied: assets, totalSupplied }) => ({ data: { totalSupplied, assets } })),
      "lenderAV3/getBorrowed": (params) =>
        Effect.map(account(params), ({ borrowed: assets, totalBorrowed }) => ({ data: { totalBorrowed, assets } })),
      "lenderAV3/getHealthFactor": (params) =>
        Effect.map(account(params), ({ data: { healthFactor } }) => ({
          data: { healthFactor },
          message: healthFactor === noDebt
            ? "The vault owes nothing, so its health factor is infinite."
            : `The vault's health factor is ${healthFactor}.`
        })),
      "lenderAV3/getPoolData": (params) => Effect.map(account(params), ({ data }) => ({ data }))
    }
  })
)

export const LendingApiLive = Handlers.layer(
  LendingApi,
  Effect.gen(function*() {
    return { ...(yield* writes), ...(yield* reads) }
  })
)
