/**
 * The reasons why a request cannot be executed, as data. `Explanation.ts` words each of them. Amounts are decimal text
 * in human units, formatted by the code that knows the decimals; they contain their unit ("7 USDC") unless a `symbol`
 * or `native` is beside them. `detail` is a text from outside (a node, an exchange, an aggregator) or of a domain's own
 * check.
 */
import type { ErrorType } from "./Failure.ts"
import type { FundsReason } from "./FundsReason.ts"
import type { RevertMeaning } from "./RevertMeaning.ts"

/** The vault, a venue, a lender or a market does not permit or offer what was requested, or a price is missing. */
export type MarketReason =
  // vault_paused
  | { readonly _tag: "TradingPaused" }
  // no_route, venue_not_allowed, or the error type of a skipped venue
  | {
    readonly _tag: "NamedVenueCannotSwap"
    readonly venue: string
    readonly from: string
    readonly to: string
    readonly detail: string
    /** False when the vault platform does not allow the venue. */
    readonly allowed: boolean
    /** The venues that the platform allows instead; empty when it allows this one. */
    readonly alternatives: ReadonlyArray<string>
  }
  | {
    readonly _tag: "NoVenueCanSwap"
    readonly from: string
    readonly to: string
    readonly skipped: ReadonlyArray<{ readonly venue: string; readonly reason: string }>
    readonly errorType: ErrorType
  }
  // slippage_exceeded
  | ({ readonly _tag: "VenuePaysTooLittle"; readonly venue: string } & Shortfall)
  /** A slice of a vault's order would buy less than the order's limit price allows. */
  | {
    readonly _tag: "LimitPriceNotMet"
    readonly venue: string
    readonly paid: string
    readonly required: string
    readonly symbol: string
  }
  | { readonly _tag: "OrderPriceTooFar"; readonly price: string; readonly mark: string; readonly maxPercent: string }
  /** Distances from the oracle's price in percent: the pool's, and the largest that is accepted. */
  | {
    readonly _tag: "PoolPriceTooFar"
    readonly first: string
    readonly second: string
    readonly percent: string
    readonly allowed: string
  }
  // asset_not_enabled
  | ({ readonly _tag: "AssetNotEnabled"; readonly symbol: string; readonly address: string } & Enabling)
  | ({ readonly _tag: "QuoteNotEnabled"; readonly symbol: string; readonly address: string } & Enabling)
  | ({ readonly _tag: "LenderMarketNotEnabled"; readonly lender: string; readonly address: string } & Enabling)
  | ({ readonly _tag: "PositionManagerNotEnabled"; readonly address: string; readonly dex: string } & Enabling)
  | { readonly _tag: "AssetLimitReached"; readonly asset: string; readonly limit: string }
  | { readonly _tag: "LegNotAToken" }
  // venue_not_allowed
  | {
    readonly _tag: "VenueNotAllowed"
    readonly venue: string
    readonly network: string
    /** The venues that the platform allows. */
    readonly alternatives: ReadonlyArray<string>
  }
  | { readonly _tag: "NoVenueAllowed"; readonly venues: ReadonlyArray<string>; readonly network: string }
  | { readonly _tag: "LenderMarketNotAllowed"; readonly lender: string; readonly address: string }
  | { readonly _tag: "PerpetualsNotAllowed"; readonly network: string; readonly target: string }
  | { readonly _tag: "OtherAssetOwed"; readonly owed: ReadonlyArray<string> }
  | { readonly _tag: "AssetChangeNotAllowed"; readonly manager: string }
  // market_not_available, or the error type of a skipped lender
  | {
    readonly _tag: "NoLenderAccepts"
    readonly symbol: string
    readonly skipped: ReadonlyArray<{ readonly lender: string; readonly reason: string }>
    readonly errorType: ErrorType
  }
  // price_unavailable
  | { readonly _tag: "AssetBalanceUnknown"; readonly asset: string }
  | { readonly _tag: "BalanceUnreadable"; readonly symbol: string; readonly address: string }
  | { readonly _tag: "NoOraclePrice"; readonly symbol: string }
  | { readonly _tag: "NoLenderPrice"; readonly symbol: string }
  | { readonly _tag: "LenderBalanceUnknown"; readonly lender: string; readonly address: string }
  | { readonly _tag: "LenderPositionUnknown"; readonly asset: string }
  | { readonly _tag: "VaultValueUnknown" }
  | { readonly _tag: "VaultTokenPriceUnknown" }
  | { readonly _tag: "SaleUnpriced" }
  | { readonly _tag: "SoldAssetUnpriced"; readonly address: string }
  | { readonly _tag: "NoPrice"; readonly symbol: string; readonly network: string; readonly detail: string }
  | { readonly _tag: "BotInputUnknown"; readonly detail: string }
  | { readonly _tag: "WeightsUnknown"; readonly detail: string }
  // position_not_found
  | { readonly _tag: "PositionNotStaked"; readonly tokenId: string }
  | {
    readonly _tag: "LiquidityPositionNotFound"
    readonly tokenId: string
    readonly first: string
    readonly second: string
  }
  | { readonly _tag: "NothingOwed"; readonly symbol: string }
  | { readonly _tag: "NothingSupplied"; readonly symbol: string; readonly lender: string }
  | { readonly _tag: "NoPerpetualPosition"; readonly coin: string; readonly side: "buy" | "sell" }
  | { readonly _tag: "OrderNotFound"; readonly order: string; readonly coin: string }
  | { readonly _tag: "OrderAlreadyFilled"; readonly order: string }
  // market_not_available
  | { readonly _tag: "AssetNotSupported"; readonly asset: string; readonly network: string }
  | { readonly _tag: "LenderNotAvailable"; readonly lender: string; readonly network: string }
  | {
    readonly _tag: "AssetNotListed"
    readonly lender: string
    readonly symbol: string
    readonly network: string
    readonly listed: ReadonlyArray<string>
  }
  | { readonly _tag: "LenderUnknownInterface"; readonly network: string }
  | {
    readonly _tag: "LenderClosed"
    readonly lender: string
    readonly symbol: string
    readonly state: MarketState
    readonly action: "supply" | "withdraw" | "borrow" | "repay"
  }
  | { readonly _tag: "BorrowClosed"; readonly symbol: string }
  | { readonly _tag: "PayoutTooLarge"; readonly lender: string; readonly available: string }
  | { readonly _tag: "LoanTooLarge"; readonly available: string }
  | { readonly _tag: "LenderDoesNotLend"; readonly lender: string }
  | { readonly _tag: "LiquidityNotAvailable"; readonly network: string }
  /** `dex`: the exchange; null where none was named. */
  | { readonly _tag: "LiquidityNotAllowed"; readonly network: string; readonly dex: string | null }
  | { readonly _tag: "DexNotAvailable"; readonly dex: string; readonly network: string }
  | { readonly _tag: "StakingNotAvailable"; readonly dex: string; readonly network: string }
  | {
    readonly _tag: "PoolNotFound"
    readonly first: string
    readonly second: string
    readonly network: string
    /** The requested fee tier and tick spacing; null for any. */
    readonly fee: number | null
    readonly tickSpacing: number | null
  }
  | { readonly _tag: "PerpetualsNotAvailable"; readonly network: string }
  | { readonly _tag: "ContractNotListed"; readonly coin: string }
  | { readonly _tag: "IsolatedMarginOnly"; readonly coin: string }

