/** Vaults of the manager, as the service and the chain show them. */
import type { ManagedVault } from "@vault-trader/core/network/Chain"
import { useByNetwork } from "../connection/useByNetwork.ts"
import { useLive } from "../connection/useLive.ts"
import type { Client } from "../connection/RpcConnection.ts"
import type { RowOf } from "../connection/Wire.ts"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Address } from "@vault-trader/core/chain/Address"

export type Link = RowOf<Client["live"]["links"]>

export const useLinks = () =>
  useByNetwork<ReadonlyArray<Link>, Link>(
    "links",
    (network) => (client: Client) => client.live.links({ network }),
    (network) => (_, next) => next.filter((link) => link.network === network)
  )

/** Follows the links, and finds that of a vault: of the gas wallet which may trade it, if one may. */
export const useVaultLink = (network: string, pool: string) => {
  const links = useLinks()
  const own = (links.data ?? []).filter((each) => each.network === network && each.pool === pool.toLowerCase())
  const link = own.find(({ is_trader }) => is_trader === true) ?? own[0]
  // Other networks are no reason to wait, nor to say that it is not linked.
  const isPending = link === undefined && links.isPendingOn(network)
  return {
    links: { ...links, isPending, dataUpdatedAt: isPending ? 0 : Math.max(links.updatedAt(network), 1) },
    link
  }
}

/** The vaults that the manager manages on a network, as they were last read; null before. */
interface ManagedOf {
  readonly network: Network
  readonly vaults: ReadonlyArray<ManagedVault> | null
  /** False while the network cannot be read. */
  readonly isRead: boolean
  /** The time when they were last current, while the network cannot be read; null if they never were. */
  readonly readAt: number | null
}

export const useManaged = () =>
  useByNetwork<ReadonlyArray<Pick<ManagedOf, "network" | "vaults">>, ManagedOf>(
    "managedVaults",
    (network) => (client: Client) => client.live.managedVaults({ network }),
    (network) => (old, next, at) =>
      next.filter((each) => each.network === network).map(({ vaults }) =>
        vaults !== null
          ? { network, vaults, isRead: true, readAt: null }
          : {
            ...{ network, isRead: false, vaults: old?.[0]?.vaults ?? null },
            readAt: old?.[0]?.isRead === true ? at : old?.[0]?.readAt ?? null
          }
      )
  )

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
