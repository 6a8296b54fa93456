/** A vault's account with lenderA as the page asks for it. */
import { useQuery } from "@tanstack/react-query"
import { call } from "../Calls.ts"
import type { Place } from "./Place.ts"

/** Asked only where the vault has such an account: its composition says so by a position. */
export const useLendingAccount = (place: Place) =>
  useQuery({
    queryKey: ["lending", place.wallet, place.network, place.pool],
    refetchInterval: 15_000,
    queryFn: async ({ signal }) => {
      const [account, supplied, borrowed] = await Promise.all([
        call((client) => client.wallet["lenderAV3/getPoolData"](place), signal),
        call((client) => client.wallet["lenderAV3/getSupplied"](place), signal),
        call((client) => client.wallet["lenderAV3/getBorrowed"](place), signal)
      ])
      return { ...account.data, supplied: supplied.data.assets, borrowed: borrowed.data.assets }
    }
  })

export type LendingAccount = NonNullable<ReturnType<typeof useLendingAccount>["data"]>
