/** What has to be so before a bot may be set: gas, the trader's role, approvals. Each read back from the service and the chain, none remembered. */
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
  /** The venue that is asked for; `auto` leaves it to the network's order. */
  readonly platform: string
  readonly about: About | undefined
  readonly funded: Check
  readonly trader: Check
  readonly approvals: ReadonlyArray<Check & { readonly asset: string }>
  readonly ready: boolean
}

/** The vault that texts name, once they do. */
export const aboutOf = ({ network, pool, wallet }: { readonly wallet: string; readonly network: string; readonly pool: string }): About | undefined => {
  const [own, vault] = [parseAddress(wallet), parseAddress(pool)]
  return own === undefined || vault === undefined || network === "" ? undefined : { wallet: own, network: network as Network, pool: vault }
}

/** Gas of a wallet on a network. Little is loud, but it can trade. */
const useFunded = (wallet: Address | undefined, network: Network | undefined): Check => {
  const balances = useBalances()
  const found = balances.data?.find((balance) => balance.address === wallet && balance.network === network)
  if (found === undefined) return { state: balances.error === null ? "asking" : "unknown", says: balances.error?.message ?? "Asking for the wallet’s gas." }
  if (found.balance === null) return { state: "unknown", says: found.error ?? "The network cannot be read." }
  if (Number(found.balance) === 0) return { state: "missing", says: `It has no ${found.token} on ${found.network}: nothing it signs would be mined.` }
  const low = typeof found.balance_usd === "number" && found.balance_usd < lowUsd
  return { state: "done", says: `${Number(found.balance).toPrecision(4)} ${found.token} on ${found.network}${low ? `, which is under $${lowUsd}: refill soon` : ""}.` }
}

const traderCheck = ({ data, error }: ReturnType<typeof useAuthority>): Check => {
  if (data === undefined) return error === null ? { state: "asking", says: "Asking the chain." } : { state: "unknown", says: error.message }
  if (data.isTrader || data.manager === data.trader) return { state: "done", says: "The gas wallet is the vault’s trader." }
  return { state: "missing", says: data.poolTrader === null ? "The vault has no trader." : `The vault’s trader is ${data.poolTrader}.` }
}

/** Of the vault and the pair that a form or a page names. */
export const useReadiness = (terms: { readonly wallet: string; readonly network: string; readonly pool: string; readonly pair: string; readonly platform?: string }): Readiness => {
  const about = aboutOf(terms)
  const assets = legsOf(terms.pair).filter((leg) => leg !== "")
  const funded = useFunded(about?.wallet, about?.network)
  const trader = traderCheck(useAuthority(about))
  const platform = venueOf(terms)
  const asked = useApprovals(trader.state === "done" ? about : undefined, assets, platform)
  const approvals = assets.map((asset, index) => ({ asset, ...approvalCheck(asked[index], trader.state === "done", asset) }))
  const all = [funded, trader, ...approvals]
  return { about, platform, funded, trader, approvals, ready: about !== undefined && assets.length === 2 && all.every(({ state }) => state === "done") }
}

const approvalCheck = (asked: ReturnType<typeof useApprovals>[number] | undefined, hasTrader: boolean, asset: string): Check => {
  if (!hasTrader) return { state: "missing", says: "Can be approved once the gas wallet is the trader." }
  if (asked?.data !== undefined) {
    return asked.data.note === undefined
      ? { state: "missing", says: `${asked.data.venue} may not take ${asset} from the vault yet.` }
      : { state: "done", says: `${asked.data.venue} may take ${asset} from the vault.` }
  }
  return asked?.error === null || asked === undefined ? { state: "asking", says: "Asking the chain." } : { state: "unknown", says: asked.error.message }
}
