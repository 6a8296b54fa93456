/** Reads from the rows of a run how far it is. */
import { textOf } from "./Trace.ts"
import type { Sessions } from "./VirtualPostgres.ts"

/** Returns the ids of the intents that failed without a transaction. */
export const failedWithoutTransaction = (sessions: Sessions): ReadonlyArray<string> =>
  sessions.peek("select id from intents where status = 'failed' and outcome ->> 'txHash' is null").map(({ id }) =>
    String(id)
  )

/** Counts intents and submissions that have not ended. */
export const countOpen = (sessions: Sessions): number => {
  const [row] = sessions.peek(`select (select count(*) from intents where status in ('accepted', 'submitted'))
    + (select count(*) from submissions where status in ('queued', 'signed', 'mined')) as open`)
  return Number(row?.["open"] ?? 0)
}

/** Counts charges and settlements that are still to be paid. */
export const countUnpaid = (sessions: Sessions): number => {
  const [row] = sessions.peek(
    `select (select count(*) from (select 1 from charges where settlement_id is null and native_wei is not null
        group by wallet, network having sum(native_wei) > 0) lanes)
    + (select count(*) from settlements where status = 'open') as owed`
  )
  return Number(row?.["owed"] ?? 0)
}

/** Describes the quarantines of all lanes, for the trace. */
export const quarantines = (sessions: Sessions): ReadonlyArray<string> =>
  sessions.peek(`select wallet, kind, reason, created_at, released_at, released_by from lane_quarantines order by id`)
    .map((row) => textOf(row))
