/** Filters of the activity. They are in the page's URL, so that it can be bookmarked and shared. */
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

/** Parses the filters in a URL; ignores unusable values. */
export const filtersOf = (search: Readonly<Record<string, unknown>>): Filters =>
  Object.fromEntries(names.flatMap((name) => {
    const value = search[name]
    return (typeof value === "string" || typeof value === "number") && value !== ""
      ? [[name, String(value).slice(0, 100)]]
      : []
  }))

/** Converts the filters to the service's parameters. The service refuses unknown values with a message. */
export const toParams = ({ action, network, status, text, wallet }: Filters) => ({
  ...(wallet === undefined ? {} : { wallet: wallet as Address }),
  ...(network === undefined ? {} : { network: network as Network }),
  ...(status === undefined ? {} : { status: status as "open" }),
  ...(action === undefined ? {} : { action }),
  ...(text === undefined ? {} : { text })
})
