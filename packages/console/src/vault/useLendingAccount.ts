/** A vault's account with lenderA as the page follows it. */
import { useLive } from "../connection/useLive.ts"
import type { Place } from "./Place.ts"

/** Followed only where the vault has such an account: its composition says so by a position. */
export const useLendingAccount = (place: Place) => {
  const about = [place.wallet, place.network, place.pool]
  const account = useLive(["lending", ...about], (client) => client.live["wallet.lenderAV3/getPoolData"](place), ({ data }) => data)
  const supplied = useLive(["supplied", ...about], (client) => client.live["wallet.lenderAV3/getSupplied"](place), ({ data }) => data.assets)
  const borrowed = useLive(["borrowed", ...about], (client) => client.live["wallet.lenderAV3/getBorrowed"](place), ({ data }) => data.assets)
  const isTold = account.data !== undefined && supplied.data !== undefined && borrowed.data !== undefined
  return {
    error: account.error ?? supplied.error ?? borrowed.error,
    data: isTold ? { ...account.data, supplied: supplied.data, borrowed: borrowed.data } : undefined
  }
}

export type LendingAccount = NonNullable<ReturnType<typeof useLendingAccount>["data"]>
