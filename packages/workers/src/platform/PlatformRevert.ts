/** Interprets the vault platform's reverts. Sources: the platform's error table and guards. */
import type { Reverted } from "@vault-trader/core/failure/Reason"
import type { RevertMeaning } from "@vault-trader/core/failure/RevertMeaning"

const meanings: ReadonlyArray<readonly [when: RegExp, meaning: RevertMeaning]> = [
  [/^dh1$/, "platformPaused"],
  [/^dh2$/, "sharesPaused"],
  [/^dh20$/, "tradingPaused"],
  [/^dh22$/, "assetNotEnabled"],
  [/^dh23$/, "callNotAllowed"],
  [/^dh24$/, "traderChanged"],
  [/unsupported (destination|source) asset|unsupported assets?/, "assetNotEnabled"],
  [/borrowing asset exists/, "otherAssetOwed"],
  [/health factor too low/, "healthFactorBelowPlatformFloor"],
  [/uniswap asset not enabled/, "positionManagerNotEnabled"],
  [/position is not in track/, "positionNotMadeByVault"],
  [/too many uni v3 positions/, "tooManyPositions"],
  [/Uni v3 LP price mismatch/, "poolPriceOffOracle"],
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
  meaning: meanings.find(([when]) => when.test(revert))?.[1] ?? "unrecognized",
  revert
})
