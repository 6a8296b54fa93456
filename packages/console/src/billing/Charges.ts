/**
 * Charges of the manager's wallets within a time span. The newest are live; older ones are read again when one of the
 * newest changes.
 */
import { hashKey, useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import type { ChargeView } from "@vault-trader/core/billing/BillingApi"
import { useMemo } from "react"
import { call, type Client } from "../connection/RpcConnection.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"
import { useLives } from "../connection/useLive.ts"

const pageSize = 100
/** Maximum pages per wallet, so that loading ends. The page says when charges are left out. */
const maxPages = 20

interface OlderCharges {
  readonly charges: ReadonlyArray<ChargeView>
  readonly complete: boolean
}

/** A wallet, and the start of the time span. */
interface ChargeQuery {
  readonly wallet: Address
  readonly from?: string
}

const readOlder = async (
  about: ChargeQuery,
  cursor: string | null,
  left: number,
  signal: AbortSignal
): Promise<OlderCharges> => {
  if (cursor === null || left === 0) return { charges: [], complete: cursor === null }
  const page = await call((client) => client.wallet.getCharges({ ...about, limit: pageSize, cursor }), signal)
  const older = await readOlder(about, page.cursor, left - 1, signal)
  return { charges: [...page.charges, ...older.charges], complete: older.complete }
}

/** Returns the charges of the last `days` days, or all if undefined; newest first. */
export const useCharges = (days: number | undefined) => {
  const wallets = useWallets().data
  // The time span of a stream is fixed when the page is opened.
  const from = useMemo(
    () => days === undefined ? {} : { from: new Date(Date.now() - days * 86_400_000).toISOString() },
    [days]
  )
  const newest = useLives(
    wallets?.map(({ address: wallet }) =>
      [
        ["charges", wallet, from],
        (client: Client) => client.live["wallet.getCharges"]({ wallet, ...from, limit: pageSize })
      ] as const
    )
  )
  const about = { ...from, wallets: wallets?.map(({ address }) => address) }
  const hasOlder = newest.data?.some(({ cursor }) => cursor !== null) ?? false
  const older = useQuery<ReadonlyArray<OlderCharges>>({
    queryKey: [
      "older-charges",
      about,
      newest.data?.map((
        { charges, cursor }
      ) => [cursor, charges.map(({ charge_id, status }) => `${charge_id} ${status}`)])
    ],
    enabled: hasOlder,
    refetchInterval: false,
    staleTime: Infinity,
    // Keeps the previous charges while they are read again, but only for the same wallets and time span.
    placeholderData: (before, query) => hashKey([query?.queryKey[1]]) === hashKey([about]) ? before : undefined,
    queryFn: ({ signal }) =>
      Promise.all(
        (wallets ?? []).map(({ address: wallet }, index) =>
          readOlder({ wallet, ...from }, newest.data?.[index]?.cursor ?? null, maxPages - 1, signal)
        )
      )
  })
  const isComplete = newest.data !== undefined && (!hasOlder || older.data !== undefined)
  const charges = (wallets ?? []).flatMap((wallet, index) => {
    const own = [...newest.data?.[index]?.charges ?? [], ...hasOlder ? older.data?.[index]?.charges ?? [] : []]
    return own.map((charge) => ({ ...charge, wallet: wallet.address, owner: nameOf(wallet) }))
  })
  const unique = new Map(charges.map((charge) => [charge.charge_id, charge]))
  const sorted = [...unique.values()].sort((one, other) => other.created_at.localeCompare(one.created_at))
  return {
    ...newest,
    error: newest.error ?? older.error,
    isPending: !isComplete,
    data: isComplete
      ? { charges: sorted, complete: !hasOlder || older.data?.every(({ complete }) => complete) === true }
      : undefined
  }
}

export type Charge = NonNullable<ReturnType<typeof useCharges>["data"]>["charges"][number]
