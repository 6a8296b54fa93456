/** Shared parts of the four lending actions: amount, market, stored details and the reading of receipts. */
import { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import type { Failure } from "@vault-trader/core/failure/Failure"
import { LenderName } from "@vault-trader/core/lending/Lending"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Tokens } from "../chain/Tokens.ts"
import * as Allowance from "../platform/Allowance.ts"
import { refuseWhilePaused } from "../platform/TradingPause.ts"
import { movedBy } from "../platform/Transfers.ts"
import * as Action from "../vault/Action.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { lenders } from "./LenderRegistry.ts"
import { meaningOf, simulate } from "./LenderRevert.ts"
import { type LenderCall, type Market, usable } from "./LenderMarket.ts"
import * as LendingMovements from "./LendingMovements.ts"

/** The plan of a lending action. `amount` is the amount planning expects to move, smallest units. */
const Details = Schema.Struct({
  lender: LenderName,
  market: Address,
  token: Token,
  amount: Schema.BigIntFromString,
  /** The projected health factor as responses show it; null where the market lends nothing, or its price is unknown. */
  healthFactor: Schema.NullOr(Schema.String)
})
type Details = typeof Details.Type

export interface Request {
  readonly lender: LenderName
  readonly asset: string
  readonly share?: number | undefined
  readonly amount?: BigDecimal.BigDecimal | undefined
}

/** The plan of one action. */
interface LendingPlan {
  readonly market: Market
  readonly amount: bigint
  readonly calls: ReadonlyArray<VaultCall>
  readonly healthFactor: string | null
  /** USD value of the assets that leave the vault, 18 decimals. */
  readonly worth?: bigint | null
}

interface Kind<R extends Request> {
  readonly kind: LenderCall["kind"]
  /** The response's field for the moved amount. `comes` is true when it came to the vault. */
  readonly field: "supplied" | "withdrawn" | "borrowed" | "repaid"
  readonly isIncoming: boolean
  /** Returns the result message, such as "Supplied 1000 USDC to lenderA." */
  readonly sentence: (quantity: string, lender: string) => string
  readonly plan: (context: Action.VaultContext, request: R, token: Token) => Effect.Effect<LendingPlan, Failure, Tokens>
}

/** Makes a lending action: planned by its own rules, simulated, and its outcome read from the token's transfers. */
export const make = <R extends Request>({ isIncoming, field, kind, plan, sentence }: Kind<R>) => {
  const commonFields = ({ healthFactor, lender, market }: Details) => ({
    lender,
    market,
    projected_health_factor: healthFactor
  })
  return Action.make<R, Details, typeof Details.Encoded, Tokens>({
    charge: "lend",
    details: Details,
    plan: (context, request) =>
      Effect.gen(function*() {
        yield* refuseWhilePaused(context)
        const token = yield* (yield* Tokens).resolve(context.network, request.asset, context.assets)
        const { amount, calls, healthFactor, market, worth } = yield* plan(context, request, token)
        const estimate = yield* simulate(context, calls)
        return {
          calls,
          details: { lender: market.lender, market: market.address, token, amount, healthFactor },
          nothingToDo: "",
          ...(worth === undefined ? {} : { worth }),
          ...(estimate === undefined ? {} : { estimate })
        }
      }),
    decodeMovement: LendingMovements.of(kind),
    explainRevert: meaningOf,
    describe: (details) => ({ ...commonFields(details), [field]: { ...Quantity.of(details.token, details.amount) } }),
    interpretReceipt: ({ pool }, details, receipt) =>
      Effect.sync(() => {
        const { received, sent } = movedBy(receipt?.logs ?? [], details.token.address, pool)
        const quantity = Quantity.of(details.token, isIncoming ? received : sent)
        return {
          message: sentence(`${quantity.amount} ${quantity.symbol}`, details.lender),
          result: { ...commonFields(details), [field]: { ...quantity } }
        }
      })
  })
}

/** Finds the market of the request's lender and checks that the vault may use it. */
export const marketOf = (context: Action.VaultContext, { lender }: Request, token: Token) =>
  Effect.flatMap(lenders[lender].find(context, token), usable)

/** Formats an amount with the token's symbol. */
export const format = (raw: bigint, token: Token) => `${Quantity.format(raw, token.decimals)} ${token.symbol}`

/** Returns true when the request means the whole balance or debt. */
export const isEverything = ({ amount, share }: Request) => share === undefined ? amount === undefined : share >= 100

/** Returns the approval calls for exactly this amount; empty when the allowance already suffices. */
export const approvalsFor = ({ address, allowance, token }: Market, amount: bigint): ReadonlyArray<VaultCall> =>
  allowance >= amount ? [] : Allowance.set(token.address, address, allowance, amount)

/**
 * Projects the health factor after a change by an amount, valued at the platform's price; null without a price. For
 * display only.
 */
export const projectHealth = (
  account: HealthFactor.Account,
  { price, token }: Pick<Market, "price" | "token">,
  amount: bigint,
  change: (account: HealthFactor.Account, value: bigint) => HealthFactor.Account
): string | null =>
  account.debt === 0n
    ? HealthFactor.show(undefined)
    : price === 0n
    ? null
    : HealthFactor.show(
      HealthFactor.of(change(account, HealthFactor.worth(amount, price / 10n ** 10n, token.decimals, false)))
    )
