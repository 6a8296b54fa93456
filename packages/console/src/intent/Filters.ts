/** Which of the activity: in the page's address, so that it can be kept and sent. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"

export interface Filters {
  readonly wallet?: string
  readonly network?: string
  readonly status?: string
  readonly action?: string
  readonly text?: string
}

const names = ["wallet", "network", "status", "action", "text"] as const

/** What an address says, as far as it can be used. */
export const filtersOf = (search: Readonly<Record<string, unknown>>): Filters =>
  Object.fromEntries(names.flatMap((name) => {
    const value = search[name]
    return (typeof value === "string" || typeof value === "number") && value !== "" ? [[name, String(value).slice(0, 100)]] : []
  }))

/** As the service takes them. What it does not know it refuses in words. */
export const asked = ({ action, network, status, text, wallet }: Filters) => ({
  ...(wallet === undefined ? {} : { wallet: wallet as Address }),
  ...(network === undefined ? {} : { network: network as Network }),
  ...(status === undefined ? {} : { status: status as "open" }),
  ...(action === undefined ? {} : { action }),
  ...(text === undefined ? {} : { text })
})
