/** The activity as its page follows it: the newest rows are live, older ones are read when they are asked for. */
import { useMutation } from "@tanstack/react-query"
import { csv } from "@vault-trader/core/billing/Csv"
import { columns, type Entry, rowOf } from "@vault-trader/core/intent/Activity"
import { useEffect, useState } from "react"
import { call } from "../Calls.ts"
import { useLive } from "../Live.ts"
import { told } from "../shell/Told.ts"
import { asked, type Filters } from "./Filters.ts"

/** Rows that are live. */
const pageSize = 30

interface Page {
  readonly entries: ReadonlyArray<Entry>
  readonly cursor: string | null
}

/** Rows that were seen stay on the page when newer ones push them out of the live part; after a long silence there may be a gap, so they go. */
export const joined = (seen: ReadonlyArray<Entry>, { cursor, entries }: Page): ReadonlyArray<Entry> => {
  const ids = new Set(entries.map(({ id }) => id))
  const gap = cursor !== null && seen.length > 0 && !seen.some(({ id }) => ids.has(id))
  return [...entries, ...(gap ? [] : seen.filter(({ id }) => !ids.has(id)))].sort((one, other) => one.id < other.id ? 1 : -1)
}

interface Kept {
  /** Of which filters. */
  readonly key: string
  readonly seen: ReadonlyArray<Entry>
  /** Where the rows that were not read yet begin; undefined while only the live part was. */
  readonly older: string | null | undefined
}

export const useActivity = (filters: Filters) => {
  const about = asked(filters)
  const key = JSON.stringify(about)
  const none: Kept = { key, seen: [], older: undefined }
  const newest = useLive(["activity", about], (client) => client.live.activity({ ...about, limit: pageSize }))
  const [kept, keep] = useState(none)
  const now = kept.key === key ? kept : none
  const add = (page: Page, older?: string | null) =>
    keep((before) => {
      const { older: known, seen } = before.key === key ? before : none
      return { key, seen: joined(seen, page), older: older === undefined ? known : older }
    })
  useEffect(() => { if (newest.data !== undefined) add(newest.data) }, [newest.data, key])
  const cursor = now.older === undefined ? newest.data?.cursor ?? null : now.older
  const reading = useMutation({
    mutationFn: (from: string) => call((client) => client.activity({ ...about, limit: 50, cursor: from })),
    onSuccess: (page) => add({ ...page, cursor: null }, page.cursor),
    onError: told("Older rows cannot be shown")
  })
  const entries = newest.data === undefined ? now.seen : joined(now.seen, newest.data)
  return { newest, entries, loading: reading.isPending, more: cursor === null ? undefined : () => reading.mutate(cursor) }
}

/** Rows that a download has at most. */
const mostRows = 20_000

/** All that the filters let through, as a table for spreadsheets; tells whether it was all. */
export const download = async (filters: Filters): Promise<boolean> => {
  const entries: Array<Entry> = []
  let cursor: string | null = null
  do {
    const page: Page = await call((client) => client.activity({ ...asked(filters), limit: 100, ...(cursor === null ? {} : { cursor }) }))
    entries.push(...page.entries)
    cursor = page.cursor
  } while (cursor !== null && entries.length < mostRows)
  const url = URL.createObjectURL(new Blob([csv(columns, entries.map(rowOf))], { type: "text/csv" }))
  const link = document.createElement("a")
  link.href = url
  link.download = `activity-${new Date().toISOString().slice(0, 10)}.csv`
  link.click()
  URL.revokeObjectURL(url)
  return cursor === null
}
