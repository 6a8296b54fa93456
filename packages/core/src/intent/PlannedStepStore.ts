/**
 * Commits a vault's decision: the intent's plan, the call for the wallet's lane, and its amount for the wallet's
 * limits.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { ExecutionFailure } from "../failure/Failure.ts"
import { KeyLimitStore } from "../gas-wallet/KeyLimitStore.ts"
import type { VaultId } from "../gas-wallet/KeyLimits.ts"
import { Estimate } from "../gas-wallet/Submission.ts"
import { SubmissionMac } from "../gas-wallet/SubmissionMac.ts"
import { type NewSubmission, SubmissionStore } from "../gas-wallet/SubmissionStore.ts"
import * as AnswerLimit from "../storage/AnswerLimit.ts"
import * as Batcher from "../storage/Batcher.ts"
import { type IntentAlreadyEnded, IntentStore } from "./IntentStore.ts"

/** The decision for one step of an intent. */
export interface PlannedStep {
  readonly step: number
  /** The planner's decision, stored so that a restart uses the same one. */
  readonly plan: unknown
  readonly submission: NewSubmission
  /** The vaults that the step affects. */
  readonly vaults: ReadonlyArray<VaultId>
  /** Value of the assets sold, USD with 18 decimals; null when the oracle has no price. */
  readonly usd18: bigint | null
}

const encodeEstimate = Schema.encodeSync(Estimate)

export class PlannedStepStore extends Context.Service<PlannedStepStore, {
  /**
   * Commits a step atomically and returns the plan as a later read will return it. Fails when the intent has ended,
   * when another owner has committed the step, and when the wallet's limits forbid it.
   */
  readonly commit: (step: PlannedStep) => Effect.Effect<unknown, SqlError | IntentAlreadyEnded | ExecutionFailure>
}>()("vault-trader/core/intent/PlannedStepStore") {
  static readonly layer = Layer.effect(
    PlannedStepStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const macs = yield* SubmissionMac
      const intents = yield* IntentStore
      const submissions = yield* SubmissionStore
      const limits = yield* KeyLimitStore

      /** Commits one step in its own transaction; fails with the reason when that is impossible. */
      const alone = ({ plan, step, submission, usd18, vaults }: PlannedStep) =>
        Effect.asVoid(sql.withTransaction(Effect.all([
          intents.recordPlan(submission.intentId, { step, plan }),
          submissions.put(submission),
          limits.reserve({ intentId: submission.intentId, wallet: submission.wallet, vaults, usd18 })
        ], { discard: true })))

      /** Commits the steps of wallets without limits in one statement; returns the ids of the intents it committed. */
      const together = (steps: ReadonlyArray<PlannedStep>) =>
        Effect.map(
          sql<{ readonly id: string }>`with decided as (
              select * from jsonb_to_recordset(${
            JSON.stringify(steps.map((step) => recordOf(step, macs.of(step.submission))))
          }::jsonb) as v(id uuid, step integer, plan jsonb, key text,
                network text, wallet text, "to" text, data text, value numeric, reserve numeric, estimate jsonb,
                usd18 numeric, until float8, mac text)),
            open as (update intents i set step = d.step, plan = d.plan, waiting = null, updated_at = now() from decided d
              where i.id = d.id and i.status in ('accepted', 'submitted') and i.withdrawn is null
                and not exists (select 1 from key_limits l where l.wallet = i.wallet)
              returning i.id),
            called as (insert into submissions (key, intent_id, network, wallet, to_address, data, value, reserve,
            estimate, valid_until, mac)
              select d.key, d.id, d.network, d.wallet, d."to", d.data, d.value, d.reserve, d.estimate,
              to_timestamp(d.until / 1000), d.mac from decided d
              join open o on o.id = d.id),
            counted as (insert into key_spending (intent_id, wallet, day, usd18)
              select d.id, d.wallet, (now() at time zone 'utc')::date, d.usd18 from decided d join open o on o.id = d.id
              on conflict (intent_id) do update set day = excluded.day, usd18 = excluded.usd18)
            select id::text as id from open`,
          (rows) => new Set(rows.map(({ id }) => id))
        )

      const enqueue = yield* Batcher.make({
        maximum: 200,
        // A late step is then committed alone, which fails if the statement has committed it.
        limit: { ...AnswerLimit.ofChange, late: () => Exit.succeed(false) },
        run: (steps: ReadonlyArray<PlannedStep>) =>
          // A duplicate fails the whole statement; each step is then committed alone.
          Effect.map(Effect.orElseSucceed(together(steps), () => new Set<string>()), (committed) =>
            steps.map(({ submission }) => committed.has(submission.intentId)))
      })

      return {
        commit: (step) =>
          Effect.flatMap(enqueue(step), (committed) => committed ? Effect.void : alone(step)).pipe(
            Effect.map((): unknown => JSON.parse(JSON.stringify(step.plan)))
          )
      }
    })
  )
}

const recordOf = ({ plan, step, submission, usd18 }: PlannedStep, mac: string | null) => ({
  id: submission.intentId,
  step,
  plan,
  key: submission.key,
  network: submission.network,
  wallet: submission.wallet,
  to: submission.to,
  data: submission.data,
  value: submission.value.toString(),
  reserve: submission.reserve.toString(),
  estimate: submission.estimate === null || submission.estimate === undefined
    ? null
    : encodeEstimate(submission.estimate),
  usd18: (usd18 ?? 0n).toString(),
  until: submission.validUntil ?? null,
  mac
})
