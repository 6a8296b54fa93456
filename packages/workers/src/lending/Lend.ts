/** Supplies a vault's asset to a lending market: approval and supply in one transaction. */
import type { LendRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import { usdValueOrNull } from "@vault-trader/core/chain/Quantity"
import type { AaveMarket } from "./AaveV3.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { approvalsFor, make, marketToSupply, projectHealth } from "./LendingAction.ts"
import type { Market } from "./LenderMarket.ts"

export const isAave = (market: Market): market is AaveMarket => market.lender === "lenderA"

/** Projects the health factor. Interest aside, more collateral can only improve it. */
const healthAfter = (market: Market, amount: bigint) =>
  !isAave(market)
    ? null
    : projectHealth(market.account, market, amount, (account, value) =>
      // A first supply counts as collateral; a later one counts as the vault has configured the asset.
      market.supplied === 0n || market.isCollateral
        ? HealthFactor.afterLending(account, value, market.threshold)
        : account)

export const Lend = make<LendRequest>({
  kind: "supply",
  field: "supplied",
  isIncoming: false,
  sentence: (quantity, lender) => `Supplied ${quantity} to ${lender}.`,
  plan: (context, request, token) =>
    Effect.gen(function*() {
      const market = yield* marketToSupply(context, request, token)
      const amount = yield* RequestedAmount.upTo(request, token, market.balance)
      return {
        market,
        amount,
        calls: [...approvalsFor(market, amount), market.supply(amount)],
        healthFactor: healthAfter(market, amount),
        worth: usdValueOrNull(amount, market.price, token.decimals)
      }
    })
})
