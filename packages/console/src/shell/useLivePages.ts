/** Rows as a page follows them: the newest are live, older ones are read when they are asked for. */
import { type QueryKey, useMutation } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { Watch } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { told } from "./Notices.ts"

export interface Rows<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Where older ones begin; null where there are none. */
  readonly cursor: string | null
}

/** What is followed. Ids are in the order of time. */
export interface Followed<Row, Answer> {
  readonly key: QueryKey
  readonly newest: Watch<Answer>
  readonly older: (cursor: string) => Promise<Answer>
  readonly rowsOf: (answer: Answer) => Rows<Row>
  readonly idOf: (row: Row) => string
}

/** Rows that were seen stay on the page when newer ones push them out of the live part; after a long silence there may be a gap, so they go. */
const joined = <Row>(seen: ReadonlyArray<Row>, { cursor, rows }: Rows<Row>, idOf: (row: Row) => string): ReadonlyArray<Row> => {
  const ids = new Set(rows.map(idOf))
  const gap = cursor !== null && seen.length > 0 && !seen.some((row) => ids.has(idOf(row)))
  return [...rows, ...(gap ? [] : seen.filter((row) => !ids.has(idOf(row))))].sort((one, other) => idOf(one) < idOf(other) ? 1 : -1)
}

interface Kept<Row> {
  /** Of which key. */
  readonly key: string
  readonly seen: ReadonlyArray<Row>
  /** Where the rows that were not read yet begin; undefined while only the live part was. */
  readonly older: string | null | undefined
}

/** `more` reads the next older rows, where there are any. */
export const useNewest = <Row, Answer>(followed: Followed<Row, Answer>) => {
  const { idOf, older, rowsOf } = followed
  const key = JSON.stringify(followed.key)
  const none: Kept<Row> = { key, seen: [], older: undefined }
  const newest = useLive(followed.key, followed.newest)
  const [kept, keep] = useState(none)
  const now = kept.key === key ? kept : none
  const add = (page: Rows<Row>, before?: string | null) =>
    keep((last) => {
      const { older: known, seen } = last.key === key ? last : none
      return { key, seen: joined(seen, page, idOf), older: before === undefined ? known : before }
    })
  const live = newest.data === undefined ? undefined : rowsOf(newest.data)
  useEffect(() => { if (live !== undefined) add(live) }, [newest.data, key])
  const cursor = now.older === undefined ? live?.cursor ?? null : now.older
  const reading = useMutation({
    mutationFn: (from: string) => older(from),
    onSuccess: (answer) => {
      const page = rowsOf(answer)
      add({ ...page, cursor: null }, page.cursor)
    },
    onError: told("Older rows cannot be shown")
  })
  return {
    newest,
    rows: live === undefined ? now.seen : joined(now.seen, live, idOf),
    loading: reading.isPending,
    more: cursor === null ? undefined : () => reading.mutate(cursor)
  }
}
