/**
 * The requirements for setting a bot: gas and the role of the trader. Both are read from the service and the chain;
 * nothing is stored. Approvals are none: each trade approves exactly what it sells.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { parse as parseAddress } from "@vault-trader/core/chain/AddressText"
import { legsOf } from "@vault-trader/core/chain/PairText"
import { lowUsd, useBalances } from "../gas-wallet/GasWallets.ts"
import type { CheckState } from "../shell/CheckMark.tsx"
import type { VaultRef } from "../vault/VaultRef.ts"
import { useAuthority } from "../vault/useVaults.ts"
import { t } from "../text/Text.ts"

export interface Check {
  readonly state: CheckState
  readonly text: string
}

export interface Readiness {
  readonly vault: VaultRef | undefined
  readonly gas: Check
  readonly trader: Check
  readonly ready: boolean
}

/** Parses the vault from form texts; undefined until they are complete. */
export const parseVaultRef = (
  { network, pool, wallet }: { readonly wallet: string; readonly network: string; readonly pool: string }
): VaultRef | undefined => {
  const [own, vault] = [parseAddress(wallet), parseAddress(pool)]
  return own === undefined || vault === undefined || network === ""
    ? undefined
    : { wallet: own, network: network as Network, pool: vault }
}

/** Checks a wallet's gas on a network. Low gas only adds a warning. */
const useGasCheck = (wallet: Address | undefined, network: Network | undefined): Check => {
  const balances = useBalances()
  const balance = balances.data?.find((each) => each.address === wallet && each.network === network)
  if (balance === undefined) {
    return {
      state: balances.error === null ? "checking" : "unknown",
      text: balances.error?.message ?? t("Reading the wallet’s gas.")
    }
  }
  if (balance.balance === null) return { state: "unknown", text: balance.error ?? t("The network cannot be read.") }
  if (Number(balance.balance) === 0) {
    return {
      state: "missing",
      text: t("It has no {token} on {network}: its transactions cannot be mined.", {
        token: balance.token,
        network: balance.network
      })
    }
  }
  const held = { amount: `${Number(balance.balance).toPrecision(4)} ${balance.token}`, network: balance.network }
  const low = typeof balance.balance_usd === "number" && balance.balance_usd < lowUsd
  return {
    state: "done",
    text: low
      ? t("{amount} on {network}, less than ${lowUsd}: refill soon.", { ...held, lowUsd })
      : t("{amount} on {network}.", held)
  }
}

const traderCheck = ({ data, error }: ReturnType<typeof useAuthority>): Check => {
  if (data === undefined) {
    return error === null
      ? { state: "checking", text: t("Reading the chain.") }
      : { state: "unknown", text: error.message }
  }
  if (data.isTrader || data.manager === data.trader) {
    return { state: "done", text: t("The gas wallet is the vault’s trader.") }
  }
  return {
    state: "missing",
    text: data.poolTrader === null
      ? t("The vault has no trader.")
      : t("The vault’s trader is {poolTrader}.", { poolTrader: data.poolTrader })
  }
}

/** Returns the readiness of a form's or page's vault and pair. */
export const useReadiness = (
  terms: { readonly wallet: string; readonly network: string; readonly pool: string; readonly pair: string }
): Readiness => {
  const vault = parseVaultRef(terms)
  const gas = useGasCheck(vault?.wallet, vault?.network)
  const trader = traderCheck(useAuthority(vault))
  const hasPair = legsOf(terms.pair).filter((leg) => leg !== "").length === 2
  return {
    vault,
    gas,
    trader,
    ready: vault !== undefined && hasPair && gas.state === "done" && trader.state === "done"
  }
}
