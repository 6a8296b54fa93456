/**
 * Repays a vault's debt: approval and payment in one transaction. Repaying everything includes the interest until it is
 * mined.
 */
import type { RepayRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import * as Allowance from "../platform/Allowance.ts"
import { worthOrUnknown } from "../vault/Worth.ts"
import { AaveV3, type AaveMarket } from "./AaveV3.ts"
import { onlyLenderA } from "./Borrow.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { allowing, inFigures, isEverything, make, projected, refuse, type Request, sized } from "./LendingAction.ts"
import { usable } from "./LenderMarket.ts"

/**
 * Adds 0.1 % to a debt: over a week of interest at 5 % a year, eight hours at 100 %. The market takes only what is
 * owed.
 */
const withInterest = (debt: bigint) => debt + debt / 1000n + 1n

const min = (a: bigint, b: bigint) => a < b ? a : b

/**
 * Returns the maximum the market may take. A request for all, or for more than the debt, pays all of it, up to the
 * vault's balance.
 */
const payment = (market: AaveMarket, request: Request) =>
  Effect.gen(function*() {
    const { balance, owed, token } = market
    if (owed === 0n) return yield* refuse("position_not_found", `The vault owes lenderA no ${token.symbol}.`)
    if (balance === 0n) {
      return yield* refuse("insufficient_balance", `The vault holds no ${token.symbol} to repay with.`)
    }
    const requested = isEverything(request)
      ? owed
      : inFigures(request, token) === undefined
      ? min(yield* sized(request, token, owed, "The vault owes"), balance)
      : yield* sized(request, token, balance, "The vault holds")
    return requested >= owed
      ? { amount: min(withInterest(owed), balance), whole: true }
      : { amount: min(requested, balance), whole: false }
  })

const callsOf = (market: AaveMarket, amount: bigint, whole: boolean) => {
  const approvals = allowing(market, amount)
  // Revokes in the same transaction the allowance for interest that did not accrue.
  const afterwards = whole && approvals.length > 0 ? Allowance.set(market.token.address, market.address, 1n, 0n) : []
  return [...approvals, market.repay(amount), ...afterwards]
}

export const Repay = make<RepayRequest>({
  kind: "repay",
  field: "repaid",
  comes: false,
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
          : projected(market.account, market, paid, HealthFactor.afterRepaying),
        worth: worthOrUnknown(amount, market.price, token.decimals)
      }
    })
})
