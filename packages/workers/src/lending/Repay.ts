/**
 * Repays a vault's debt: approval and payment in one transaction. Repaying everything includes the interest until it is
 * mined.
 */
import { explain } from "@vault-trader/core/failure/Explanation"
import { min, usdValueOrNull } from "@vault-trader/core/chain/Quantity"
import type { RepayRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import * as Allowance from "../platform/Allowance.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import { AaveV3, type AaveMarket } from "./AaveV3.ts"
import { onlyLenderA } from "./Borrow.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { approvalsFor, isEverything, make, projectHealth, type Request } from "./LendingAction.ts"
import { usable } from "./LenderMarket.ts"

/**
 * Adds 0.1 % to a debt: over a week of interest at 5 % a year, eight hours at 100 %. The market takes only what is
 * owed.
 */
const withInterest = (debt: bigint) => debt + debt / 1000n + 1n

/**
 * Returns the maximum the market may take. A request for all, or for more than the debt, pays all of it, up to the
 * vault's balance.
 */
const payment = (market: AaveMarket, request: Request) =>
  Effect.gen(function*() {
    const { balance, owed, token } = market
    if (owed === 0n) return yield* explain({ _tag: "NothingOwed", symbol: token.symbol })
    if (balance === 0n) {
      return yield* explain({ _tag: "NothingToRepayWith", symbol: token.symbol })
    }
    const requested = isEverything(request)
      ? owed
      : RequestedAmount.exact(request, token) === undefined
      ? min(yield* RequestedAmount.upTo(request, token, owed, "debt"), balance)
      : yield* RequestedAmount.upTo(request, token, balance)
    return requested >= owed
      ? { amount: min(withInterest(owed), balance), whole: true }
      : { amount: min(requested, balance), whole: false }
  })

const callsOf = (market: AaveMarket, amount: bigint, whole: boolean) => {
  const approvals = approvalsFor(market, amount)
  // Revokes in the same transaction the allowance for interest that did not accrue.
  const afterwards = whole && approvals.length > 0 ? Allowance.set(market.token.address, market.address, 1n, 0n) : []
  return [...approvals, market.repay(amount), ...afterwards]
}

export const Repay = make<RepayRequest>({
  kind: "repay",
  field: "repaid",
  isIncoming: false,
  sentence: (quantity, lender) => `Repaid ${quantity} to ${lender}.`,
  plan: (context, request, token) =>
    Effect.gen(function*() {
      yield* onlyLenderA(request)
      const market = yield* Effect.flatMap(AaveV3.find(context, token), usable)
      const { amount, whole } = yield* payment(market, request)
      const paid = min(amount, market.owed)
      return {
        market,
        amount: paid,
        calls: callsOf(market, amount, whole),
        healthFactor: market.borrowing.length === 1 && paid === market.owed
          ? HealthFactor.show(undefined)
          : projectHealth(market.account, market, paid, HealthFactor.afterRepaying),
        worth: usdValueOrNull(amount, market.price, token.decimals)
      }
    })
})
