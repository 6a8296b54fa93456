/** The vault that a list is limited to, in the page's address: what is set there is set for it. */
import { useSearch } from "@tanstack/react-router"

export interface VaultSearch {
  readonly network?: string | undefined
  readonly pool?: string | undefined
}

const textOf = (value: unknown): string | undefined => typeof value === "string" && value !== "" ? value : undefined

export const vaultSearchOf = ({ network, pool }: Readonly<Record<string, unknown>>): VaultSearch => ({
  network: textOf(network),
  pool: textOf(pool)?.toLowerCase()
})

export const useVaultSearch = (): VaultSearch => useSearch({ strict: false, select: vaultSearchOf as never })

/** Checks whether something is at the vault that the list is limited to. */
export const isAt =
  ({ network, pool }: VaultSearch) => (each: { readonly network: string; readonly pool: string }): boolean =>
    network === undefined || pool === undefined || (each.network === network && each.pool === pool)
