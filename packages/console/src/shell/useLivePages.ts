/** Paged rows: the newest are live, older ones are loaded on demand. */
import { type QueryKey, useMutation } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import type { Watch } from "../connection/RpcConnection.ts"
import { useLive } from "../connection/useLive.ts"
import { showError } from "./Notices.ts"
import { t } from "../text/Text.ts"

interface LivePage<Row> {
  readonly rows: ReadonlyArray<Row>
  /** Where older rows begin; null if there are none. */
  readonly cursor: string | null
}

/** A live list. Ids are ordered by time. */
interface LiveList<Row, Answer> {
  readonly key: QueryKey
  readonly newest: Watch<Answer>
  readonly older: (cursor: string) => Promise<Answer>
  readonly rowsOf: (answer: Answer) => LivePage<Row>
  readonly idOf: (row: Row) => string
}

/**
 * Merges live rows with rows seen before. If there may be a gap between them, after a long disconnect, the older ones
 * are dropped.
 */
const mergeRows = <Row>(
  knownRows: ReadonlyArray<Row>,
  { cursor, rows }: LivePage<Row>,
  idOf: (row: Row) => string
): ReadonlyArray<Row> => {
  const ids = new Set(rows.map(idOf))
  const gap = cursor !== null && knownRows.length > 0 && !knownRows.some((row) => ids.has(idOf(row)))
  return [...rows, ...(gap ? [] : knownRows.filter((row) => !ids.has(idOf(row))))].sort((one, other) =>
    idOf(one) < idOf(other) ? 1 : -1
  )
}

interface ListState<Row> {
  /** The list's key. */
  readonly key: string
  readonly knownRows: ReadonlyArray<Row>
  /** Where the unread rows begin; undefined while only the live part was read. */
  readonly older: string | null | undefined
}

/** Follows a live list. `more` loads the next older rows, if there are any. */
export const useLivePages = <Row, Answer>(list: LiveList<Row, Answer>) => {
  const { idOf, older, rowsOf } = list
  const key = JSON.stringify(list.key)
  const none: ListState<Row> = { key, knownRows: [], older: undefined }
  const newest = useLive(list.key, list.newest)
  const [state, setState] = useState(none)
  const current = state.key === key ? state : none
  const add = (page: LivePage<Row>, before?: string | null) =>
    setState((last) => {
      const { older: known, knownRows } = last.key === key ? last : none
      return { key, knownRows: mergeRows(knownRows, page, idOf), older: before === undefined ? known : before }
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
    onError: showError(t("Older rows cannot be loaded"))
  })
  return {
    newest,
    rows: live === undefined ? current.knownRows : mergeRows(current.knownRows, live, idOf),
    loading: reading.isPending,
    more: cursor === null ? undefined : () => reading.mutate(cursor)
  }
}
