/** The form in which assets are compared. The command's flags read it too, and load nothing else of this package. */
import { parse as parseAddress } from "@vault-trader/core/chain/Address"

/** Returns an asset in the form of the list. Symbols are compared to the letter: `usdc` may be another token. */
export const assetName = (text: string): string => parseAddress(text.trim()) ?? text.trim()
