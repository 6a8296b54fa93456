/**
 * Reviews what this service pays by itself: charges to the treasury, and top-ups of gas wallets. Each payment must be
 * the one that its row and the settings agree on.
 */
import type { Terms } from "@vault-trader/core/billing/SettlementStore"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { Purse, TopUpTerms } from "@vault-trader/core/gas-wallet/GasLevelStore"
import { roundedUp } from "@vault-trader/core/gas-wallet/KeyLimits"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The configured funder and the wallets that it refills. */
export interface Refills {
  readonly funder: Address
  readonly wallets: ReadonlyArray<Purse>
}

/** The maximum value of one payment of charges. */
export interface PaymentCap {
  /** USD with 18 decimals. */
  readonly maxUsd18: bigint
  /** Returns USD (18 decimals) per whole native token; none while there is no price. */
  readonly price: (network: Network) => Effect.Effect<Option.Option<bigint>>
}

/** Makes the function that recognises the addresses that this service pays. */
export const isPayee =
  (treasuries: ReadonlyMap<Network, Address>, refills: Refills | undefined) => (network: Network, to: Address) =>
    treasuries.get(network) === to ||
    (refills?.wallets.some((purse) => purse.network === network && purse.wallet === to) ?? false)

/**
 * The node did not answer whether the address is a vault, a price is missing, or the settings are not approved yet:
 * review again later.
 */
export const later = "later" as const

/** Checks a payment: it goes to the treasury configured now, has no data, and its value is the sum of its charges. */
export const refusalOfPayment = (
  payment: Submission,
  terms: Terms | undefined,
  treasury: Address | undefined
): ExecutionFailure | undefined => {
  const { data, intentId, network, reserve, to, value, wallet } = payment
  const isAsAgreed = terms !== undefined && treasury !== undefined && to === treasury && terms.treasury === treasury &&
    data === "0x" &&
    value === terms.nativeWei && reserve === 0n && intentId === null && network === terms.network &&
    wallet === terms.wallet
  return isAsAgreed ? undefined : explain({ _tag: "SettlementMismatch", key: payment.key })
}

/** Checks that a payment is not larger than its cap, at the current price; again later while there is none. */
export const refusalOfSize = (
  { key, network, value }: Submission,
  cap: PaymentCap | undefined
): Effect.Effect<ExecutionFailure | typeof later | undefined> =>
  cap === undefined ? Effect.succeed(undefined) : Effect.map(cap.price(network), (price) => {
    if (Option.isNone(price)) return later
    const usd18 = value * price.value / 10n ** 18n
    return usd18 <= cap.maxUsd18
      ? undefined
      : explain({ _tag: "SettlementAboveCap", key, usd: roundedUp(usd18), cap: roundedUp(cap.maxUsd18) })
  })

/**
 * Checks a top-up: it goes from the configured funder to a configured wallet, has no data, and its value is the one in
 * its row.
 */
export const refusalOfTopUp = (
  topUp: Submission,
  row: TopUpTerms | undefined,
  refills: Refills | undefined
): ExecutionFailure | undefined => {
  const { data, intentId, network, reserve, to, value, wallet } = topUp
  const isAsAgreed = row !== undefined && refills !== undefined && wallet === refills.funder &&
    row.funder === refills.funder &&
    refills.wallets.some((purse) => purse.network === network && purse.wallet === to) && row.wallet === to &&
    row.network === network &&
    value === row.wei && data === "0x" && reserve === 0n && intentId === null
  return isAsAgreed ? undefined : explain({ _tag: "TopUpMismatch", key: topUp.key })
}
