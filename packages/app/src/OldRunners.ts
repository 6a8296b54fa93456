/**
 * Detects runners of the version on Effect 3. Their shard locks have other keys than ours: side by side, one of theirs
 * and one of ours own the same actor, and both sign. So a process does not start while one of them runs.
 */
import * as SqlClient from "effect/sql/SqlClient"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class OldRunnersAlive
  extends Data.TaggedError("OldRunnersAlive")<{ readonly addresses: ReadonlyArray<string> }>
{
  override get message() {
    return `Runners of an earlier release use this database (${
      this.addresses.join(", ")
    }): stop all of them, then start this one.`
  }
}

/** They record a heartbeat every two seconds. One that was killed counts as running for this long. */
const heartbeatTimeoutSeconds = 8

const alive = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ readonly found: string | null }>`select to_regclass('cluster_runners')::text as found`
  if (table === undefined || table.found === null) return []
  const rows = yield* sql<{ readonly address: string }>`select address from cluster_runners
    where last_heartbeat > now() - ${heartbeatTimeoutSeconds}::int * interval '1 second' order by address`
  return rows.map(({ address }) => address)
})

/** Fails while one of them runs; waits for the heartbeat of one that stopped a moment ago to expire. */
export const check = Effect.gen(function*() {
  if ((yield* alive).length === 0) return
  yield* Effect.logInfo(
    `waiting ${heartbeatTimeoutSeconds} seconds to see whether runners of an earlier release still run`
  )
  yield* Effect.sleep(heartbeatTimeoutSeconds * 1000)
  const addresses = yield* alive
  if (addresses.length > 0) return yield* new OldRunnersAlive({ addresses })
})

export const refused = Layer.effectDiscard(check)
