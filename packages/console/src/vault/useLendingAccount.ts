/** Live queries for a vault's account with lenderA. */
import { useLive } from "../connection/useLive.ts"
import type { Place } from "./Place.ts"

/** Follows the account. Use it only for vaults with a lending position in their composition. */
export const useLendingAccount = (place: Place) => {
  const about = [place.wallet, place.network, place.pool]
  const account = useLive(
    ["lending", ...about],
    (client) => client.live["wallet.lenderAV3/getPoolData"](place),
    ({ data }) => data
  )
  const supplied = useLive(
    ["supplied", ...about],
    (client) => client.live["wallet.lenderAV3/getSupplied"](place),
    ({ data }) => data.assets
  )
  const borrowed = useLive(
    ["borrowed", ...about],
    (client) => client.live["wallet.lenderAV3/getBorrowed"](place),
    ({ data }) => data.assets
  )
  const isLoaded = account.data !== undefined && supplied.data !== undefined && borrowed.data !== undefined
  return {
    error: account.error ?? supplied.error ?? borrowed.error,
    data: isLoaded ? { ...account.data, supplied: supplied.data, borrowed: borrowed.data } : undefined
  }
}

export type LendingAccount = NonNullable<ReturnType<typeof useLendingAccount>["data"]>
