/** Borrows against a vault's collateral, one asset at a time, never below the health factor floor. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { Address } from "@vault-trader/core/chain/Address"
import { min } from "@vault-trader/core/chain/Quantity"
import type { Token } from "@vault-trader/core/chain/Token"
import type { BorrowRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import { Tokens } from "../chain/Tokens.ts"
import * as RequestedAmount from "../platform/RequestedAmount.ts"
import type { VaultContext } from "../vault/Action.ts"
import { AaveV3, type AaveMarket } from "./AaveV3.ts"
import * as Risk from "./AaveV3Risk.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { format, make, type Request } from "./LendingAction.ts"
import { open, usable } from "./LenderMarket.ts"

/** Refuses other lenders: the platform does not let vaults post collateral with them. */
export const onlyLenderA = ({ lender }: Request) =>
  lender === "lenderA" || lender === "auto"
    ? Effect.void
    : explain({ _tag: "LenderDoesNotLend", lender })

/** Refuses a second borrowed asset: the platform's guard lets a vault owe one asset at a time. */
const noOtherDebt = (context: VaultContext, token: Token, owing: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const others = owing.filter((address) => address !== token.address)
    if (others.length === 0) return
    const tokens = yield* (yield* Tokens).at(context.network, others)
    const owed = others.map((address, index) => tokens[index]?.symbol ?? address)
    return yield* explain({ _tag: "OtherAssetOwed", owed })
  })

/** Returns the maximum the vault's collateral allows to borrow, smallest units. */
const capacity = ({ account, token }: AaveMarket, { price }: Risk.Risk, floor: bigint) =>
  HealthFactor.borrowable(account, floor) * 10n ** BigInt(token.decimals) / price

const tooLow = ({ account, token }: AaveMarket, amount: bigint, maxAmount: bigint, after: bigint, floor: bigint) =>
  explain({
    _tag: "BorrowTooLarge",
    amount: format(amount, token),
    before: HealthFactor.show(HealthFactor.of(account)),
    after: HealthFactor.show(after),
    floor: HealthFactor.show(floor),
    max: format(maxAmount, token)
  })

const exhausted = ({ account, token }: AaveMarket, floor: bigint) =>
  explain({
    _tag: "BorrowExhausted",
    symbol: token.symbol,
    healthFactor: HealthFactor.show(HealthFactor.of(account)),
    floor: HealthFactor.show(floor)
  })

/**
 * Returns the amount to borrow: the caller's figure, or a share of the maximum the collateral and the market's
 * liquidity allow.
 */
const amountOf = (request: Request, market: AaveMarket, maxAmount: bigint, floor: bigint) =>
  Effect.gen(function*() {
    const { liquidity, token } = market
    const requested = RequestedAmount.exact(request, token)
    if (requested !== undefined && requested > 0n) return requested
    if (requested === undefined && maxAmount === 0n) return yield* exhausted(market, floor)
    return yield* RequestedAmount.upTo(request, token, min(maxAmount, liquidity), "borrowable")
  })

/** Builds the borrow action. `floor` is the health factor floor, 18 decimals. */
export const Borrow = (floor: bigint) =>
  make<BorrowRequest>({
    kind: "borrow",
    field: "borrowed",
    isIncoming: true,
    sentence: (quantity, lender) => `Borrowed ${quantity} from ${lender}.`,
    plan: (context, request, token) =>
      Effect.gen(function*() {
        yield* onlyLenderA(request)
        const market = yield* Effect.flatMap(AaveV3.find(context, token), usable)
        const { account } = market
        yield* open(market, "borrow", market.closedFor.borrow)
        if (!market.isLent) {
          return yield* explain({ _tag: "BorrowClosed", symbol: token.symbol })
        }
        if (account.collateral === 0n || account.threshold === 0n) {
          return yield* explain({ _tag: "NoCollateral" })
        }
        const risk = yield* Risk.read(context.chain, market)
        yield* noOtherDebt(context, token, risk.owing)
        const maxAmount = capacity(market, risk, floor)
        const amount = yield* amountOf(request, market, maxAmount, floor)
        const value = HealthFactor.worth(amount, risk.price, token.decimals, true)
        const after = HealthFactor.of(HealthFactor.afterBorrowing(account, value)) ?? 0n
        if (after < floor) {
          return yield* tooLow(market, amount, maxAmount, after, floor)
        }
        if (amount > market.liquidity) {
          return yield* explain({ _tag: "LoanTooLarge", available: format(market.liquidity, token) })
        }
        return { market, amount, calls: [market.borrow(amount)], healthFactor: HealthFactor.show(after) }
      })
  })
