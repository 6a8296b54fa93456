/** Ends queued submissions that are not signed: refused ones, and rows that no planner of this service has written. */
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { forged } from "@vault-trader/core/gas-wallet/SetAside"
import { LaneConflict } from "@vault-trader/core/gas-wallet/SigningBatch"
import type { Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { SqlError } from "effect/sql/SqlError"
import { retryForever } from "../actor/Retry.ts"
import type { Ready } from "./GasEstimate.ts"
import type { Checked, Lane } from "./SendingLane.ts"

/** The lane has transactions that its rows do not explain: the submission may not be refused before they are. */
export class NotExplained extends Data.TaggedError("NotExplained")<{ readonly key: string }> {}

/** Alerts that the policy refuses a submission. */
export const alertRefusal = (
  { alerts, network, wallet }: Lane,
  [key, { message }]: readonly [string, ExecutionFailure]
) => alerts.raise({ kind: "refused_by_policy", network, wallet, message, details: { submission: key } })

/**
 * Records a refusal. Another owner may have signed the submission meanwhile, so its row decides whether it is refused;
 * if it is not, fails with `LaneConflict` and the batch starts over.
 */
export const refuse = (lane: Checked, submission: Submission, failure: ExecutionFailure, by?: "policy") =>
  end(lane, submission, failure, lane.store.refuse(submission.key, failure, by))

/** Ends a submission by `write`, unless its lane has transactions that are not explained. */
const end = (
  { isExplained, record, refused, store, wallet }: Checked,
  { key }: Submission,
  failure: ExecutionFailure,
  write: Effect.Effect<void, SqlError>
) =>
  Effect.gen(function*() {
    // "Nothing was sent" is said only where nothing of the lane is unexplained: rows may have been forgotten.
    if ((yield* record.findKeys([key])).length > 0 || !(yield* isExplained)) return yield* new NotExplained({ key })
    yield* retryForever(write)
    const row = yield* retryForever(store.find(key))
    if (Option.isSome(row) && row.value.status !== "refused") return yield* new LaneConflict({ wallet })
    yield* refused(key, Option.isSome(row) ? row.value.failure ?? failure : failure)
  })

/** Sets aside a submission that no planner of this service has written, and raises an alert. */
export const setAside = (lane: Checked, submission: Submission) =>
  Effect.gen(function*() {
    const { alerts, network, store, wallet } = lane
    const { key } = submission
    yield* alerts.raise({
      kind: "forged_row",
      network,
      wallet,
      message: `The stored submission ${key} was not written by this service, or was changed since; it was set aside ` +
        "and none of it is sent. Another person can write to the database.",
      details: { submission: key }
    })
    const failure = explain({ _tag: "SubmissionSetAside", key, detail: forged })
    yield* end(lane, submission, failure, store.setAsideForged(key))
  })

export const refuseAll = (lane: Checked, ready: ReadonlyArray<Ready>, failure: ExecutionFailure) =>
  Effect.forEach(ready, ({ submission }) => refuse(lane, submission, failure), { discard: true })
