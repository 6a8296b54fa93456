/** Interprets the vault platform's reverts. Sources: the platform's error table and guards. */
import type { Reverted } from "@vault-trader/core/failure/Reason"
import type { RevertMeaning } from "@vault-trader/core/failure/RevertMeaning"

/** The platform's error codes. Source: the error table that it publishes. */
const codes: ReadonlyMap<string, RevertMeaning> = new Map([
  ["dh1", "platformPaused"],
  ["dh2", "sharesPaused"],
  ["dh3", "sharesInCooldown"],
  ["dh4", "managerOnly"],
  ["dh5", "cooldownNotAllowed"],
  ["dh6", "cooldownNotAllowed"],
  ["dh7", "depositorNotAllowed"],
  ["dh8", "depositAssetNotAccepted"],
  ["dh9", "depositAssetNotAccepted"],
  ["dh10", "depositTooSmall"],
  ["dh11", "redeemedTooSoon"],
  ["dh12", "sharesTooFew"],
  ["dh13", "platformCheckFailed"],
  ["dh14", "platformCheckFailed"],
  ["dh15", "platformCheckFailed"],
  ["dh16", "platformCheckFailed"],
  ["dh17", "platformCheckFailed"],
  ["dh18", "platformCheckFailed"],
  ["dh19", "platformCheckFailed"],
  ["dh20", "tradingPaused"],
  ["dh21", "platformCheckFailed"],
  ["dh22", "assetNotEnabled"],
  ["dh23", "callNotAllowed"],
  ["dh24", "traderChanged"],
  ["dh25", "depositTooSmall"],
  ["dh26", "redemptionPriceMoved"],
  ["dh27", "redemptionPriceMoved"],
  ["dh28", "senderNotAllowed"],
  ["dh29", "platformCheckFailed"],
  ["dh30", "platformCheckFailed"],
  ["dh31", "senderNotAllowed"],
  ["dh32", "vaultSupplyCapReached"],
  ["dh33", "senderNotAllowed"],
  ["dh34", "senderNotAllowed"],
  ["dh35", "senderNotAllowed"],
  ["dh36", "platformCheckFailed"]
])

/** The words of the platform's guards, and of the tokens and routers behind them. */
const meanings: ReadonlyArray<readonly [when: RegExp, meaning: RevertMeaning]> = [
  [/only manager, owner or trader enabled/, "assetChangeNotAllowed"],
  [/maximum assets reached/, "assetLimitReached"],
  [/^invalid asset$|cannot add pool asset/, "assetNotSupported"],
  [/cannot remove non-empty asset/, "assetNotEmpty"],
  [/at least one deposit asset/, "lastDepositAsset"],
  [/Compound not enabled/, "lenderMarketNotEnabled"],
  [/unsupported (destination|source|withdrawal) asset|unsupported assets?/, "assetNotEnabled"],
  [/borrowing asset exists/, "otherAssetOwed"],
  [/health factor too low/, "healthFactorBelowPlatformFloor"],
  [/(uniswap|velodrome cl|pancake cl) asset not enabled/, "positionManagerNotEnabled"],
  [/position is not in track/, "positionNotMadeByVault"],
  [/too many uni v3 positions|max position reached/, "tooManyPositions"],
  [/Uni v3 LP price mismatch|Uni v3 price ratio out of bounds/, "poolPriceOffOracle"],
  [/Price slippage check/, "poolPriceMoved"],
  [/unsupported spender/, "spenderNotAllowed"],
  [/slippage impact exceeded/, "slippageBudgetSpent"],
  [/^0 src amount$/, "soldNothing"],
  [/exchange pool not supported/, "poolKindNotAllowed"],
  [/uniV[23] pool invalid|^BadPool\(\)$/, "poolNotCanonical"],
  [/direction mismatch/, "poolDirectionWrong"],
  [/fees not supported/, "routeFeeNotAllowed"],
  [/recipient is not pool/, "receiverNotVault"],
  [
    /Too little received|Too much requested|[Rr]eturn ?[Aa]mount ?[Ii]s ?[Nn]ot ?[Ee]nough|Slippage Limit Exceeded/,
    "priceMoved"
  ],
  [
    /Chainlink price (expired|is stale)|Price get failed|Price not available|Price aggregator not found/i,
    "noOraclePrice"
  ],
  [
    /^STF$|ERC20Insufficient(Balance|Allowance)|transfer amount exceeds (balance|allowance)|insufficient allowance/,
    "balanceTooLow"
  ]
]

/** Returns the meaning of a revert reason. */
export const meaningOf = (revert: string): Reverted => ({
  _tag: "Reverted",
  meaning: codes.get(revert) ?? meanings.find(([when]) => when.test(revert))?.[1] ?? "unrecognized",
  revert
})
