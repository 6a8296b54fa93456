/** Explains refusals for lack of gas, balance, collateral, or room in a key's limits. */
import type { Explained, ExplanationTable } from "./ExplanationTable.ts"
import type { FundsReason, Whole } from "./FundsReason.ts"

const refill = "Refill it and try again."

const holdings: Readonly<Record<Whole, string>> = {
  balance: "The vault holds",
  supply: "The vault has supplied",
  debt: "The vault owes",
  borrowable: "The vault can borrow",
  withdrawable: "The withdrawable amount, not bound by positions, is"
}

const limit = (sentence: string): Explained => ["limit_exceeded", `Limit exceeded: ${sentence}`]

export const fundsExplanations: ExplanationTable<FundsReason> = {
  GasWalletTooLow: ({ held, kept, native, needed, network, wallet }) => [
    "insufficient_gas",
    `The gas wallet ${wallet} holds ${held} ${native} on ${network}, but gas and charge need up to ${needed} ` +
    `${native}${kept === null ? "" : `, and ${kept} ${native} are kept for charges of earlier actions`}`,
    refill
  ],
  GasWalletCannotPay: ({ native, network, wallet }) => [
    "insufficient_gas",
    `The gas wallet ${wallet} does not hold enough ${native} on ${network} for this`,
    refill
  ],
  ShareRoundsToZero: ({ held, of, symbol }) => [
    "insufficient_balance",
    `${holdings[of]} ${held} ${symbol}; the requested share rounds to zero`
  ],
  AmountTooLarge: ({ held, needed, of, symbol }) => [
    "insufficient_balance",
    `${holdings[of]} ${held} ${symbol}, less than the requested ${needed} ${symbol}`
  ],
  PositionTooSmall: () => ["insufficient_balance", "The amount is too small for a position in this range"],
  NothingToRepayWith: ({ symbol }) => ["insufficient_balance", `The vault holds no ${symbol} to repay with`],
  NoMargin: () => [
    "insufficient_balance",
    "The vault has no margin at HyperCore; depositToPerpetuals moves USDC there"
  ],
  BorrowTooLarge: ({ after, amount, before, floor, max }) => [
    "health_factor_too_low",
    `Borrowing ${amount} would bring the vault's health factor from ${before} to ${after}, below the floor ` +
    `of ${floor}; at most ${max} can be borrowed now`
  ],
  BorrowExhausted: ({ floor, healthFactor, symbol }) => [
    "health_factor_too_low",
    `The vault can borrow no more ${symbol}: its health factor is ${healthFactor}, and the floor is ${floor}`
  ],
  WithdrawalTooLarge: ({ after, amount, before, floor }) => [
    "health_factor_too_low",
    `Withdrawing ${amount} would bring the vault's health factor from ${before} to ${after}, below the ` +
    `floor of ${floor}; withdraw less, or repay first`
  ],
  NoCollateral: () => [
    "health_factor_too_low",
    "The vault has no collateral with lenderA, so its health factor would be 0; lend something first"
  ],
  KeyReadOnly: ({ vault }) =>
    limit(`this key is read-only${vault === null ? "" : `, and the request would change ${vault}`}`),
  KeyTradesOtherVaults: ({ allowed, vault }) =>
    limit(
      `this key may trade ${allowed.length === 0 ? "no vault" : `only ${allowed.join(", ")}`}, and the request is ` +
        `about ${vault}`
    ),
  KeySaleTooLarge: ({ day, max, worth }) =>
    limit(
      `this key may sell ${max} at a time${
        day === null ? "" : ` (${day.left} of ${day.max} are left today)`
      }, and the request is worth ${worth}`
    ),
  KeyDayExceeded: ({ left, max, worth }) =>
    limit(
      `this key may sell ${max} a day (UTC), of which ${left} are left today, and the request is worth ${worth}`
    ),
  KeyCallUnread: ({ detail }) => limit(`this key has limits, and ${detail}`),
  KeySellsMoreThanPlanned: ({ found, planned }) =>
    limit(
      `this key has limits, the request was planned to sell ${planned}, and the transaction would sell ${found}`
    ),
  KeyCannotAssociate: ({ readOnly }) =>
    limit(
      readOnly
        ? "a read-only key cannot add its wallet to a manager's list"
        : "a key with limits cannot add its wallet to a manager's list; give the wallet's private key as privateKey"
    )
}
