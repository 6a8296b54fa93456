/** Paged rows: the newest are live, older ones are loaded on demand. */
import { type QueryKey, useMutation } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { Watch } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { told } from "./Notices.ts"

export interface Rows<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Where older rows begin; null if there are none. */
  readonly cursor: string | null
}

/** A live list. Ids are ordered by time. */
export interface Followed<Row, Answer> {
  readonly key: QueryKey
  readonly newest: Watch<Answer>
  readonly older: (cursor: string) => Promise<Answer>
  readonly rowsOf: (answer: Answer) => Rows<Row>
  readonly idOf: (row: Row) => string
}

/**
 * Merges live rows with rows seen before. If there may be a gap between them, after a long disconnect, the older ones
 * are dropped.
 */
const mergeRows = <Row>(
  seen: ReadonlyArray<Row>,
  { cursor, rows }: Rows<Row>,
  idOf: (row: Row) => string
): ReadonlyArray<Row> => {
  const ids = new Set(rows.map(idOf))
  const gap = cursor !== null && seen.length > 0 && !seen.some((row) => ids.has(idOf(row)))
  return [...rows, ...(gap ? [] : seen.filter((row) => !ids.has(idOf(row))))].sort((one, other) =>
    idOf(one) < idOf(other) ? 1 : -1
  )
}

interface ListState<Row> {
  /** The list's key. */
  readonly key: string
  readonly seen: ReadonlyArray<Row>
  /** Where the unread rows begin; undefined while only the live part was read. */
  readonly older: string | null | undefined
}

/** Follows a live list. `more` loads the next older rows, if there are any. */
export const useNewest = <Row, Answer>(followed: Followed<Row, Answer>) => {
  const { idOf, older, rowsOf } = followed
  const key = JSON.stringify(followed.key)
  const none: ListState<Row> = { key, seen: [], older: undefined }
  const newest = useLive(followed.key, followed.newest)
  const [state, setState] = useState(none)
  const current = state.key === key ? state : none
  const add = (page: Rows<Row>, before?: string | null) =>
    setState((last) => {
      const { older: known, seen } = last.key === key ? last : none
      return { key, seen: mergeRows(seen, page, idOf), older: before === undefined ? known : before }
    })
  const live = newest.data === undefined ? undefined : rowsOf(newest.data)
  useEffect(() => {
    if (live !== undefined) add(live)
  }, [newest.data, key])
  const cursor = current.older === undefined ? live?.cursor ?? null : current.older
  const reading = useMutation({
    mutationFn: (from: string) => older(from),
    onSuccess: (answer) => {
      const page = rowsOf(answer)
      add({ ...page, cursor: null }, page.cursor)
    },
    onError: told("Older rows cannot be loaded")
  })
  return {
    newest,
    rows: live === undefined ? current.seen : mergeRows(current.seen, live, idOf),
    loading: reading.isPending,
    more: cursor === null ? undefined : () => reading.mutate(cursor)
  }
}
