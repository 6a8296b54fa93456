import { assert, describe, it } from "@effect/vitest"
import { describeReason, explain } from "../../src/failure/Explanation.ts"
import { executionCodes } from "../../src/failure/Failure.ts"
import type { Reason } from "../../src/failure/Reason.ts"
import { type RevertMeaning, revertMeanings } from "../../src/failure/RevertMeaning.ts"

type Samples = { readonly [Tag in Reason["_tag"]]: Omit<Extract<Reason, { readonly _tag: Tag }>, "_tag"> }

const wallet = "0x1111111111111111111111111111111111111111"
const address = "0x2222222222222222222222222222222222222222"
const network = "optimism"
const symbol = "USDC"
const reverted = { _tag: "Reverted", meaning: "platformPaused", revert: "dh1" } as const

/** One of each reason; the compiler requires every tag. */
const samples: Samples = {
  GasWalletTooLow: { wallet, network, native: "ETH", held: "0.1", needed: "0.2", kept: "0.05" },
  GasWalletCannotPay: { wallet, network, native: "ETH" },
  ShareRoundsToZero: { of: "supply", held: "7", symbol },
  AmountTooLarge: { of: "withdrawable", held: "7", needed: "8", symbol },
  PositionTooSmall: {},
  NothingToRepayWith: { symbol },
  NoMargin: {},
  BorrowTooLarge: { amount: "9 USDC", before: "2.1", after: "1.2", floor: "1.3", max: "5 USDC" },
  BorrowExhausted: { symbol, healthFactor: "1.25", floor: "1.3" },
  WithdrawalTooLarge: { amount: "9 USDC", before: "2.1", after: "1.2", floor: "1.3" },
  NoCollateral: {},
  KeyReadOnly: { vault: `base/${address}` },
  KeyTradesOtherVaults: { allowed: [`base/${wallet}`], vault: `base/${address}` },
  KeySaleTooLarge: { max: "100 USD", day: { left: "20.5 USD", max: "500 USD" }, worth: "101 USD" },
  KeyDayExceeded: { max: "500 USD", left: "20.5 USD", worth: "101 USD" },
  KeyCallUnread: { detail: "its calls cannot be decoded" },
  KeySellsMoreThanPlanned: { planned: "100 USD", found: "101 USD" },
  KeyCannotAssociate: { readOnly: false },
  TradingPaused: {},
  NamedVenueCannotSwap: {
    venue: "1inch",
    from: "USDC",
    to: "WETH",
    detail: "not available",
    allowed: false,
    alternatives: ["odosV3"]
  },
  NoVenueCanSwap: {
    from: "USDC",
    to: "WETH",
    skipped: [{ venue: "1inch", reason: "not available" }],
    errorType: "slippage_exceeded"
  },
  LimitPriceNotMet: { venue: "1inch", paid: "0.3", required: "0.4", symbol: "WETH" },
  VenuePaysTooLittle: { venue: "1inch", paid: "0.3", required: "0.4", symbol: "WETH", slippage: 2 },
  OrderPriceTooFar: { price: "101", mark: "90", maxPercent: "3" },
  PoolPriceTooFar: { first: "WETH", second: "USDC", percent: "4.1", allowed: "0.8" },
  AssetNotEnabled: { symbol, address, byTrader: true },
  QuoteNotEnabled: { symbol, address, byTrader: null },
  LenderMarketNotEnabled: { lender: "lenderB", address, byTrader: false },
  PositionManagerNotEnabled: { address, dex: "uniswapV3", byTrader: null },
  AssetLimitReached: { asset: symbol, limit: "12" },
  AssetChangeNotAllowed: { manager: wallet },
  AssetBalanceUnknown: { asset: symbol },
  AssetNotSupported: { asset: symbol, network },
  AssetNotEmpty: { asset: symbol, held: "7" },
  LastDepositAsset: { asset: symbol },
  LegNotAToken: {},
  VenueNotAllowed: { venue: "1inch", network, alternatives: ["kyberswap", "odosV3"] },
  NoVenueAllowed: { venues: ["1inch", "odos"], network },
  LenderMarketNotAllowed: { lender: "lenderB", address },
  PerpetualsNotAllowed: { network, target: address },
  OtherAssetOwed: { owed: ["DAI", "WETH"] },
  BalanceUnreadable: { symbol, address },
  NoOraclePrice: { symbol },
  NoLenderPrice: { symbol },
  LenderBalanceUnknown: { lender: "lenderB", address },
  LenderPositionUnknown: { asset: address },
  VaultValueUnknown: {},
  VaultTokenPriceUnknown: {},
  SaleUnpriced: {},
  SoldAssetUnpriced: { address },
  NoPrice: { symbol, network, detail: "the sources differ" },
  BotInputUnknown: { detail: "The balance is unknown." },
  WeightsUnknown: { detail: "WBTC has no price." },
  PositionNotStaked: { tokenId: "17" },
  LiquidityPositionNotFound: { tokenId: "17", first: "WETH", second: "USDC" },
  NothingOwed: { symbol },
  NothingSupplied: { symbol, lender: "lenderB" },
  NoPerpetualPosition: { coin: "ETH", side: "buy" },
  OrderNotFound: { order: "17", coin: "ETH" },
  OrderAlreadyFilled: { order: "17" },
  LenderNotAvailable: { lender: "lenderB", network },
  AssetNotListed: { lender: "lenderB", symbol, network, listed: ["DAI", "WETH"] },
  LenderUnknownInterface: { network },
  LenderClosed: { lender: "lenderB", symbol, state: "paused", action: "supply" },
  NoLenderAccepts: {
    symbol,
    skipped: [{ lender: "lenderA", reason: "it is frozen" }],
    errorType: "market_not_available"
  },
  BorrowClosed: { symbol },
  PayoutTooLarge: { lender: "lenderB", available: "7 USDC" },
  LoanTooLarge: { available: "7 USDC" },
  LenderDoesNotLend: { lender: "lenderB" },
  LiquidityNotAvailable: { network },
  DexNotAvailable: { dex: "velodromeCl", network },
  LiquidityNotAllowed: { network, dex: null },
  StakingNotAvailable: { dex: "uniswapV3", network },
  PoolNotFound: { first: "WETH", second: "USDC", network, fee: 500, tickSpacing: null },
  PerpetualsNotAvailable: { network },
  ContractNotListed: { coin: "ETH" },
  IsolatedMarginOnly: { coin: "ETH" },
  NetworkUnreachable: { network },
  ReadRefused: { detail: "rate limited" },
  PlatformRulesUnreadable: { network },
  PlatformMissing: { network, factory: address },
  LenderUnreadable: { network },
  NetworkNotConfigured: { network },
  ManagedVaultsUnreadable: { network },
  CallTimedOut: {},
  ChangeTimedOut: {},
  ServiceBusy: {},
  SignerAway: {},
  ChangeInterrupted: {},
  IdempotencyKeyReleased: {},
  BacklogFull: { of: "vault", limit: 17 },
  TooManyStreams: { limit: 17 },
  TooManyWalletsCreated: {},
  SessionTooFast: {},
  TurnNotConfirmed: {},
  AccountChangeNotConfirmed: {},
  OrderOutcomePending: { account: "main", exchange: "kraken" },
  BotDisabled: {},
  SigningStopped: { scope: "service", reason: "an audit" },
  CancelledBySwitch: {},
  Expired: { seconds: 120 },
  ExpiredUnsigned: {},
  LaneQuarantined: { wallet, network: "base", reason: "its ledger is behind the chain" },
  BotDeleted: {},
  BotReplaced: {},
  VaultOrderCancelled: {},
  VaultOrderAmended: {},
  StrategyBotDeleted: {},
  GuardianDeleted: {},
  FollowerRemoved: {},
  GuardianHold: { detail: "USDC is at $0.95, 2 % or more off its peg" },
  SubmissionSetAside: { key: "a/1", detail: "the stored row cannot be read" },
  SubmissionNotFound: { key: "a/1" },
  SubmissionNotSigned: { key: "a/1", detail: "its request has ended" },
  SettlementMismatch: { key: "a/1" },
  SettlementAboveCap: { key: "a/1", usd: "101.00 USD", cap: "100.00 USD" },
  TopUpMismatch: { key: "a/1" },
  CannotSign: { detail: "The key cannot be decrypted." },
  SignedBefore: { key: "a/1" },
  PaidBefore: { key: "settlement/a" },
  EndedByRelease: { wallet, network: "base", transactions: ["0x12"] },
  LegKeyConflict: { intentId: "intent-1" },
  PlanningFailed: {},
  NonceTakenTooOften: { wallet, times: 17 },
  NoMintEvent: {},
  NoLiquidityEvent: {},
  WrongMiddleware: {},
  Reverted: { meaning: "tradingPaused", revert: "dh20", venue: "1inch" },
  FeesNotMintable: { vaults: [{ pool: address, reverted }, { pool: wallet, reverted }] },
  NoFeeMinted: { vaults: 17 },
  InfoUnavailable: { detail: "HTTP 503" },
  ExchangeUnavailable: { exchange: "kraken", detail: "it is under maintenance." },
  ExchangeRefused: { exchange: "kraken", detail: "insufficient funds" },
  OrderNotReceived: {},
  OrderRefused: { detail: "its price is too far", status: "oracleRejected" },
  OrderCancelled: { status: "marginCanceled" },
  OrderStillOpen: { order: "17" },
  OrderFilledFirst: { order: "17" },
  WithdrawalNotReceived: { amount: "7 USDC" },
  WithdrawalIncomplete: { amount: "7 USDC" }
}

