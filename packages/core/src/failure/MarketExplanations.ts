/** Explains what the vault, a venue, a lender or a market does not permit or offer, and missing prices. */
import type { ExplanationTable } from "./ExplanationTable.ts"
import type { MarketReason, MarketState, Shortfall } from "./Reason.ts"

/** Says who can enable an asset. */
const enabledBy = (byTrader: boolean | null) =>
  byTrader === true
    ? "The vault's trader can enable it with enableAsset, and so can its manager."
    : byTrader === false
    ? "The vault's manager can enable it; the vault does not let its trader change assets."
    : "The vault's manager can enable it, and so can its trader with enableAsset, unless the manager has disabled that."
const retry = "Try again."

/** Names the venues that the platform allows in place of one that it does not. */
const allowedInstead = (venues: ReadonlyArray<string>) =>
  venues.length === 0 ? "" : `The vault platform allows ${venues.join(", ")} there.`

const stateTexts: Readonly<Record<MarketState, string>> = {
  paused: "has paused",
  frozen: "has frozen",
  inactive: "has closed",
  full: "takes no more"
}

const refusedActions = {
  supply: "accepts no supply of it",
  withdraw: "pays none of it out",
  borrow: "lends none of it",
  repay: "accepts no repayment of it"
}

/** Words a quote below the minimum; the venue's name precedes it. */
export const shortfallText = ({ paid, required, slippage, symbol }: Shortfall): string =>
  `pays ${paid} ${symbol}, but by the vault's oracle and ${slippage} % slippage it must be at least ${required}`

