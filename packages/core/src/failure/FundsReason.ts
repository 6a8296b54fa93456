/** The reasons for which a wallet, a vault or a key's limits do not cover a request. `Reason.ts` says how texts are formed. */
/** The quantity of which a share or an amount was requested. */
export type Whole = "balance" | "supply" | "debt" | "borrowable" | "withdrawable"

/** Not enough of something: gas, a balance, collateral, or a key's limits. */
export type FundsReason =
  // insufficient_gas
  | {
    readonly _tag: "GasWalletTooLow"
    readonly wallet: string
    readonly network: string
    readonly native: string
    readonly held: string
    readonly needed: string
    /** Kept for charges of earlier actions; null when there are none. */
    readonly kept: string | null
  }
  | {
    readonly _tag: "GasWalletCannotPay"
    readonly wallet: string
    readonly network: string
    readonly native: string
  }
  // insufficient_balance
  | { readonly _tag: "ShareRoundsToZero"; readonly of: Whole; readonly held: string; readonly symbol: string }
  | {
    readonly _tag: "AmountTooLarge"
    readonly of: Whole
    readonly held: string
    readonly needed: string
    readonly symbol: string
  }
  | { readonly _tag: "PositionTooSmall" }
  | { readonly _tag: "NothingToRepayWith"; readonly symbol: string }
  | { readonly _tag: "NoMargin" }
  // health_factor_too_low
  | {
    readonly _tag: "BorrowTooLarge"
    readonly amount: string
    readonly before: string
    readonly after: string
    readonly floor: string
    readonly max: string
  }
  | { readonly _tag: "BorrowExhausted"; readonly symbol: string; readonly healthFactor: string; readonly floor: string }
  | {
    readonly _tag: "WithdrawalTooLarge"
    readonly amount: string
    readonly before: string
    readonly after: string
    readonly floor: string
  }
  | { readonly _tag: "NoCollateral" }
  // limit_exceeded
  | { readonly _tag: "KeyReadOnly"; readonly vault: string | null }
  | { readonly _tag: "KeyTradesOtherVaults"; readonly allowed: ReadonlyArray<string>; readonly vault: string }
  | {
    readonly _tag: "KeySaleTooLarge"
    readonly max: string
    /** The rest of the day's limit; null when the key has none. */
    readonly day: { readonly left: string; readonly max: string } | null
    readonly worth: string
  }
  | { readonly _tag: "KeyDayExceeded"; readonly max: string; readonly left: string; readonly worth: string }
  | { readonly _tag: "KeyCallUnread"; readonly detail: string }
  | { readonly _tag: "KeySellsMoreThanPlanned"; readonly planned: string; readonly found: string }
  | { readonly _tag: "KeyCannotAssociate"; readonly readOnly: boolean }
