/**
 * The known meanings of reverts: of the vault platform and its guards, of lending markets, of HyperCore's guard. Each
 * has its error type, a sentence without its full stop, and the caller's next step, if there is one.
 */
import type { ErrorType } from "./Failure.ts"

const report = "Report it to the service's operator."
const enableIt =
  "The vault's manager can enable it, and so can its trader with enableAsset, unless the manager has disabled that."
const otherRoute = "Repeat the request: another route is searched. `platform=auto` also tries the other venues."

export const revertMeanings = {
  unrecognized: ["transaction_reverted", "The transaction reverts"],
  platformPaused: ["vault_paused", "The vault platform is paused"],
  sharesPaused: ["vault_paused", "The vault's shares are paused"],
  tradingPaused: ["vault_paused", "Trading is paused for this vault"],
  assetNotEnabled: ["asset_not_enabled", "The asset is not enabled in the vault", enableIt],
  assetChangeNotAllowed: [
    "venue_not_allowed",
    "The vault does not let its trader change assets",
    "The vault's manager can change them, and allow it to the trader."
  ],
  assetLimitReached: [
    "asset_not_enabled",
    "The vault has as many assets as the vault platform allows",
    "Disable one that the vault does not hold, with disableAsset."
  ],
  assetNotSupported: ["market_not_available", "The vault platform does not support this asset"],
  assetNotEmpty: [
    "transaction_reverted",
    "The vault has some of this asset, and only one of which it has none can be disabled",
    "Sell, withdraw or unlend all of it first."
  ],
  lastDepositAsset: [
    "transaction_reverted",
    "It is the only asset that investors can deposit into the vault, so it cannot be disabled"
  ],
  sharesInCooldown: [
    "transaction_reverted",
    "The vault tokens were bought a short time ago, and the vault platform does not let them be moved yet",
    "Repeat the request after their cooldown."
  ],
  managerOnly: ["transaction_reverted", "Only the vault's manager may do this"],
  cooldownNotAllowed: [
    "transaction_reverted",
    "The vault platform does not let the buyer choose this cooldown",
    report
  ],
  depositorNotAllowed: [
    "market_not_available",
    "The vault whose token is bought is private, and this vault is not one of its members"
  ],
  depositAssetNotAccepted: [
    "market_not_available",
    "The vault whose token is bought does not accept this asset",
    "Pay with another asset."
  ],
  depositTooSmall: [
    "transaction_reverted",
    "The amount is below the minimum of the vault whose token is bought",
    "Use a larger amount."
  ],
  redeemedTooSoon: ["transaction_reverted", "The vault tokens were bought in this block", "Repeat the request."],
  sharesTooFew: ["insufficient_balance", "The vault has fewer of these vault tokens"],
  redemptionPriceMoved: ["slippage_exceeded", "Redeeming the vault tokens would pay less than the allowed slippage"],
  vaultSupplyCapReached: [
    "market_not_available",
    "The vault whose token is bought issues no more of it for now",
    "Use a smaller amount, or try again later."
  ],
  senderNotAllowed: ["transaction_reverted", "The vault platform does not accept this sender", report],
  platformCheckFailed: [
    "transaction_reverted",
    "A check of the vault platform's own contracts fails",
    `Try again later. ${report}`
  ],
  lenderMarketNotEnabled: [
    "asset_not_enabled",
    "The lending market is not enabled as an asset of the vault",
    enableIt
  ],
  callNotAllowed: ["venue_not_allowed", "The platform's guard does not allow this call"],
  traderChanged: ["transaction_reverted", "The gas wallet is no longer the vault's trader"],
  otherAssetOwed: ["venue_not_allowed", "The platform lets a vault owe one asset at a time; repay the other first"],
  healthFactorBelowPlatformFloor: [
    "health_factor_too_low",
    "The health factor would fall below the platform's own floor"
  ],
  positionManagerNotEnabled: [
    "asset_not_enabled",
    "The exchange's position manager is not enabled as an asset of the vault"
  ],
  positionNotMadeByVault: ["position_not_found", "The position was not made by the vault"],
  tooManyPositions: [
    "transaction_reverted",
    "The vault has as many positions as the platform allows; remove one first, or add to one"
  ],
  poolPriceOffOracle: ["slippage_exceeded", "The pool's price is too far from the vault's oracle"],
  poolPriceMoved: ["slippage_exceeded", "The pool's price moved beyond the allowed slippage"],
  spenderNotAllowed: ["venue_not_allowed", "The platform does not allow approvals to this venue"],
  slippageBudgetSpent: [
    "slippage_budget_exceeded",
    "The vault's slippage budget of the last 24 hours is spent; it recovers with time"
  ],
  priceMoved: ["slippage_exceeded", "The price moved beyond the allowed slippage"],
  soldNothing: [
    "no_route",
    "The swap would take none of the sold asset from the vault, which the vault platform refuses",
    otherRoute
  ],
  poolKindNotAllowed: [
    "no_route",
    "The route uses a kind of pool that the vault platform does not allow",
    otherRoute
  ],
  poolNotCanonical: [
    "no_route",
    "The route uses a pool that is not one of Uniswap's own factory, or asks for native token or Permit2; the " +
    "vault platform allows neither",
    otherRoute
  ],
  poolDirectionWrong: [
    "no_route",
    "The route goes through a pool in the wrong direction, or through one that does not trade the asset",
    otherRoute
  ],
  routeFeeNotAllowed: [
    "no_route",
    "The route pays a fee to a third party, which the vault platform does not allow",
    otherRoute
  ],
  receiverNotVault: [
    "venue_not_allowed",
    "The call pays another address than the vault, which the vault platform does not allow",
    "Use another venue, and report this one to the service's operator."
  ],
  noOraclePrice: ["price_unavailable", "The vault's oracle has no fresh price for an asset"],
  balanceTooLow: ["insufficient_balance", "The vault's balance or allowance is not enough"],
  reserveClosed: ["market_not_available", "The market has closed this asset"],
  reserveFrozen: ["market_not_available", "The market has frozen this asset"],
  reservePaused: ["market_not_available", "The market has paused this asset"],
  borrowingDisabled: ["market_not_available", "The market does not lend this asset"],
  marketPaused: ["market_not_available", "The market is paused", "Try again later."],
  amountZero: ["transaction_reverted", "The amount is zero at the market", "Use a larger amount."],
  rateModeNotOffered: ["market_not_available", "The market does not offer a variable rate for this asset"],
  nothingSupplied: ["position_not_found", "The vault has none of this asset supplied"],
  sameBlockRepayment: [
    "transaction_reverted",
    "The market does not let a debt be repaid in the block in which it was made",
    "Repeat the request."
  ],
  sequencerGracePeriod: [
    "market_not_available",
    "The market lends nothing for a while after its network was down",
    "Try again later; repaying and supplying are possible."
  ],
  notCollateralInIsolation: [
    "market_not_available",
    "The market does not accept this asset as the vault's collateral"
  ],
  notListedByMarket: ["market_not_available", "The market does not list this asset"],
  siloedDebt: [
    "market_not_available",
    "The market lends this asset, or one that the vault owes, only to accounts that owe nothing else",
    "Repay the other debt first."
  ],
  debtNotAllowed: ["market_not_available", "The market does not let this account owe anything"],
  moreThanSupplied: ["insufficient_balance", "That is more than the vault has supplied"],
  noCollateral: ["health_factor_too_low", "The vault has no collateral there"],
  healthFactorBelowOne: ["health_factor_too_low", "The health factor would fall below 1"],
  collateralTooLow: ["health_factor_too_low", "The vault's collateral does not cover this loan"],
  nothingOwed: ["position_not_found", "The vault owes none of this asset"],
  borrowCapReached: ["market_not_available", "The market lends no more of this asset for now"],
  supplyCapReached: ["market_not_available", "The market accepts no more of this asset for now"],
  debtCeilingReached: ["market_not_available", "The market lends no more against this collateral for now"],
  unusableCollateral: ["market_not_available", "Collateral that cannot be borrowed against must be withdrawn first"],
  notBorrowableInEMode: [
    "market_not_available",
    "The market does not lend this asset in the vault's efficiency mode"
  ],
  debtLeavesDust: [
    "transaction_reverted",
    "The market does not let so small a debt remain",
    "Repay all of it, or less."
  ],
  notBorrowableInIsolation: [
    "market_not_available",
    "The market does not lend this asset against the vault's collateral"
  ],
  payoutTooLarge: ["insufficient_balance", "That is more than the market can pay out now"],
  perpetualsNotAllowed: [
    "venue_not_allowed",
    "The vault platform has not let this vault trade perpetual contracts; its governance lists the vaults that may"
  ],
  isolatedMarginOnly: [
    "market_not_available",
    "The contract is traded with isolated margin only, which the vault platform does not allow"
  ],
  coinNotAllowed: [
    "market_not_available",
    "The vault platform's governance has not approved this coin for vaults"
  ],
  dexNotAllowed: ["market_not_available", "The vault platform does not allow this exchange behind HyperCore"],
  usdcNotEnabled: ["asset_not_enabled", "USDC is not enabled in the vault", enableIt],
  contractNotAllowed: ["market_not_available", "The vault platform does not allow this contract"],
  coreAccountNotEnabled: [
    "asset_not_enabled",
    "The vault's account at HyperCore is not enabled as an asset of the vault; the vault's manager can enable it"
  ],
  orderPriceTooFar: [
    "slippage_exceeded",
    "The order's price is worse than the market's by more than the 3 % that the vault platform allows"
  ]
} as const satisfies Readonly<Record<string, readonly [errorType: ErrorType, sentence: string, nextStep?: string]>>

export type RevertMeaning = keyof typeof revertMeanings
