/**
 * The requirements for setting a bot: gas, trader role, approvals. Each is read from the service and the chain; nothing
 * is stored.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { parse as parseAddress } from "@vault-trader/core/chain/Address"
import { legsOf } from "@vault-trader/core/threshold-bot/ThresholdBotApi"
import { lowUsd, useBalances } from "../gas-wallet/GasWallets.ts"
import type { State } from "../shell/CheckMark.tsx"
import { type About, useApprovals } from "../trading/Plans.ts"
import { useAuthority } from "../vault/Authority.ts"
import { venueOf } from "./BotTerms.ts"

export interface Check {
  readonly state: State
  readonly says: string
}

export interface Readiness {
  /** The requested venue; `auto` uses the network's order. */
  readonly platform: string
  readonly about: About | undefined
  readonly funded: Check
  readonly trader: Check
  readonly approvals: ReadonlyArray<Check & { readonly asset: string }>
  readonly ready: boolean
}

/** Parses the vault from form texts; undefined until they are complete. */
export const aboutOf = (
  { network, pool, wallet }: { readonly wallet: string; readonly network: string; readonly pool: string }
): About | undefined => {
  const [own, vault] = [parseAddress(wallet), parseAddress(pool)]
  return own === undefined || vault === undefined || network === ""
    ? undefined
    : { wallet: own, network: network as Network, pool: vault }
}

/** Checks a wallet's gas on a network. Low gas only adds a warning. */
const useFunded = (wallet: Address | undefined, network: Network | undefined): Check => {
  const balances = useBalances()
  const found = balances.data?.find((balance) => balance.address === wallet && balance.network === network)
  if (found === undefined) {
    return {
      state: balances.error === null ? "asking" : "unknown",
      says: balances.error?.message ?? "Reading the wallet’s gas."
    }
  }
  if (found.balance === null) return { state: "unknown", says: found.error ?? "The network cannot be read." }
  if (Number(found.balance) === 0) {
    return { state: "missing", says: `It has no ${found.token} on ${found.network}: its transactions cannot be mined.` }
  }
  const low = typeof found.balance_usd === "number" && found.balance_usd < lowUsd
  return {
    state: "done",
    says: `${Number(found.balance).toPrecision(4)} ${found.token} on ${found.network}${
      low ? `, less than $${lowUsd}: refill soon` : ""
    }.`
  }
}

const traderCheck = ({ data, error }: ReturnType<typeof useAuthority>): Check => {
  if (data === undefined) {
    return error === null
      ? { state: "asking", says: "Reading the chain." }
      : { state: "unknown", says: error.message }
  }
  if (data.isTrader || data.manager === data.trader) {
    return { state: "done", says: "The gas wallet is the vault’s trader." }
  }
  return {
    state: "missing",
    says: data.poolTrader === null ? "The vault has no trader." : `The vault’s trader is ${data.poolTrader}.`
  }
}

/** Returns the readiness of a form's or page's vault and pair. */
export const useReadiness = (
  terms: {
    readonly wallet: string
    readonly network: string
    readonly pool: string
    readonly pair: string
    readonly platform?: string
  }
): Readiness => {
  const about = aboutOf(terms)
  const assets = legsOf(terms.pair).filter((leg) => leg !== "")
  const funded = useFunded(about?.wallet, about?.network)
  const trader = traderCheck(useAuthority(about))
  const platform = venueOf(terms)
  const approvalPlans = useApprovals(trader.state === "done" ? about : undefined, assets, platform)
  const approvals = assets.map((asset, index) => ({
    asset,
    ...approvalCheck(approvalPlans[index], trader.state === "done", asset)
  }))
  const all = [funded, trader, ...approvals]
  return {
    about,
    platform,
    funded,
    trader,
    approvals,
    ready: about !== undefined && assets.length === 2 && all.every(({ state }) => state === "done")
  }
}

const approvalCheck = (
  plan: ReturnType<typeof useApprovals>[number] | undefined,
  hasTrader: boolean,
  asset: string
): Check => {
  if (!hasTrader) return { state: "missing", says: "Can be approved once the gas wallet is the trader." }
  if (plan?.data !== undefined) {
    return plan.data.note === undefined
      ? { state: "missing", says: `${plan.data.venue} may not take ${asset} from the vault yet.` }
      : { state: "done", says: `${plan.data.venue} may take ${asset} from the vault.` }
  }
  return plan?.error === null || plan === undefined
    ? { state: "asking", says: "Reading the chain." }
    : { state: "unknown", says: plan.error.message }
}
