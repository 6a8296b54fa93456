/** The prices of actions, and the payments of what was charged. */
import * as Layer from "effect/Layer"
import { PricingLive } from "./Pricing.ts"
import * as Settlements from "./Settlements.ts"

export const BillingLive = Layer.mergeAll(PricingLive, Settlements.layer)
