/** Interprets the reverts of the platform's guard for HyperCore. */
import type { Reverted } from "@vault-trader/core/failure/Reason"
import type { RevertMeaning } from "@vault-trader/core/failure/RevertMeaning"
import { meaningOf as platformMeaningOf } from "../platform/PlatformRevert.ts"

const meanings: ReadonlyArray<readonly [when: RegExp, meaning: RevertMeaning]> = [
  [/whitelist/i, "perpetualsNotAllowed"],
  [/isolated/i, "isolatedMarginOnly"],
  [/unsupported perp/i, "contractNotAllowed"],
  [/core position not enabled|CoreWriter not supported asset/, "coreAccountNotEnabled"],
  [/slippage/i, "orderPriceTooFar"]
]

/** Returns the meaning of a revert reason: of HyperCore's guard, or else of the platform. */
export const meaningOf = (revert: string): Reverted => {
  const meaning = meanings.find(([when]) => when.test(revert))?.[1]
  return meaning === undefined || /slippage impact/.test(revert)
    ? platformMeaningOf(revert)
    : { _tag: "Reverted", meaning, revert }
}