/** Why a lending market refuses an asset: its guardians stopped it, or it is full. */
export type MarketState = "paused" | "frozen" | "inactive" | "full"

/** The parties that can enable an asset which a vault may not hold. */
interface Enabling {
  /** True if the vault's trader can, too; null while that is unknown. Its manager always can. */
  readonly byTrader: boolean | null
}

/** A quote below the required minimum. */
export interface Shortfall {
  readonly paid: string
  readonly required: string
  readonly symbol: string
  /** Percent. */
  readonly slippage: number
}

/** The service or a node cannot carry out the request now, or must not. */
export type ServiceReason =
  // rpc_unavailable
  | { readonly _tag: "NetworkUnreachable"; readonly network: string }
  | { readonly _tag: "ReadRefused"; readonly detail: string }
  | { readonly _tag: "PlatformRulesUnreadable"; readonly network: string }
  | { readonly _tag: "PlatformMissing"; readonly network: string; readonly factory: string }
  | { readonly _tag: "LenderUnreadable"; readonly network: string }
  | { readonly _tag: "NetworkNotConfigured"; readonly network: string }
  | { readonly _tag: "ManagedVaultsUnreadable"; readonly network: string }
  | { readonly _tag: "CallTimedOut" }
  | { readonly _tag: "ChangeTimedOut" }
  // busy
  | { readonly _tag: "ServiceBusy" }
  | { readonly _tag: "ChangeInterrupted" }
  | { readonly _tag: "SignerAway" }
  | { readonly _tag: "IdempotencyKeyReleased" }
  | { readonly _tag: "BacklogFull"; readonly of: "vault" | "wallet" | "service"; readonly limit: number }
  | { readonly _tag: "TooManyStreams"; readonly limit: number }
  | { readonly _tag: "TooManyWalletsCreated" }
  | { readonly _tag: "SessionTooFast" }
  | { readonly _tag: "TurnNotConfirmed" }
  | { readonly _tag: "AccountChangeNotConfirmed" }
  | { readonly _tag: "OrderOutcomePending"; readonly account: string; readonly exchange: string }
  // paused
  | { readonly _tag: "BotDisabled" }
  | { readonly _tag: "SigningStopped"; readonly scope: string; readonly reason: string }
  // expired
  /** `seconds`: its lifetime. */
  | { readonly _tag: "Expired"; readonly seconds: number }
  | { readonly _tag: "ExpiredUnsigned" }
  // paused
  | { readonly _tag: "CancelledBySwitch" }
  // quarantined
  | { readonly _tag: "LaneQuarantined"; readonly wallet: string; readonly network: string; readonly reason: string }
  // outcome_unknown
  | {
    readonly _tag: "EndedByRelease"
    readonly wallet: string
    readonly network: string
    readonly transactions: ReadonlyArray<string>
  }
  // nothing_to_do
  | { readonly _tag: "BotDeleted" }
  | { readonly _tag: "BotReplaced" }
  | { readonly _tag: "VaultOrderCancelled" }
  | { readonly _tag: "VaultOrderAmended" }
  | { readonly _tag: "GuardianDeleted" }
  | { readonly _tag: "FollowerRemoved" }
  | { readonly _tag: "StrategyBotDeleted" }
  /** `detail`: what is wrong with the oracle's answers. */
  | { readonly _tag: "GuardianHold"; readonly detail: string }
  // internal
  | { readonly _tag: "SubmissionSetAside"; readonly key: string; readonly detail: string }
  | { readonly _tag: "SubmissionNotFound"; readonly key: string }
  | { readonly _tag: "SubmissionNotSigned"; readonly key: string; readonly detail: string }
  | { readonly _tag: "SettlementMismatch"; readonly key: string }
  | { readonly _tag: "SettlementAboveCap"; readonly key: string; readonly usd: string; readonly cap: string }
  | { readonly _tag: "TopUpMismatch"; readonly key: string }
  | { readonly _tag: "CannotSign"; readonly detail: string }
  | { readonly _tag: "SignedBefore"; readonly key: string }
  | { readonly _tag: "PaidBefore"; readonly key: string }
  | { readonly _tag: "LegKeyConflict"; readonly intentId: string }
  | { readonly _tag: "PlanningFailed" }
  | { readonly _tag: "NonceTakenTooOften"; readonly wallet: string; readonly times: number }
  | { readonly _tag: "NoMintEvent" }
  | { readonly _tag: "NoLiquidityEvent" }
  | { readonly _tag: "WrongMiddleware" }

