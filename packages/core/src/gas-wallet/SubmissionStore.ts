/**
 * Stores submissions and their signed attempts. This is the only place for nonces: the next one is derived from the
 * rows.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Address, Hash, Hex } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import type { SetAside } from "./SetAside.ts"
import { Estimate } from "./Submission.ts"
import { SubmissionMac, type SubmissionMacs } from "./SubmissionMac.ts"
import * as SubmissionOutcomes from "./SubmissionOutcomes.ts"
import * as SubmissionReads from "./SubmissionReads.ts"
import * as SubmissionRows from "./SubmissionRows.ts"
import * as SubmissionSigning from "./SubmissionSigning.ts"

/** A call about to be queued. */
export interface NewSubmission {
  readonly key: string
  readonly intentId: string
  readonly network: Network
  readonly wallet: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly reserve: bigint
  /**
   * The gas estimate of the planner's simulation, if it ran one: valid for a short time, so that the lane need not
   * simulate again.
   */
  readonly estimate?: Estimate | null
  /** Unix milliseconds after which it must not be mined; none for a payment or a top-up. */
  readonly validUntil?: number | null
}

const encodeEstimate = Schema.encodeSync(Estimate)

/** Queueing of calls, and removal of rows that cannot be trusted. */
interface SubmissionQueue {
  /** Queues a call; fails when the key already exists, so that a second planner notices. */
  readonly put: (submission: NewSubmission) => Effect.Effect<void, SqlError>
  /** Sets aside attempts that their wallet did not sign, and those of these submissions that have no attempt left. */
  readonly distrust: (
    hashes: ReadonlyArray<Hash>,
    submissions: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<SetAside>, SqlError>
  /**
   * Sets aside a submission that no planner of this service has written, and ends it. A submission that is signed is
   * left as it is.
   */
  readonly setAsideForged: (key: string) => Effect.Effect<void, SqlError>
  /** Returns the rows that reads of a wallet have set aside, once; they are held in memory until then. */
  readonly takeSetAside: (wallet: Address) => Effect.Effect<ReadonlyArray<SetAside>>
}

const insertSubmission = (sql: SqlClient.SqlClient, macs: SubmissionMacs, submission: NewSubmission) =>
  sql`insert into submissions ${
    sql.insert({
      key: submission.key,
      intent_id: submission.intentId,
      network: submission.network,
      wallet: submission.wallet,
      to_address: submission.to,
      data: submission.data,
      value: submission.value.toString(),
      reserve: submission.reserve.toString(),
      estimate: submission.estimate === null || submission.estimate === undefined
        ? null
        : JSON.stringify(encodeEstimate(submission.estimate)),
      valid_until: submission.validUntil === null || submission.validUntil === undefined
        ? null
        : new Date(submission.validUntil),
      mac: macs.of(submission)
    })
  }`

export class SubmissionStore extends Context.Service<
  SubmissionStore,
  & SubmissionQueue
  & SubmissionReads.SubmissionReads
  & SubmissionSigning.SubmissionSigning
  & SubmissionOutcomes.SubmissionOutcomes
>()("vault-trader/core/gas-wallet/SubmissionStore") {
  static readonly layer = Layer.effect(
    SubmissionStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const macs = yield* SubmissionMac
      const rows = yield* SubmissionRows.make
      return {
        put: (submission) => Effect.asVoid(insertSubmission(sql, macs, submission)),
        distrust: rows.distrust,
        setAsideForged: rows.setAsideForged,
        takeSetAside: rows.takeSetAside,
        ...(yield* SubmissionReads.make(rows)),
        ...(yield* SubmissionSigning.make),
        ...(yield* SubmissionOutcomes.make)
      }
    })
  )
}
