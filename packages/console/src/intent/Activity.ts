/** The activity: the newest rows are live, older ones are loaded on demand. */
import type { ActivityEntry } from "@vault-trader/core/intent/Activity"
import { call } from "../connection/RpcConnection.ts"
import { useLivePages } from "../shell/useLivePages.ts"
import { toParams, type Filters } from "./Filters.ts"

/** Number of live rows. */
const pageSize = 30

interface Page {
  readonly entries: ReadonlyArray<ActivityEntry>
  readonly cursor: string | null
}

export const useActivity = (filters: Filters) => {
  const about = toParams(filters)
  return useLivePages<ActivityEntry, Page>({
    key: ["activity", about],
    newest: (client) => client.live.activity({ ...about, limit: pageSize }),
    older: (cursor) => call((client) => client.activity({ ...about, limit: 50, cursor })),
    rowsOf: ({ cursor, entries }) => ({ rows: entries, cursor }),
    idOf: ({ id }) => id
  })
}

/** Maximum rows of a download. */
const maxRows = 20_000

/** Downloads the filtered activity as CSV. Returns false if rows beyond the maximum are missing. */
export const download = async (filters: Filters): Promise<boolean> => {
  const entries: Array<ActivityEntry> = []
  let cursor: string | null = null
  do {
    const page: Page = await call((client) =>
      client.activity({ ...toParams(filters), limit: 100, ...(cursor === null ? {} : { cursor }) })
    )
    entries.push(...page.entries)
    cursor = page.cursor
  } while (cursor !== null && entries.length < maxRows)
  // Loaded on demand, to keep it out of the page's bundle.
  const [{ csv }, { columns, rowOf }] = await Promise.all([
    import("@vault-trader/core/billing/Csv"),
    import("@vault-trader/core/intent/Activity")
  ])
  const url = URL.createObjectURL(new Blob([csv(columns, entries.map(rowOf))], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = url
  link.download = `activity-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  URL.revokeObjectURL(url)
  return cursor === null
}