export const marketExplanations: ExplanationTable<MarketReason> = {
  TradingPaused: () => ["vault_paused", "Trading is paused for this vault"],
  NamedVenueCannotSwap: ({ allowed, alternatives, detail, from, to, venue }) => [
    allowed ? "no_route" : "venue_not_allowed",
    `${venue} cannot swap ${from} for ${to} (${detail}), and no other venue is tried when one is named`,
    allowedInstead(alternatives)
  ],
  NoVenueCanSwap: ({ errorType, from, skipped, to }) => [
    errorType,
    `No venue can swap ${from} for ${to} (${skipped.map(({ reason, venue }) => `${venue}: ${reason}`).join("; ")})`
  ],
  VenuePaysTooLittle: ({ venue, ...shortfall }) => ["slippage_exceeded", `${venue} ${shortfallText(shortfall)}`],
  LimitPriceNotMet: ({ paid, required, symbol, venue }) => [
    "slippage_exceeded",
    `${venue} pays ${paid} ${symbol}, less than the ${required} of the order's limit price`
  ],
  OrderPriceTooFar: ({ mark, maxPercent, price }) => [
    "slippage_exceeded",
    `${price} is worse than the market's ${mark} by more than ${maxPercent} %, the maximum the vault platform allows`
  ],
  PoolPriceTooFar: ({ allowed, first, percent, second }) => [
    "slippage_exceeded",
    `The pool's price of ${first} and ${second} is ${percent} % away from the vault's oracle; the slippage and the ` +
    `pool's fee allow ${allowed} %`
  ],
  AssetNotEnabled: ({ address, byTrader, symbol }) => [
    "asset_not_enabled",
    `${symbol} (${address}) is not enabled in the vault`,
    enabledBy(byTrader)
  ],
  QuoteNotEnabled: ({ address, byTrader, symbol }) => [
    "asset_not_enabled",
    `Trades must go through ${symbol} (${address}), which is not enabled in the vault`,
    enabledBy(byTrader)
  ],
  LenderMarketNotEnabled: ({ address, byTrader, lender }) => [
    "asset_not_enabled",
    `${lender}'s market ${address} is not enabled in the vault`,
    enabledBy(byTrader)
  ],
  PositionManagerNotEnabled: ({ address, byTrader, dex }) => [
    "asset_not_enabled",
    `${dex}'s position manager (${address}) is not enabled as an asset of the vault`,
    enabledBy(byTrader)
  ],
  AssetLimitReached: ({ asset, limit }) => [
    "asset_not_enabled",
    `${asset} cannot be enabled: the vault has ${limit} assets, the maximum the vault platform allows`,
    "Disable one that the vault does not hold, with disableAsset."
  ],
  AssetChangeNotAllowed: ({ manager }) => [
    "venue_not_allowed",
    `The vault does not let its trader change assets; its manager ${manager} can change them, and allow it to the trader`
  ],
  AssetBalanceUnknown: ({ asset }) => [
    "price_unavailable",
    `The vault's balance of ${asset} is unknown at the moment, and only an asset of which it has none can be disabled`,
    retry
  ],
  AssetNotSupported: ({ asset, network }) => [
    "market_not_available",
    `The vault platform does not support ${asset} on ${network}, so no vault can hold it`
  ],
  LegNotAToken: () => ["asset_not_enabled", "A leg of the pair is no longer a token"],
  VenueNotAllowed: ({ alternatives, network, venue }) => [
    "venue_not_allowed",
    `The vault platform does not allow ${venue} on ${network}, and no other venue is approved instead`,
    allowedInstead(alternatives)
  ],
  NoVenueAllowed: ({ network, venues }) => [
    "venue_not_allowed",
    `The vault platform allows none of ${venues.join(", ")} on ${network}`
  ],
  LenderMarketNotAllowed: ({ address, lender }) => [
    "venue_not_allowed",
    `The vault platform does not allow ${lender}'s market ${address}`
  ],
  PerpetualsNotAllowed: ({ network, target }) => [
    "venue_not_allowed",
    `The vault platform does not let vaults on ${network} trade perpetual contracts (it has no guard for ${target})`
  ],
  OtherAssetOwed: ({ owed }) => [
    "venue_not_allowed",
    `The vault owes ${
      owed.join(", ")
    } to lenderA, and the vault platform lets a vault owe one asset at a time; repay ` +
    "that first, or borrow more of it"
  ],
  BalanceUnreadable: ({ address, symbol }) => [
    "price_unavailable",
    `The vault's balance of ${symbol} cannot be read from the contract (${address})`
  ],
  NoOraclePrice: ({ symbol }) => [
    "price_unavailable",
    `The vault's oracle has no fresh price for ${symbol}, which a trade requires`
  ],
  NoLenderPrice: ({ symbol }) => [
    "price_unavailable",
    `lenderA's oracle has no price for ${symbol}, which borrowing and withdrawing require`
  ],
  LenderBalanceUnknown: ({ address, lender }) => [
    "price_unavailable",
    `${lender}'s market ${address} cannot report the vault's balance at the moment`,
    retry
  ],
  LenderPositionUnknown: ({ asset }) => [
    "price_unavailable",
    `lenderA cannot report the vault's position in ${asset} or its value at the moment`,
    retry
  ],
  VaultValueUnknown: () => [
    "price_unavailable",
    "The vault's oracle has no fresh price for one of its assets, so the vault's value is unknown"
  ],
  VaultTokenPriceUnknown: () => [
    "price_unavailable",
    "The price of the vault's token is unknown: an asset has no fresh price, or the vault has no investors"
  ],
  SaleUnpriced: () => [
    "price_unavailable",
    "This key has limits in USD, and the vault's oracle has no fresh price for the asset that would be sold, so they " +
    "cannot be checked"
  ],
  SoldAssetUnpriced: ({ address }) => [
    "price_unavailable",
    `The vault's oracle has no fresh price for ${address}, so this key's limits cannot be checked`
  ],
  NoPrice: ({ detail, network, symbol }) => ["price_unavailable", `${symbol} on ${network} has no price: ${detail}`],
  BotInputUnknown: ({ detail }) => ["price_unavailable", detail],
  WeightsUnknown: ({ detail }) => ["price_unavailable", detail],
  LiquidityPositionNotFound: ({ first, second, tokenId }) => [
    "position_not_found",
    `The vault has no position ${tokenId} of ${first} and ${second}`
  ],
  PositionNotStaked: ({ tokenId }) => [
    "position_not_found",
    `Position ${tokenId} is not staked, so it has no rewards`,
    "stakeLiquidity stakes it; collectFees collects the fees of a position that is not staked."
  ],
  NothingOwed: ({ symbol }) => ["position_not_found", `The vault owes lenderA no ${symbol}`],
  NothingSupplied: ({ lender, symbol }) => ["position_not_found", `The vault has no ${symbol} supplied to ${lender}`],
  NoPerpetualPosition: ({ coin, side }) => [
    "position_not_found",
    `The vault has no position in ${coin} that ${side === "buy" ? "buying" : "selling"} would reduce`
  ],
  OrderNotFound: ({ coin, order }) => [
    "position_not_found",
    `HyperCore knows no order ${order} of this vault in ${coin}`
  ],
  OrderAlreadyFilled: ({ order }) => [
    "position_not_found",
    `Order ${order} is filled; there is nothing to cancel`
  ],
  LenderNotAvailable: ({ lender, network }) => ["market_not_available", `${lender} is not available on ${network}`],
  AssetNotListed: ({ lender, listed, network, symbol }) => [
    "market_not_available",
    `${lender} does not list ${symbol} on ${network}`,
    `It lists ${listed.length === 0 ? "nothing" : listed.join(", ")}.`
  ],
  LenderUnknownInterface: ({ network }) => [
    "market_not_available",
    `lenderA's contracts on ${network} do not answer`
  ],
  LenderClosed: ({ action, lender, state, symbol }) => {
    const sentence = `${lender} ${stateTexts[state]} ${symbol}: it ${refusedActions[action]} at the moment`
    return action === "supply"
      ? ["market_not_available", sentence, "`lend` with platform=auto uses the first lender that accepts it."]
      : ["market_not_available", sentence, "Try again later."]
  },
  NoLenderAccepts: ({ errorType, skipped, symbol }) => [
    errorType,
    `No lender accepts ${symbol} from the vault (${
      skipped.map(({ lender, reason }) => `${lender}: ${reason}`).join("; ")
    })`
  ],
  BorrowClosed: ({ symbol }) => ["market_not_available", `lenderA does not lend ${symbol} at the moment`],
  PayoutTooLarge: ({ available, lender }) => [
    "market_not_available",
    `${lender} can pay out only ${available} at the moment; the rest is lent out`
  ],
  LoanTooLarge: ({ available }) => [
    "market_not_available",
    `lenderA has only ${available} left to lend at the moment`
  ],
  LenderDoesNotLend: ({ lender }) => [
    "market_not_available",
    `${lender} lends nothing to vaults: the vault platform lets them only supply there and withdraw`,
    "Use lenderA."
  ],
  LiquidityNotAvailable: ({ network }) => [
    "market_not_available",
    `Vaults cannot provide liquidity on ${network}`
  ],
  DexNotAvailable: ({ dex, network }) => [
    "market_not_available",
    `Vaults cannot have positions of ${dex} on ${network}`,
    "getCapabilities lists the exchanges of the network; dex=auto chooses one."
  ],
  LiquidityNotAllowed: ({ dex, network }) => [
    "market_not_available",
    `The vault platform does not allow providing liquidity ${dex === null ? "" : `at ${dex} `}on ${network}`
  ],
  StakingNotAvailable: ({ dex, network }) => [
    "market_not_available",
    `The vault platform allows no staking of this position of ${dex} on ${network}`
  ],
  PoolNotFound: ({ fee, first, network, second, tickSpacing }) => [
    "market_not_available",
    `There is no pool ${fee === null ? "" : `of fee ${fee} `}${
      tickSpacing === null ? "" : `of tick spacing ${tickSpacing} `
    }of ${first} and ${second} on ${network}`
  ],
  PerpetualsNotAvailable: ({ network }) => [
    "market_not_available",
    `There are no perpetual contracts on ${network}`
  ],
  ContractNotListed: ({ coin }) => [
    "market_not_available",
    `HyperCore has no contract ${coin}; getPerpetualMarkets lists the available ones`
  ],
  IsolatedMarginOnly: ({ coin }) => [
    "market_not_available",
    `${coin} is traded with isolated margin only, which the vault platform does not allow`
  ]
}
