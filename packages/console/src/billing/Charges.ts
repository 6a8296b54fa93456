/** What the manager's wallets were charged, as the page follows it: all of a span of time. The newest are live; what is older is read anew when one of them changes. */
import { hashKey, useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import type { ChargeView } from "@vault-trader/core/billing/BillingApi"
import { useMemo } from "react"
import { call, type Client } from "../connection/RpcConnection.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useLives } from "../connection/useLive.ts"

const pageSize = 100
/** Pages of one wallet at most, so that a page never asks without end; what is left out is said. */
const mostPages = 20

interface Charged {
  readonly charges: ReadonlyArray<ChargeView>
  readonly complete: boolean
}

/** Of a wallet, from when on. */
interface About {
  readonly wallet: Address
  readonly from?: Date
}

const rest = async (about: About, cursor: string | null, left: number, signal: AbortSignal): Promise<Charged> => {
  if (cursor === null || left === 0) return { charges: [], complete: cursor === null }
  const page = await call((client) => client.wallet.getCharges({ ...about, limit: pageSize, cursor }), signal)
  const older = await rest(about, page.cursor, left - 1, signal)
  return { charges: [...page.charges, ...older.charges], complete: older.complete }
}

/** Of the last so many days, or of all time where there is no number; newest first. */
export const useCharges = (days: number | undefined) => {
  const wallets = useWallets().data
  // A stream is of one span of time: it begins where it began when the page was opened.
  const from = useMemo(() => days === undefined ? {} : { from: new Date(Date.now() - days * 86_400_000) }, [days])
  const newest = useLives(wallets?.map(({ address: wallet }) =>
    [["charges", wallet, from], (client: Client) => client.live["wallet.getCharges"]({ wallet, ...from, limit: pageSize })] as const))
  const about = { ...from, wallets: wallets?.map(({ address }) => address) }
  const hasOlder = newest.data?.some(({ cursor }) => cursor !== null) ?? false
  const older = useQuery<ReadonlyArray<Charged>>({
    queryKey: ["older-charges", about, newest.data?.map(({ charges, cursor }) => [cursor, charges.map(({ charge_id, status }) => `${charge_id} ${status}`)])],
    enabled: hasOlder,
    refetchInterval: false,
    staleTime: Infinity,
    // Those read before stay while they are read anew, but only of the same wallets and span.
    placeholderData: (before, query) => hashKey([query?.queryKey[1]]) === hashKey([about]) ? before : undefined,
    queryFn: ({ signal }) =>
      Promise.all((wallets ?? []).map(({ address: wallet }, index) => rest({ wallet, ...from }, newest.data?.[index]?.cursor ?? null, mostPages - 1, signal)))
  })
  const isTold = newest.data !== undefined && (!hasOlder || older.data !== undefined)
  const charges = (wallets ?? []).flatMap((wallet, index) => {
    const own = [...newest.data?.[index]?.charges ?? [], ...hasOlder ? older.data?.[index]?.charges ?? [] : []]
    return own.map((charge) => ({ ...charge, wallet: wallet.address, owner: nameOf(wallet) }))
  })
  const once = new Map(charges.map((charge) => [charge.charge_id, charge]))
  const sorted = [...once.values()].sort((one, other) => other.created_at.localeCompare(one.created_at))
  return {
    ...newest,
    error: newest.error ?? older.error,
    isPending: !isTold,
    data: isTold ? { charges: sorted, complete: !hasOlder || older.data?.every(({ complete }) => complete) === true } : undefined
  }
}

export type Charge = NonNullable<ReturnType<typeof useCharges>["data"]>["charges"][number]
