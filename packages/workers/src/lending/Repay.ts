/**
 * Repays a vault's debt: approval and payment in one transaction. Repaying everything includes the interest until it is
 * mined.
 */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Address, Hash } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { min, usdValueOrNull } from "@vault-trader/core/chain/Quantity"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type { RepayRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { decodeEventLog } from "viem"
import * as Allowance from "../platform/Allowance.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import { AaveV3, type AaveMarket } from "./AaveV3.ts"
import { onlyLenderA } from "./Borrow.ts"
import * as Contract from "../chain/Contract.ts"
import { reserveEventAbi } from "./AaveV3Abi.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { approvalsFor, type Details, format, isEverything, make, projectHealth, type Request } from "./LendingAction.ts"
import { open, usable } from "./LenderMarket.ts"

/**
 * Adds 0.1 % to a debt: over a week of interest at 5 % a year, eight hours at 100 %. The market takes only what is
 * owed.
 */
export const withInterest = (debt: bigint) => debt + debt / 1000n + 1n

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

/** Returns the calls that repay an amount of the debt; `whole`: an amount that includes interest up to the payment. */
export const callsOf = (market: AaveMarket, amount: bigint, whole: boolean) => {
  const approvals = approvalsFor(market, amount)
  // Revokes in the same transaction the allowance for interest that did not accrue.
  const afterwards = whole && approvals.length > 0 ? Allowance.set(market.token.address, market.address, 1n, 0n) : []
  return [...approvals, market.repay(amount), ...afterwards]
}

/** Returns the index of the asset's debt after the transaction, 27 decimals; undefined when no log shows it. */
const indexIn = (logs: Receipt["logs"], market: Address, asset: Address) =>
  logs.filter(({ address }) => address === market).flatMap(({ data, topics }) => {
    const event = Result.try(() =>
      decodeEventLog({ abi: reserveEventAbi, data, topics: topics as [Hash, ...Array<Hash>] })
    )
    return Result.isSuccess(event) && Contract.lower(event.success.args.reserve) === asset
      ? [event.success.args.variableBorrowIndex]
      : []
  }).at(-1)

/** 27 decimals. */
const ray = 10n ** 27n

/**
 * Returns the debt after a payment, with the interest up to it; undefined when it is unknown. The market takes only
 * what is owed, so after a payment of less than was offered there is no debt.
 */
const owedAfter = ({ offered, scaled }: NonNullable<Details["debt"]>, paid: bigint, index: bigint | undefined) => {
  if (paid < offered) return 0n
  if (index === undefined || index === 0n) return undefined
  const left = scaled - (paid * ray + index / 2n) / index
  return left <= 0n ? 0n : (left * index + ray / 2n) / ray
}

export const Repay = make<RepayRequest>({
  kind: "repay",
  field: "repaid",
  isIncoming: false,
  sentence: (quantity, lender) => `Repaid ${quantity} to ${lender}.`,
  more: ({ debt, market, token }, paid, logs) => {
    const owed = debt === undefined
      ? undefined
      : logs === null
      ? debt.owed - paid
      : owedAfter(debt, paid, indexIn(logs, market, token.address))
    const rest = owed === undefined ? null : Quantity.of(token, owed)
    return {
      fields: { still_owed: rest === null ? null : { ...rest } },
      sentence: owed === undefined || owed === 0n ? "" : `The vault still owes ${format(owed, token)}.`
    }
  },
  plan: (context, request, token) =>
    Effect.gen(function*() {
      yield* onlyLenderA(request)
      const market = yield* Effect.flatMap(AaveV3.find(context, token), usable)
      yield* open(market, "repay", market.closedFor.repay)
      const { amount, whole } = yield* payment(market, request)
      const paid = min(amount, market.owed)
      return {
        market,
        amount: paid,
        calls: callsOf(market, amount, whole),
        healthFactor: market.borrowing.length === 1 && paid === market.owed
          ? HealthFactor.show(undefined)
          : projectHealth(market.account, market, paid, HealthFactor.afterRepaying),
        worth: usdValueOrNull(amount, market.price, token.decimals),
        debt: { owed: market.owed, scaled: market.scaledDebt, offered: amount }
      }
    })
})