/** A revert, or the answer of an exchange. */
export type OutcomeReason =
  // the error type of the revert's meaning
  | Reverted
  | { readonly _tag: "FeesNotMintable"; readonly vaults: readonly [FeeRevert, ...Array<FeeRevert>] }
  // transaction_reverted
  | { readonly _tag: "AssetNotEmpty"; readonly asset: string; readonly held: string }
  | { readonly _tag: "LastDepositAsset"; readonly asset: string }
  | { readonly _tag: "NoFeeMinted"; readonly vaults: number }
  // exchange_error
  | { readonly _tag: "InfoUnavailable"; readonly detail: string }
  | { readonly _tag: "ExchangeUnavailable"; readonly exchange: string; readonly detail: string }
  // exchange_rejected
  | { readonly _tag: "ExchangeRefused"; readonly exchange: string; readonly detail: string }
  | { readonly _tag: "OrderNotReceived" }
  | { readonly _tag: "OrderRefused"; readonly detail: string; readonly status: string }
  | { readonly _tag: "OrderCancelled"; readonly status: string }
  | { readonly _tag: "OrderStillOpen"; readonly order: string }
  | { readonly _tag: "OrderFilledFirst"; readonly order: string }
  | { readonly _tag: "WithdrawalNotReceived"; readonly amount: string }
  | { readonly _tag: "WithdrawalIncomplete"; readonly amount: string }

/** A call that reverts or reverted. */
export interface Reverted {
  readonly _tag: "Reverted"
  readonly meaning: RevertMeaning
  /** The revert reason as the contract returns it. */
  readonly revert: string
  /** The venue that the caller named, when its call reverts. */
  readonly venue?: string
}

/** A vault whose fee cannot be minted. */
interface FeeRevert {
  readonly pool: string
  readonly reverted: Reverted
}

/** Each reason; `_tag` names it. */
export type Reason = FundsReason | MarketReason | ServiceReason | OutcomeReason
