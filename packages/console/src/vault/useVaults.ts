/** Vaults of the manager, as the service and the chain show them. */
import { useLive } from "../connection/useLive.ts"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Address } from "@vault-trader/core/chain/Address"

export const useLinks = () => useLive(["links"], (client) => client.live.links())

export type Link = NonNullable<ReturnType<typeof useLinks>["data"]>[number]

/** Follows the links, and finds that of a vault: of the gas wallet which may trade it, if one may. */
export const useVaultLink = (network: string, pool: string) => {
  const links = useLinks()
  const own = (links.data ?? []).filter((each) => each.network === network && each.pool === pool.toLowerCase())
  return { links, link: own.find(({ is_trader }) => is_trader === true) ?? own[0] }
}

export const useManaged = () => useLive(["managedVaults"], (client) => client.live.managedVaults())

export const useComposition = (
  vault: { readonly wallet: Address; readonly network: Network; readonly pool: Address } | undefined
) =>
  useLive(
    ["composition", vault?.wallet, vault?.network, vault?.pool],
    vault && ((client) =>
      client.live["wallet.poolComposition"]({ wallet: vault.wallet, network: vault.network, pool: vault.pool }))
  )

export const useAuthority = (
  vault: { readonly wallet: Address; readonly network: Network; readonly pool: Address } | undefined
) =>
  useLive(
    ["authority", vault?.wallet, vault?.network, vault?.pool],
    vault && ((client) =>
      client.live["wallet.isPoolTrader"]({
        wallet: vault.wallet,
        network: vault.network,
        pool: vault.pool,
        trader: vault.wallet
      })),
    ({ data }) => data
  )
