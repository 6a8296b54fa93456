/** What the manager's wallets were charged, as the page asks for it: all of a span of time, page by page. */
import { keepPreviousData, useQuery } from "@tanstack/react-query"
import type { Address } from "@vault-trader/core/chain/Address"
import type { ChargeView } from "@vault-trader/core/billing/BillingApi"
import { call } from "../Calls.ts"
import { nameOf, useWallets } from "../gas-wallet/GasWallets.ts"

const pageSize = 100
/** Pages of one wallet at most, so that a page never asks without end; what is left out is said. */
const mostPages = 20

interface Charged {
  readonly charges: ReadonlyArray<ChargeView>
  readonly complete: boolean
}

const chargesOf = async (wallet: Address, from: Date | undefined, signal: AbortSignal) => {
  const page = async (cursor: string | undefined, left: number): Promise<Charged> => {
    const answer = await call((client) =>
      client.wallet.getCharges({ wallet, limit: pageSize, ...(from === undefined ? {} : { from }), ...(cursor === undefined ? {} : { cursor }) }), signal)
    if (answer.cursor === null) return { charges: answer.charges, complete: true }
    if (left === 1) return { charges: answer.charges, complete: false }
    const rest = await page(answer.cursor, left - 1)
    return { charges: [...answer.charges, ...rest.charges], complete: rest.complete }
  }
  return page(undefined, mostPages)
}

/** Of the last so many days, or of all time where there is no number; newest first. */
export const useCharges = (days: number | undefined) => {
  const wallets = useWallets().data
  return useQuery({
    queryKey: ["charges", days, wallets?.map(({ address }) => address)],
    enabled: wallets !== undefined,
    refetchInterval: 15_000,
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const from = days === undefined ? undefined : new Date(Date.now() - days * 86_400_000)
      const each = await Promise.all((wallets ?? []).map(async (wallet) => {
        const { charges, complete } = await chargesOf(wallet.address, from, signal)
        return { complete, charges: charges.map((charge) => ({ ...charge, wallet: wallet.address, owner: nameOf(wallet) })) }
      }))
      const charges = each.flatMap((one) => one.charges).sort((one, other) => other.created_at.localeCompare(one.created_at))
      return { charges, complete: each.every(({ complete }) => complete) }
    }
  })
}

export type Charge = NonNullable<ReturnType<typeof useCharges>["data"]>["charges"][number]
