/** The wallet's requests as they change. They are polled: the service has no stream of events for programs. */
import { ConnectionError } from "./ConnectionError.ts"
import type { Endpoints, GetIntentsRequest, GetIntentsResult } from "./generated/Endpoints.ts"
import { wait } from "./Transport.ts"

/** A request as it is after a change. */
export type IntentEvent = GetIntentsResult["intents"][number]

/** Settings of a stream of events. */
export interface EventOptions {
  /** Only requests of this network. */
  readonly network?: GetIntentsRequest["network"]
  /** Only requests of this vault. */
  readonly pool?: string | undefined
  /** Also what changed since then; by default only what changes after the first read. */
  readonly since?: Date | undefined
  /** Milliseconds between two reads; two seconds by default. */
  readonly pollMillis?: number | undefined
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
}

type Api = Pick<Endpoints, "getIntent" | "getIntents">
type Rows = ReadonlyMap<string, IntentEvent>

const stateOf = ({ message, status, tx_hash }: IntentEvent): string => JSON.stringify([status, tx_hash, message])

/** Reads pages, the newest first, down to a request that is known; at first, down to `since`. */
const newest = async (
  api: Api,
  { network, pool, signal, since }: EventOptions,
  known: Rows | undefined
): Promise<Rows> => {
  const rows = new Map<string, IntentEvent>()
  const isDeepEnough = (oldest: IntentEvent): boolean =>
    known === undefined ? Date.parse(oldest.created_at) < (since?.getTime() ?? Infinity) : known.has(oldest.intent_id)
  let cursor: string | undefined
  for (;;) {
    const page = await api.getIntents({ network, pool, limit: 100, cursor }, { signal })
    for (const row of page.intents) rows.set(row.intent_id, row)
    if (page.cursor === null || page.intents.some(isDeepEnough)) return rows
    cursor = page.cursor
  }
}

/** Reads the requests that were open and are on no page that was read. */
const stillOpen = async (api: Api, { signal }: EventOptions, known: Rows, rows: Rows): Promise<Rows> => {
  const open = new Map<string, IntentEvent>()
  for (const [id, { status }] of known) {
    if (status !== "pending" || rows.has(id)) continue
    const { failure: _, result: __, ...row } = (await api.getIntent({ intent_id: id }, { signal })).intent
    open.set(id, row)
  }
  return open
}

/** Yields each request when it appears and whenever its status, transaction or message changes, the oldest first. */
export async function* events(api: Api, options: EventOptions): AsyncGenerator<IntentEvent, void, void> {
  const { pollMillis = 2_000, signal, since } = options
  let known: Rows | undefined
  const isChange = (row: IntentEvent): boolean => {
    if (known === undefined) return since !== undefined && Date.parse(row.updated_at) >= since.getTime()
    const before = known.get(row.intent_id)
    return before === undefined || stateOf(before) !== stateOf(row)
  }
  while (signal?.aborted !== true) {
    try {
      const rows = await newest(api, options, known)
      const open = await stillOpen(api, options, known ?? new Map(), rows)
      const changes = [...open.values(), ...[...rows.values()].reverse()].filter(isChange)
      known = new Map([...open, ...[...rows].reverse()])
      yield* changes
      await wait(pollMillis, signal)
    } catch (error) {
      // A service that is away for a while is asked again; an aborted read ends the loop.
      if (!(error instanceof ConnectionError) || error.reason === "unreadable") throw error
      await wait(pollMillis, signal)
    }
  }
}
