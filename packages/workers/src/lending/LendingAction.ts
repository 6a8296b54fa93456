/** What the four lending actions share: how much, from where, what is kept with the intent, and what its receipt says. */
import { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure, type Failure } from "@vault-trader/core/failure/Failure"
import { LenderName } from "@vault-trader/core/lending/Lending"
import type * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Tokens } from "../chain/Tokens.ts"
import * as Allowance from "../platform/Allowance.ts"
import { movedBy } from "../platform/Transfers.ts"
import * as Action from "../vault/Action.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { lenders } from "./LenderRegistry.ts"
import { meaningOf, simulated } from "./LenderRevert.ts"
import { type LenderCall, type Market, usable } from "./LenderMarket.ts"
import * as LendingMovements from "./LendingMovements.ts"

/** What was decided; `amount` in smallest units is what planning expects to move. */
const Details = Schema.Struct({
  lender: LenderName,
  market: Address,
  token: Token,
  amount: Schema.BigIntFromString,
  /** The health factor afterwards, as answers show it; null where the market lends nothing, or its price is not known. */
  healthFactor: Schema.NullOr(Schema.String)
})
type Details = typeof Details.Type

export interface Request {
  readonly lender: LenderName
  readonly asset: string
  readonly share?: number | undefined
  readonly amount?: BigDecimal.BigDecimal | undefined
}

/** What one of the actions decides. */
export interface Planned {
  readonly market: Market
  readonly amount: bigint
  readonly calls: ReadonlyArray<Action.VaultCall>
  readonly healthFactor: string | null
  /** USD, 18 decimals, of what leaves the vault. */
  readonly worth?: bigint | null
}

interface Kind<R extends Request> {
  readonly kind: LenderCall["kind"]
  /** The answer's field of what moved, and whether it came to the vault. */
  readonly field: "supplied" | "withdrawn" | "borrowed" | "repaid"
  readonly comes: boolean
  /** "Supplied 1000 USDC to lenderA." */
  readonly sentence: (quantity: string, lender: string) => string
  readonly plan: (context: Action.VaultContext, request: R, token: Token) => Effect.Effect<Planned, Failure, Tokens>
}

const paused = new ExecutionFailure({ errorType: "vault_paused", message: "Trading is paused for this vault; nothing was sent." })

/** Makes a lending action: planned by its own rules, simulated, and told by the token's transfers. */
export const make = <R extends Request>({ comes, field, kind, plan, sentence }: Kind<R>) => {
  const shown = ({ healthFactor, lender, market }: Details) => ({ lender, market, projected_health_factor: healthFactor })
  return Action.make<R, Details, typeof Details.Encoded, Tokens>({
    charge: "lend",
    details: Details,
    plan: (context, request) =>
      Effect.gen(function*() {
        if (context.facts.paused) return yield* paused
        const token = yield* (yield* Tokens).resolve(context.network, request.asset, context.assets)
        const { amount, calls, healthFactor, market, worth } = yield* plan(context, request, token)
        const estimate = yield* simulated(context, calls)
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
    describe: (details) => ({ ...shown(details), [field]: { ...Quantity.of(details.token, details.amount) } }),
    interpretReceipt: ({ pool }, details, receipt) =>
      Effect.sync(() => {
        const { received, sent } = movedBy(receipt?.logs ?? [], details.token.address, pool)
        const quantity = Quantity.of(details.token, comes ? received : sent)
        return {
          message: sentence(`${quantity.amount} ${quantity.symbol}`, details.lender),
          result: { ...shown(details), [field]: { ...quantity } }
        }
      })
  })
}

/** The market of the request's lender, which the vault may use. */
export const marketOf = (context: Action.VaultContext, { lender }: Request, token: Token) => Effect.flatMap(lenders[lender].find(context, token), usable)

export const refuse = (errorType: ExecutionFailure["errorType"], sentence: string) =>
  new ExecutionFailure({ errorType, message: `${sentence} Nothing was sent.` })

export const said = (raw: bigint, token: Token) => `${Quantity.format(raw, token.decimals)} ${token.symbol}`

/** The amount the caller wrote, smallest units; `undefined` where a share counts. */
export const inFigures = ({ amount, share }: Request, token: Token): bigint | undefined =>
  share !== undefined || amount === undefined ? undefined : Quantity.toRaw(amount, token.decimals)

/** The share, or the amount, of what `there` says there is: more than nothing, and not more than all of it. */
export const sized = (request: Request, token: Token, whole: bigint, there: string): Effect.Effect<bigint, ExecutionFailure> =>
  Effect.gen(function*() {
    const amount = inFigures(request, token) ?? Quantity.percentOf(whole, request.share ?? 100)
    const has = `${there} ${said(whole, token)}`
    if (amount === 0n) return yield* refuse("insufficient_balance", `${has}; what is asked of that comes to nothing.`)
    if (amount > whole) return yield* refuse("insufficient_balance", `${has}, less than the ${said(amount, token)} asked for.`)
    return amount
  })

/** Whether the request means all there is. */
export const isEverything = ({ amount, share }: Request) => share === undefined ? amount === undefined : share >= 100

/** The calls after which the market may take exactly this much; none where it may already. */
export const allowing = ({ address, allowance, token }: Market, amount: bigint): ReadonlyArray<Action.VaultCall> =>
  allowance >= amount ? [] : Allowance.set(token.address, address, allowance, amount)

/** The health factor after a change by what an amount is worth at the platform's price; null where it has none. For people only. */
export const projected = (
  account: HealthFactor.Account,
  { price, token }: Pick<Market, "price" | "token">,
  amount: bigint,
  change: (account: HealthFactor.Account, value: bigint) => HealthFactor.Account
): string | null =>
  account.debt === 0n
    ? HealthFactor.show(undefined)
    : price === 0n
    ? null
    : HealthFactor.show(HealthFactor.of(change(account, HealthFactor.worth(amount, price / 10n ** 10n, token.decimals, false))))