const reasons = Object.entries(samples).map(([_tag, fields]) => ({ _tag, ...fields }) as Reason)

/** Fields that select a wording and are not words of it themselves. */
const selectors = new Set(["_tag", "of", "side", "scope", "meaning", "allowed", "errorType", "readOnly"])

/** Returns the texts and numbers that a reason carries, at any depth. */
const valuesIn = (value: unknown, field = ""): ReadonlyArray<string> =>
  typeof value === "string" || typeof value === "number"
    ? selectors.has(field) ? [] : [String(value)]
    : Array.isArray(value)
    ? value.flatMap((each: unknown) => valuesIn(each, field === "allowed" ? "vaults" : field))
    : typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([name, each]) => valuesIn(each, name))
    : []

describe("the explanation of a reason", () => {
  for (const reason of reasons) {
    it(`of ${reason._tag} has an error type, full sentences, what moved, and all of its fields`, () => {
      const { errorType, message } = explain(reason)
      assert.property(executionCodes, errorType)
      assert.match(message, /^\S.*\.$/)
      assert.match(message, /\. Nothing was sent\.( |$)/)
      assert.strictEqual(message.match(/nothing was (sent|accepted)/gi)?.length, 1, message)
      assert.notMatch(message, /\.\.|undefined|null|\[object| {2}|; [A-Z]/)
      for (const value of valuesIn(reason)) assert.include(message, value)
    })
  }

  it("says what moved between the sentence and the next step", () => {
    assert.deepStrictEqual(
      [
        explain({ _tag: "TradingPaused" }),
        explain({ _tag: "ServiceBusy" }, "nothingAccepted"),
        explain({ _tag: "ChangeTimedOut" }, "unknown"),
        explain({ _tag: "OrderFilledFirst", order: "17" }, "mined"),
        explain({ _tag: "Reverted", meaning: "priceMoved", revert: "STF" }, "reverted"),
        explain({ _tag: "WeightsUnknown", detail: "WBTC has no price. Nothing is traded." }, "stated")
      ].map(({ message }) => message),
      [
        "Trading is paused for this vault. Nothing was sent.",
        "The service is busy. Nothing was accepted. Try again in a moment.",
        "The service did not answer in time. It is not known whether the change was made. Check, or repeat it.",
        "Order 17 was filled before it could be cancelled. The transaction was mined, so its gas is spent; nothing is " +
        "charged.",
        "The price moved beyond the allowed slippage (STF). The transaction was mined and reverted, so only gas was " +
        "spent.",
        "WBTC has no price. Nothing is traded."
      ]
    )
  })

  it("has an error type and a sentence for every meaning of a revert", () => {
    for (const meaning of Object.keys(revertMeanings) as Array<RevertMeaning>) {
      const { errorType, sentence } = describeReason({ _tag: "Reverted", meaning, revert: "the revert" })
      assert.property(executionCodes, errorType)
      assert.match(sentence, /^[A-Z].* \(the revert\)$/)
    }
  })
})
