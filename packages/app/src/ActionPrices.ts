/** Prices of actions, and the wallets that are exempt from them. */
import { pricesOf } from "@vault-trader/core/billing/BillingSettings"
import type { Settings } from "./Settings.ts"

export const actionPrices = ({ billing }: Settings) => ({ prices: pricesOf(billing), exempt: billing.exempt })
