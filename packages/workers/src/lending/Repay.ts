/** Paying back what a vault owes: approval and payment in one transaction; all of it means the interest until it is mined, too. */
import type { RepayRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import * as Allowance from "../platform/Allowance.ts"
import { worthOrUnknown } from "../vault/Worth.ts"
import { AaveV3, type AaveMarket } from "./AaveV3.ts"
import { onlyLenderA } from "./Borrow.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { allowing, inFigures, isEverything, make, projected, refuse, type Request, sized } from "./LendingAction.ts"
import { usable } from "./LenderMarket.ts"

/** A debt and a thousandth: more than a week of interest at 5 % a year, eight hours at 100 %. The market takes what is owed and no more. */
const withInterest = (debt: bigint) => debt + debt / 1000n + 1n

const least = (a: bigint, b: bigint) => a < b ? a : b

/** What the market may take at most. Whoever means all, or more than there is, pays all: as much as the vault has. */
const payment = (market: AaveMarket, request: Request) =>
  Effect.gen(function*() {
    const { balance, owed, token } = market
    if (owed === 0n) return yield* refuse("position_not_found", `The vault owes lenderA no ${token.symbol}.`)
    if (balance === 0n) return yield* refuse("insufficient_balance", `The vault holds no ${token.symbol} to repay with.`)
    const asked = isEverything(request)
      ? owed
      : inFigures(request, token) === undefined
      ? least(yield* sized(request, token, owed, "The vault owes"), balance)
      : yield* sized(request, token, balance, "The vault holds")
    return asked >= owed ? { amount: least(withInterest(owed), balance), whole: true } : { amount: least(asked, balance), whole: false }
  })

const callsOf = (market: AaveMarket, amount: bigint, whole: boolean) => {
  const approvals = allowing(market, amount)
  // What was approved for interest that did not accrue is taken back at once.
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
      const paid = least(amount, market.owed)
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
