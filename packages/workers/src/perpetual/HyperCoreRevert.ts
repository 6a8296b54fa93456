/** Explains the reverts of the platform's guard for HyperCore. */
import { type Meaning, meaningOf as platformMeaningOf } from "../platform/PlatformRevert.ts"

const meanings: ReadonlyArray<Meaning & { readonly when: RegExp }> = [
  {
    when: /whitelist/i,
    errorType: "venue_not_allowed",
    sentence:
      "The vault platform has not let this vault trade perpetual contracts; its governance lists the vaults that may"
  },
  {
    when: /isolated/i,
    errorType: "market_not_available",
    sentence: "The contract is traded with isolated margin only, which the vault platform does not allow"
  },
  {
    when: /unsupported perp/i,
    errorType: "market_not_available",
    sentence: "The vault platform does not allow this contract"
  },
  {
    when: /core position not enabled/,
    errorType: "asset_not_enabled",
    sentence:
      "The vault's account at the core is not enabled as an asset of the vault; the vault's manager can enable it"
  },
  {
    when: /slippage/i,
    errorType: "slippage_exceeded",
    sentence: "The order's price is worse than the market's by more than the 3 % that the vault platform allows"
  }
]

/** Returns the meaning of a revert reason: of HyperCore's guard, or else of the platform. */
export const meaningOf = (reason: string): Meaning => {
  const meaning = meanings.find(({ when }) => when.test(reason))
  return meaning === undefined || /slippage impact/.test(reason)
    ? platformMeaningOf(reason)
    : { errorType: meaning.errorType, sentence: `${meaning.sentence} (${reason})` }
}
