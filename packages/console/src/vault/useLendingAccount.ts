/** Live queries for a vault's account with lenderA. */
import { useLive } from "../connection/useLive.ts"
import type { VaultRef } from "./VaultRef.ts"

/** Follows the account. Use it only for vaults with a lending position in their composition. */
export const useLendingAccount = (vault: VaultRef) => {
  const about = [vault.wallet, vault.network, vault.pool]
  const account = useLive(
    ["lending", ...about],
    (client) => client.live["wallet.lenderAV3/getPoolData"](vault),
    ({ data }) => data
  )
  const supplied = useLive(
    ["supplied", ...about],
    (client) => client.live["wallet.lenderAV3/getSupplied"](vault),
    ({ data }) => data.assets
  )
  const borrowed = useLive(
    ["borrowed", ...about],
    (client) => client.live["wallet.lenderAV3/getBorrowed"](vault),
    ({ data }) => data.assets
  )
  const isLoaded = account.data !== undefined && supplied.data !== undefined && borrowed.data !== undefined
  return {
    error: account.error ?? supplied.error ?? borrowed.error,
    data: isLoaded ? { ...account.data, supplied: supplied.data, borrowed: borrowed.data } : undefined
  }
}

export type LendingAccount = NonNullable<ReturnType<typeof useLendingAccount>["data"]>
