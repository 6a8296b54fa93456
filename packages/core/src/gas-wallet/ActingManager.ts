/** The manager on whose behalf a request acts as a wallet of the list; null for the wallet's own key. */
import * as Context from "effect/Context"
import type { Address } from "../chain/Address.ts"

export const ActingManager = Context.Reference<Address | null>("vault-trader/core/gas-wallet/ActingManager", {
  defaultValue: () => null
})
