/** The request rates that all servers of one database share, with the stores that only they use. */
import { CreationBudgetStore } from "@vault-trader/core/rate-limit/CreationBudgetStore"
import { ServerStore } from "@vault-trader/core/rate-limit/ServerStore"
import * as Layer from "effect/Layer"
import { LiveServers } from "./LiveServers.ts"
import { RateLimit, type RateLimitOptions } from "./RateLimit.ts"

export const layer = (options: RateLimitOptions) =>
  RateLimit.layer(options).pipe(
    Layer.provide([CreationBudgetStore.layer, Layer.provide(LiveServers.layer, ServerStore.layer)])
  )
