/**
 * Withdraws what a vault supplied. Withdrawing everything includes the interest of the last seconds, so no dust is
 * left.
 */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Token } from "@vault-trader/core/chain/Token"
import type { UnlendRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import type { VaultContext } from "../vault/Action.ts"
import type { AaveMarket } from "./AaveV3.ts"
import * as Risk from "./AaveV3Risk.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { isAave } from "./Lend.ts"
import { format, isEverything, make, marketOf } from "./LendingAction.ts"

/**
 * Projects the health factor and refuses below the floor. Assets that are not collateral, or secure no debt, may always
 * be withdrawn.
 */
export const healthAfter = (context: VaultContext, market: AaveMarket, amount: bigint, floor: bigint) =>
  Effect.gen(function*() {
    const { account, token } = market
    const now = HealthFactor.of(account)
    if (now === undefined || !market.isCollateral) return HealthFactor.show(now)
    const { price, threshold } = yield* Risk.read(context.chain, market)
    const after = HealthFactor.of(
      HealthFactor.afterUnlending(account, HealthFactor.worth(amount, price, token.decimals, true), threshold)
    )
    if (after !== undefined && after < floor) return yield* tooLow(token, amount, now, after, floor)
    return HealthFactor.show(after)
  })

const tooLow = (token: Token, amount: bigint, now: bigint, after: bigint, floor: bigint) =>
  explain({
    _tag: "WithdrawalTooLarge",
    amount: format(amount, token),
    before: HealthFactor.show(now),
    after: HealthFactor.show(after),
    floor: HealthFactor.show(floor)
  })

/** Builds the unlend action. `floor` is the health factor floor, 18 decimals. */
export const Unlend = (floor: bigint) =>
  make<UnlendRequest>({
    kind: "withdraw",
    field: "withdrawn",
    isIncoming: true,
    sentence: (quantity, lender) => `Withdrew ${quantity} from ${lender}.`,
    plan: (context, request, token) =>
      Effect.gen(function*() {
        const market = yield* marketOf(context, request, token)
        const { lender, liquidity, supplied } = market
        if (supplied === 0n) {
          return yield* explain({ _tag: "NothingSupplied", symbol: token.symbol, lender })
        }
        const amount = yield* RequestedAmount.upTo(request, token, supplied, "supply")
        if (amount > liquidity) {
          return yield* explain({ _tag: "PayoutTooLarge", lender, available: format(liquidity, token) })
        }
        return {
          market,
          amount,
          calls: [market.withdraw(isEverything(request) ? "everything" : amount)],
          healthFactor: isAave(market) ? yield* healthAfter(context, market, amount, floor) : null
        }
      })
  })
