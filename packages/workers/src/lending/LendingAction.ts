/** Shared parts of the four lending actions: amount, market, stored details and the reading of receipts. */
import { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure, Failure } from "@vault-trader/core/failure/Failure"
import { type LenderChoice, LenderName, lenders as lenderNames } from "@vault-trader/core/lending/Lending"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
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
import { closedMarket, type LenderCall, type Market, open, usable } from "./LenderMarket.ts"
import * as LendingMovements from "./LendingMovements.ts"

/** The plan of a lending action. `amount` is the amount planning expects to move, smallest units. */
const Details = Schema.Struct({
  lender: LenderName,
  market: Address,
  token: Token,
  amount: Schema.BigIntFromString,
  /** The projected health factor as responses show it; null where the market lends nothing, or its price is unknown. */
  healthFactor: Schema.NullOr(Schema.String),
  /** The debt at planning, and the most that the repayment may take; absent for everything but repayments. */
  debt: Schema.optional(Schema.Struct({
    owed: Schema.BigIntFromString,
    scaled: Schema.BigIntFromString,
    offered: Schema.BigIntFromString
  })),
  /** A sentence that the result adds, about what else the transaction does. */
  note: Schema.optional(Schema.String)
})
export type Details = typeof Details.Type

export interface Request {
  readonly lender: LenderChoice
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
  readonly debt?: Details["debt"]
  readonly note?: string | undefined
}

interface Kind<R extends Request> {
  readonly kind: LenderCall["kind"]
  /** Other kinds of calls that the action makes, too. */
  readonly besides?: ReadonlyArray<LenderCall["kind"]>
  /** Returns the response's other fields, as planned (`logs` is null) or from the receipt's logs. */
  readonly more?: (
    details: Details,
    moved: bigint,
    logs: Receipt["logs"] | null
  ) => { readonly fields: Readonly<Record<string, unknown>>; readonly sentence: string }
  /** The response's field for the moved amount. `comes` is true when it came to the vault. */
  readonly field: "supplied" | "withdrawn" | "borrowed" | "repaid"
  readonly isIncoming: boolean
  /** Returns the result message, such as "Supplied 1000 USDC to lenderA." */
  readonly sentence: (quantity: string, lender: string) => string
  readonly plan: (context: Action.VaultContext, request: R, token: Token) => Effect.Effect<LendingPlan, Failure, Tokens>
}

/** Makes a lending action: planned by its own rules, simulated, and its outcome read from the token's transfers. */
export const make = <R extends Request>({ besides = [], field, isIncoming, kind, more, plan, sentence }: Kind<R>) => {
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
        const { amount, calls, debt, healthFactor, market, note, worth } = yield* plan(context, request, token)
        const estimate = yield* simulate(context, calls)
        return {
          calls,
          details: { lender: market.lender, market: market.address, token, amount, healthFactor, debt, note },
          nothingToDo: "",
          ...(worth === undefined ? {} : { worth }),
          ...(estimate === undefined ? {} : { estimate })
        }
      }),
    decodeMovement: LendingMovements.of(kind, ...besides),
    explainRevert: meaningOf,
    describe: (details) => ({
      ...commonFields(details),
      [field]: { ...Quantity.of(details.token, details.amount) },
      ...more?.(details, details.amount, null).fields
    }),
    interpretReceipt: ({ pool }, details, receipt) =>
      Effect.sync(() => {
        const { received, sent } = movedBy(receipt?.logs ?? [], details.token.address, pool)
        const moved = isIncoming ? received : sent
        const quantity = Quantity.of(details.token, moved)
        const others = more?.(details, moved, receipt?.logs ?? [])
        const sentences = [
          sentence(`${quantity.amount} ${quantity.symbol}`, details.lender),
          others?.sentence,
          details.note
        ]
        return {
          message: sentences.filter((each) => each !== undefined && each !== "").join(" "),
          result: { ...commonFields(details), [field]: { ...quantity }, ...others?.fields }
        }
      })
  })
}

/** Finds a lender's market of an asset and checks that the vault may use it. */
const marketAt = (context: Action.VaultContext, lender: LenderName, token: Token) =>
  Effect.flatMap(lenders[lender].find(context, token), usable)

/** Finds the markets of all lenders that the vault may use, in their order, and why it may not use the others. */
const marketsOf = (context: Action.VaultContext, token: Token) =>
  Effect.gen(function*() {
    const usableMarkets: Array<Market> = []
    const skipped: Array<{ readonly lender: LenderName; readonly failure: ExecutionFailure }> = []
    for (const lender of lenderNames) {
      const found = yield* Effect.result(marketAt(context, lender, token))
      if (Result.isSuccess(found)) {
        usableMarkets.push(found.success)
        continue
      }
      const failure = found.failure
      // Such a failure says nothing about the lender.
      if (failure._tag === "ValidationFailure" || failure.errorType === "rpc_unavailable") return yield* failure
      skipped.push({ lender, failure })
    }
    return { markets: usableMarkets, skipped }
  })

const accepts = (market: Market) => open(market, "supply", market.closedFor.supply)
const paysOut = (market: Market) => open(market, "withdraw", market.closedFor.withdraw)

/** Words a failure as the reason why a lender was skipped. */
const reasonIn = ({ message }: ExecutionFailure) => message.replace(/\.? Nothing was sent\.$/u, "")

/** Finds the market to supply to: the named lender's, or for `auto` the first that accepts the asset from the vault. */
export const marketToSupply = (context: Action.VaultContext, { lender }: Request, token: Token) =>
  Effect.gen(function*() {
    if (lender !== "auto") return yield* Effect.tap(marketAt(context, lender, token), accepts)
    const { markets, skipped } = yield* marketsOf(context, token)
    const first = markets.find(({ closedFor }) => closedFor.supply === null)
    if (first !== undefined) return first
    const closed = markets.flatMap((market) =>
      market.closedFor.supply === null
        ? []
        : [{ lender: market.lender, failure: closedMarket(market, "supply", market.closedFor.supply) }]
    )
    const refusals = lenderNames.flatMap((name) => [...closed, ...skipped].filter((each) => each.lender === name))
    return yield* explain({
      _tag: "NoLenderAccepts",
      symbol: token.symbol,
      skipped: refusals.map(({ failure, lender: name }) => ({ lender: name, reason: reasonIn(failure) })),
      errorType: refusals[0]?.failure.errorType ?? "market_not_available"
    })
  })

/** Finds the market to withdraw from: the named lender's, or for `auto` the first to which the asset is supplied. */
export const marketToWithdraw = (context: Action.VaultContext, { lender }: Request, token: Token) =>
  Effect.gen(function*() {
    const nothing = (at: string) => explain({ _tag: "NothingSupplied", symbol: token.symbol, lender: at })
    if (lender !== "auto") {
      const market = yield* marketAt(context, lender, token)
      if (market.supplied === 0n) return yield* nothing(market.lender)
      yield* paysOut(market)
      return market
    }
    const { markets, skipped } = yield* marketsOf(context, token)
    const supplied = markets.filter((market) => market.supplied > 0n)
    const first = supplied.find(({ closedFor }) => closedFor.withdraw === null) ?? supplied[0]
    if (first === undefined) {
      return yield* markets.length === 0 && skipped[0] !== undefined
        ? skipped[0].failure
        : nothing(lenderNames.join(", "))
    }
    yield* paysOut(first)
    return first
  })

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
