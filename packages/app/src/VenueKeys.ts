/** The URLs, keys and time limit of the venues' APIs, from the settings. */
import type { Access } from "@vault-trader/workers/venue/AggregatorClient"
import type * as Redacted from "effect/Redacted"
import type { Settings } from "./Settings.ts"

/** Access to the venues' APIs. `devnetKey`: the credential of the devnet's fakes, where they are in use. */
export const venueAccess = ({ workers }: Settings, devnetKey: Redacted.Redacted<string> | undefined): Access => ({
  urls: { "1inch": workers.oneInchUrl, kyberswap: workers.kyberSwapUrl, odosV3: workers.odosUrl },
  keys: { "1inch": devnetKey ?? workers.oneInchApiKey, odosV3: devnetKey ?? workers.odosApiKey },
  timeoutMillis: workers.venueTimeoutMillis
})
