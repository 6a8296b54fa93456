/** Releases a quarantined lane together with the requests that waited for it. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { explain } from "../failure/Explanation.ts"
import type { LaneQuarantine } from "../gas-wallet/LaneQuarantine.ts"
import { LaneQuarantineStore } from "../gas-wallet/LaneQuarantineStore.ts"
import { encodeFailure } from "../gas-wallet/SubmissionRows.ts"
import { Failed } from "./Intent.ts"

/** A lane's release on behalf of an operator. */
export interface LaneRelease {
  readonly network: Network
  readonly wallet: Address
  readonly by: string
  /** Lets the open requests run. Without it they end, because they may have been executed before. */
  readonly runsRequests: boolean
}

/** A quarantine that was released, and the number of open requests that ended with it. */
export interface ReleasedLane {
  readonly quarantine: LaneQuarantine
  readonly ended: number
}

const encodeFailed = Schema.encodeSync(Schema.fromJsonString(Failed))

/** Ends the lane's open requests of which nothing is signed; returns their number. */
const endRequests = ({ evidence, network, wallet }: LaneQuarantine) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const transactions = evidence.transactions.flatMap(({ hash }) => hash ?? [])
    const failure = explain({ _tag: "EndedByRelease", wallet, network, transactions }, "stated")
    const open = yield* sql<{ readonly id: string }>`select i.id::text as id from intents i
      where i.network = ${network} and i.wallet = ${wallet} and i.status in ('accepted', 'submitted')
        and not exists (select 1 from submissions s where s.intent_id = i.id
          and s.status in ('signed', 'mined', 'final'))
      order by i.id for update`
    const ids = JSON.stringify(open.map(({ id }) => id))
    yield* sql`update submissions set status = 'refused', failure = ${encodeFailure(failure)}::jsonb, updated_at = now()
      where status = 'queued' and intent_id in (select jsonb_array_elements_text(${ids}::jsonb)::uuid)`
    yield* sql`update intents set status = 'failed', updated_at = now(),
        outcome = ${encodeFailed(Failed.make({ txHash: null, failure }))}::jsonb
      where id in (select jsonb_array_elements_text(${ids}::jsonb)::uuid)`
    return open.length
  })

/**
 * Ends a lane's quarantine, declares everything in its evidence explained, and ends the open requests, in one
 * transaction. None when the lane is not quarantined.
 */
export const release = (
  { by, network, runsRequests, wallet }: LaneRelease
): Effect.Effect<Option.Option<ReleasedLane>, SqlError, LaneQuarantineStore | SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const store = yield* LaneQuarantineStore
    return yield* Audit.transaction(
      sql,
      Effect.gen(function*() {
        const released = yield* store.release(network, wallet, by)
        if (Option.isNone(released)) return Option.none()
        const quarantine = released.value
        return Option.some({ quarantine, ended: runsRequests ? 0 : yield* endRequests(quarantine) })
      })
    )
  })
