/** Supplies what a bot does not trade, and withdraws what it does: the lending part of its turns. */
import { explain } from "@vault-trader/core/failure/Explanation"
import { type Token } from "@vault-trader/core/chain/Token"
import { min } from "@vault-trader/core/chain/Quantity"
import type { Leg } from "@vault-trader/core/threshold-bot/ThresholdDecision"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { AaveV3 } from "../lending/AaveV3.ts"
import { approvalsFor } from "../lending/LendingAction.ts"
import { lenders } from "../lending/LenderRegistry.ts"
import { type Market as LenderMarket, open, usable } from "../lending/LenderMarket.ts"
import { everythingOf, healthAfter, isDust } from "../lending/Unlend.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type * as Action from "../vault/Action.ts"

/** Finds lenderA's market of a token; none when this vault may not use it, in which case it just holds the token. */
export const lenderOf = (context: Action.VaultContext, token: Token) =>
  Effect.option(
    Effect.flatMap(lenders.lenderA.find(context, token), usable).pipe(
      Effect.tap((market) => open(market, "supply", market.closedFor.supply))
    )
  )

/** The withdrawal before a swap. */
interface Before {
  readonly calls: ReadonlyArray<VaultCall>
  readonly withdrawn: bigint
  /** The amount that can then be sold: less than the decision's amount where dust of a debt keeps some of it. */
  readonly sellable: bigint
  /** The most that a repayment of dust takes, and its USD value, 18 decimals. */
  readonly repaid: { readonly token: Token; readonly amount: bigint; readonly worth: bigint } | undefined
}

/** Returns what a repayment takes of a token. */
export const takenOf = ({ repaid }: Pick<Before, "repaid">, { address }: Token) =>
  repaid?.token.address === address ? repaid.amount : 0n

/** Withdraws the part of a trade's amount that the vault does not hold itself. */
export const withdrawMissing = (
  context: Action.VaultContext,
  { held, supplied, token }: Leg,
  amount: bigint,
  floor: bigint
) =>
  Effect.gen(function*() {
    const shortfall = amount - held
    const none: Before = { calls: [], withdrawn: 0n, sellable: amount, repaid: undefined }
    if (shortfall <= 0n) return none
    const market = yield* Effect.flatMap(AaveV3.find(context, token), usable)
    yield* open(market, "withdraw", market.closedFor.withdraw)
    if (shortfall < supplied) {
      yield* healthAfter(context, market, shortfall, floor)
      const part: Before = { ...none, calls: [market.withdraw(shortfall)], withdrawn: shortfall }
      return part
    }
    const planned = yield* Effect.result(everythingOf(context, market, floor))
    if (Result.isFailure(planned)) {
      const { failure } = planned
      const keptByDust = isDust(market.account) && failure._tag === "ExecutionFailure" &&
        failure.errorType === "health_factor_too_low"
      if (!keptByDust) return yield* failure
      const own: Before = { ...none, sellable: held }
      return own
    }
    const { calls, repaid } = planned.success
    const withdrawn = min(planned.success.amount, shortfall)
    // An unknown value would let a key's limits be passed.
    if (repaid?.worth === null) return yield* explain({ _tag: "NoOraclePrice", symbol: repaid.token.symbol })
    const whole = { calls, withdrawn, repaid: repaid === undefined ? undefined : { ...repaid, worth: repaid.worth } }
    const before: Before = { ...whole, sellable: min(amount, held + withdrawn - takenOf(whole, token)) }
    return before
  })

/** Supplies an amount that is guaranteed to be in the vault. */
export const planSupply = (market: Option.Option<LenderMarket>, amount: bigint) =>
  Option.isNone(market) || amount === 0n
    ? { calls: [], supplied: 0n }
    : { calls: [...approvalsFor(market.value, amount), market.value.supply(amount)], supplied: amount }
