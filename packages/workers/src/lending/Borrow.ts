/** Borrows against a vault's collateral, one asset at a time, never below the health factor floor. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Token } from "@vault-trader/core/chain/Token"
import type { BorrowRequest } from "@vault-trader/core/lending/Lending"
import * as Effect from "effect/Effect"
import { Tokens } from "../chain/Tokens.ts"
import type { VaultContext } from "../vault/Action.ts"
import { AaveV3, type AaveMarket } from "./AaveV3.ts"
import * as Risk from "./AaveV3Risk.ts"
import * as HealthFactor from "./HealthFactor.ts"
import { inFigures, make, refuse, type Request, said, sized } from "./LendingAction.ts"
import { usable } from "./LenderMarket.ts"

/** Refuses other lenders: the platform does not let vaults post collateral with them. */
export const onlyLenderA = ({ lender }: Request) =>
  lender === "lenderA"
    ? Effect.void
    : refuse(
      "market_not_available",
      `${lender} lends nothing to vaults: the vault platform lets them only supply there and withdraw. Use lenderA.`
    )

/** Refuses a second borrowed asset: the platform's guard lets a vault owe one asset at a time. */
const noOtherDebt = (context: VaultContext, token: Token, owing: ReadonlyArray<Address>) =>
  Effect.gen(function*() {
    const others = owing.filter((address) => address !== token.address)
    if (others.length === 0) return
    const tokens = yield* (yield* Tokens).at(context.network, others)
    const names = others.map((address, index) => tokens[index]?.symbol ?? address).join(", ")
    return yield* refuse(
      "venue_not_allowed",
      `The vault owes ${names} to lenderA, and the vault platform lets a vault owe one asset at a time; ` +
        "repay that first, or borrow more of it."
    )
  })

/** Returns the maximum the vault's collateral allows to borrow, smallest units. */
const capacity = ({ account, token }: AaveMarket, { price }: Risk.Risk, floor: bigint) =>
  HealthFactor.borrowable(account, floor) * 10n ** BigInt(token.decimals) / price

const tooLow = ({ account, token }: AaveMarket, amount: bigint, maxAmount: bigint, after: bigint, floor: bigint) =>
  refuse(
    "health_factor_too_low",
    `Borrowing ${said(amount, token)} would bring the vault's health factor from ${
      HealthFactor.show(HealthFactor.of(account))
    } to ` +
      `${HealthFactor.show(after)}, below the floor of ${HealthFactor.show(floor)}; at most ${
        said(maxAmount, token)
      } can be borrowed now.`
  )

const exhausted = ({ account, token }: AaveMarket, floor: bigint) =>
  refuse(
    "health_factor_too_low",
    `The vault can borrow no more ${token.symbol}: its health factor is ${
      HealthFactor.show(HealthFactor.of(account))
    }, ` +
      `and the floor is ${HealthFactor.show(floor)}.`
  )

/**
 * Returns the amount to borrow: the caller's figure, or a share of the maximum the collateral and the market's
 * liquidity allow.
 */
const amountOf = (request: Request, market: AaveMarket, maxAmount: bigint, floor: bigint) =>
  Effect.gen(function*() {
    const { liquidity, token } = market
    const requested = inFigures(request, token)
    if (requested !== undefined && requested > 0n) return requested
    if (requested === undefined && maxAmount === 0n) return yield* exhausted(market, floor)
    return yield* sized(request, token, maxAmount < liquidity ? maxAmount : liquidity, "The vault can borrow")
  })

/** Builds the borrow action. `floor` is the health factor floor, 18 decimals. */
export const Borrow = (floor: bigint) =>
  make<BorrowRequest>({
    kind: "borrow",
    field: "borrowed",
    comes: true,
    sentence: (quantity, lender) => `Borrowed ${quantity} from ${lender}.`,
    plan: (context, request, token) =>
      Effect.gen(function*() {
        yield* onlyLenderA(request)
        const market = yield* Effect.flatMap(AaveV3.find(context, token), usable)
        const { account } = market
        if (market.closedFor.borrow) {
          return yield* refuse("market_not_available", `lenderA does not lend ${token.symbol} at the moment.`)
        }
        if (account.collateral === 0n || account.threshold === 0n) {
          return yield* refuse(
            "health_factor_too_low",
            "The vault has no collateral with lenderA, so its health factor would be 0; lend something first."
          )
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
          return yield* refuse(
            "market_not_available",
            `lenderA has only ${said(market.liquidity, token)} left to lend at the moment.`
          )
        }
        return { market, amount, calls: [market.borrow(amount)], healthFactor: HealthFactor.show(after) }
      })
  })
