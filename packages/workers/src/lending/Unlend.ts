/**
 * Withdraws what a vault supplied. Withdrawing everything includes the interest of the last seconds, so no dust is
 * left.
 */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Quantity from "@vault-trader/core/chain/Quantity"
import { usdValueOrNull } from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import type { UnlendRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Tokens } from "../chain/Tokens.ts"
import type { VaultCall } from "../platform/VaultCall.ts"
import type { VaultContext } from "../vault/Action.ts"
import { AaveV3, type AaveMarket } from "./AaveV3.ts"
import * as Risk from "./AaveV3Risk.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { isAave } from "./Lend.ts"
import { format, isEverything, make, marketToWithdraw } from "./LendingAction.ts"
import { callsOf, withInterest } from "./Repay.ts"

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

/** A debt below this, in USD with 8 decimals, is dust: it does not keep a vault from withdrawing everything. */
const dustUsd8 = 10n ** 8n

/** Checks whether an account's debt is dust. */
export const isDust = ({ debt }: AaveMarket["account"]): boolean => debt > 0n && debt < dustUsd8

/** The withdrawal of a supply, and what goes with it. */
interface Withdrawal {
  readonly amount: bigint
  readonly calls: ReadonlyArray<VaultCall>
  readonly healthFactor: string | null
  /** The most that a repayment in the same transaction takes, with its token and its USD value (18 decimals). */
  readonly repaid?: { readonly token: Token; readonly amount: bigint; readonly worth: bigint | null }
  readonly note?: string
}

/** Finds the vault's debt at lenderA if it is in one asset that the vault can name and count. */
const debtOf = (context: VaultContext, owing: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const [token] = owing.length === 1 ? yield* (yield* Tokens).at(context.network, owing) : []
    if (token === undefined) return Option.none<AaveMarket>()
    return yield* Effect.option(AaveV3.find(context, token))
  })

/** Repays a small debt before the withdrawal of everything, if the vault holds enough of the owed asset. */
const repayingDust = (market: AaveMarket, debt: AaveMarket): Withdrawal | undefined => {
  const amount = withInterest(debt.owed)
  if (debt.owed === 0n || debt.balance < amount || debt.closedFor.repay !== null) return undefined
  return {
    amount: market.supplied,
    calls: [...callsOf(debt, amount, true), market.withdraw("everything")],
    healthFactor: HealthFactor.show(undefined),
    repaid: { token: debt.token, amount, worth: usdValueOrNull(amount, debt.price, debt.token.decimals) },
    note: `It also repaid ${format(debt.owed, debt.token)}, all that the vault still owed there.`
  }
}

/** Withdraws all but the collateral that a small debt needs, with 1 % of it to spare. */
const leavingCollateral = (context: VaultContext, market: AaveMarket, risk: Risk.Risk, floor: bigint) =>
  Effect.gen(function*() {
    const { account, supplied, token } = market
    if (risk.threshold === 0n) return undefined
    const needed = account.debt * floor / 10n ** 14n / risk.threshold + 1n
    const kept = (needed * 10n ** BigInt(token.decimals) / risk.price) * 101n / 100n + 1n
    if (kept >= supplied) return undefined
    const amount = supplied - kept
    const left: Withdrawal = {
      amount,
      calls: [market.withdraw(amount)],
      healthFactor: yield* healthAfter(context, market, amount, floor),
      note:
        `${format(kept, token)} stay supplied for a debt of $${Quantity.format(account.debt, 8)}, which the vault ` +
        "does not hold enough of the owed asset to repay."
    }
    return left
  })

/**
 * Plans to withdraw everything from lenderA. A debt that is dust is repaid in the same transaction where the vault holds
 * the owed asset; otherwise the little that secures it stays supplied. Any larger debt is bound by the floor.
 */
export const everythingOf = (context: VaultContext, market: AaveMarket, floor: bigint) =>
  Effect.gen(function*() {
    const { account, supplied } = market
    const whole = Effect.map(healthAfter(context, market, supplied, floor), (healthFactor): Withdrawal => ({
      amount: supplied,
      calls: [market.withdraw("everything")],
      healthFactor
    }))
    if (!isDust(account) || !market.isCollateral) return yield* whole
    const possible = yield* Effect.option(whole)
    if (Option.isSome(possible)) return possible.value
    const risk = yield* Risk.read(context.chain, market)
    const debt = yield* debtOf(context, risk.owing)
    const repaying = Option.isNone(debt) ? undefined : repayingDust(market, debt.value)
    return repaying ?? (yield* leavingCollateral(context, market, risk, floor)) ?? (yield* whole)
  })

/** Builds the unlend action. `floor` is the health factor floor, 18 decimals. */
export const Unlend = (floor: bigint) =>
  make<UnlendRequest>({
    kind: "withdraw",
    besides: ["repay"],
    field: "withdrawn",
    isIncoming: true,
    sentence: (quantity, lender) => `Withdrew ${quantity} from ${lender}.`,
    plan: (context, request, token) =>
      Effect.gen(function*() {
        const lowest = request.floor ?? floor
        const market = yield* marketToWithdraw(context, request, token)
        const { lender, liquidity, supplied } = market
        const requested = yield* RequestedAmount.upTo(request, token, supplied, "supply")
        if (requested > liquidity) {
          return yield* explain({ _tag: "PayoutTooLarge", lender, available: format(liquidity, token) })
        }
        if (isAave(market) && isEverything(request)) {
          const { repaid, ...withdrawal } = yield* everythingOf(context, market, lowest)
          return { market, ...withdrawal, ...(repaid === undefined ? {} : { worth: repaid.worth }) }
        }
        return {
          market,
          amount: requested,
          calls: [market.withdraw(isEverything(request) ? "everything" : requested)],
          healthFactor: isAave(market) ? yield* healthAfter(context, market, requested, lowest) : null
        }
      })
  })
