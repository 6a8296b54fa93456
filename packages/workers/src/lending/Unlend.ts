/**
 * Withdraws what a vault supplied. Withdrawing everything includes the interest of the last seconds, so no dust is
 * left.
 */
import type { Token } from "@vault-trader/core/chain/Token"
import type { UnlendRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import type { VaultContext } from "../vault/Action.ts"
import type { AaveMarket } from "./AaveV3.ts"
import * as Risk from "./AaveV3Risk.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { isAave } from "./Lend.ts"
import { isEverything, make, marketOf, refuse, said, sized } from "./LendingAction.ts"

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
  refuse(
    "health_factor_too_low",
    `Withdrawing ${said(amount, token)} would bring the vault's health factor from ` +
      `${HealthFactor.show(now)} to ${HealthFactor.show(after)}, below the floor of ${
        HealthFactor.show(floor)
      }; withdraw less, or repay first.`
  )

/** Builds the unlend action. `floor` is the health factor floor, 18 decimals. */
export const Unlend = (floor: bigint) =>
  make<UnlendRequest>({
    kind: "withdraw",
    field: "withdrawn",
    comes: true,
    sentence: (quantity, lender) => `Withdrew ${quantity} from ${lender}.`,
    plan: (context, request, token) =>
      Effect.gen(function*() {
        const market = yield* marketOf(context, request, token)
        const { lender, liquidity, supplied } = market
        if (supplied === 0n) {
          return yield* refuse("position_not_found", `The vault has no ${token.symbol} supplied to ${lender}.`)
        }
        const amount = yield* sized(request, token, supplied, "The vault has supplied")
        if (amount > liquidity) {
          return yield* refuse(
            "market_not_available",
            `${lender} can pay out only ${said(liquidity, token)} at the moment; the rest is lent out.`
          )
        }
        return {
          market,
          amount,
          calls: [market.withdraw(isEverything(request) ? "everything" : amount)],
          healthFactor: isAave(market) ? yield* healthAfter(context, market, amount, floor) : null
        }
      })
  })
