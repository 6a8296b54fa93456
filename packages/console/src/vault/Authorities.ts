/** Live queries for everything that can act for the manager's gas wallets, and for the vaults where it acts. */
import { useLives } from "../connection/useLive.ts"
import type { QueryKey } from "@tanstack/react-query"
import type { Client, Watch } from "../connection/RpcConnection.ts"
import { type VaultRef, vaultRefOf } from "./VaultRef.ts"
import { useVaultLink } from "./useVaults.ts"
import { useWallets } from "../gas-wallet/GasWallets.ts"

export const useAuthorities = () => {
  const wallets = useWallets()
  const all = useLives(
    wallets.data?.map(({ address }) =>
      [
        ["wallet-authority", address],
        (client: Client) => client.live["wallet.getWalletAuthority"]({ wallet: address })
      ] as const
    )
  )
  return wallets.data === undefined
    ? { data: undefined, error: wallets.error, isPending: wallets.isPending, dataUpdatedAt: 0 }
    : all
}

type Authority = NonNullable<ReturnType<typeof useAuthorities>["data"]>[number]

const keyOf = ({ network, pool }: VaultRef) => `${network}/${pool}`

const placesIn = (kind: "guardians" | "followers" | "strategies") => (authority: Authority): ReadonlyArray<VaultRef> =>
  kind === "strategies"
    ? authority.bots.flatMap((bot) =>
      bot.kind === "strategy" && bot.network !== null && bot.pool !== null
        ? [vaultRefOf({ gasWallet: bot.gas_wallet, network: bot.network, pool: bot.pool })]
        : []
    )
    : authority[kind].map(({ gas_wallet: gasWallet, network, pool }) => vaultRefOf({ gasWallet, network, pool }))

/** Follows what each vault returns at which the manager's wallets have set something of a kind. */
export const useAtVaults = <A>(
  kind: "guardians" | "followers" | "strategies",
  query: (vault: VaultRef) => readonly [key: QueryKey, watch: Watch<A>]
) => {
  const authorities = useAuthorities()
  const places = authorities.data === undefined
    ? undefined
    : [...new Map(authorities.data.flatMap(placesIn(kind)).map((vault) => [keyOf(vault), vault])).values()]
  const lists = useLives<A>(places?.map(query))
  return places === undefined ? { ...authorities, data: undefined } : lists
}

/** Returns the vault of a page's address with the wallet to ask by: the one that trades it, if there is one. */
export const useVaultRef = (network: string, pool: string): VaultRef | undefined => {
  const { link } = useVaultLink(network, pool)
  return link === undefined ? undefined : vaultRefOf({ ...link, gasWallet: link.wallet })
}
