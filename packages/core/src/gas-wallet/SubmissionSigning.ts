/** Commits the signed attempts of submissions. No signature is committed while a kill switch stops the wallet. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import type { Address } from "../chain/Address.ts"
import * as SigningBatch from "./SigningBatch.ts"
import { LaneConflict, type NotSigned, Paused, Quarantined } from "./SigningBatch.ts"
import type { Attempt } from "./Submission.ts"
import { SubmissionMac, type SubmissionMacs } from "./SubmissionMac.ts"
import { isOfCurrentStep } from "./SubmissionOutcomes.ts"

/** Commits of attempts, and the checks they depend on. */
export interface SubmissionSigning {
  /** Signs for a lane: its nonces and bytes are committed when this returns. */
  readonly sign: <E, R>(
    lane: SigningBatch.SigningRequest<E, R>
  ) => Effect.Effect<ReadonlyArray<Attempt>, E | SqlError | NotSigned, R>
  /**
   * Checks whether a kill switch stops this wallet's signatures. Called before signing; `sign`, `replace` and `fill`
   * check again.
   */
  readonly isPaused: (wallet: Address) => Effect.Effect<boolean, SqlError>
  /** Checks whether every kill switch that stops this wallet also cancels what it has signed. */
  readonly isCancelled: (wallet: Address) => Effect.Effect<boolean, SqlError>
  /**
   * Commits another attempt of a signed submission: same nonce, other fees, or its cancellation. A switch that cancels
   * does not stop a cancellation.
   */
  readonly replace: (attempt: Attempt) => Effect.Effect<void, SqlError | LaneConflict | Paused | Quarantined>
  /** Commits an empty transaction for an unused nonce, with its submission; fails when the nonce has one. */
  readonly fill: (attempt: Attempt) => Effect.Effect<void, SqlError | Paused | Quarantined>
  /** Stores whether a signed submission waits for fees to fall below its cap. */
  readonly waitForGas: (key: string, waiting: boolean) => Effect.Effect<void, SqlError>
}

const insertAttempt = (sql: SqlClient.SqlClient, attempt: Attempt) =>
  sql`insert into attempts (network, wallet, nonce, attempt, submission_key, hash, raw, gas_limit,
    max_fee_per_gas, max_priority_fee_per_gas, cancels)
    select * from jsonb_to_recordset(${
    JSON.stringify([{
      network: attempt.network,
      wallet: attempt.wallet,
      nonce: attempt.nonce.toString(),
      attempt: attempt.attempt,
      key: attempt.submissionKey,
      hash: attempt.hash,
      raw: attempt.raw,
      gas: attempt.gasLimit.toString(),
      fee: attempt.maxFeePerGas.toString(),
      tip: attempt.maxPriorityFeePerGas.toString(),
      cancels: attempt.cancels
    }])
  }::jsonb) as v(network text, wallet text, nonce bigint, attempt integer, key text, hash text, raw text, gas numeric,
  fee numeric, tip numeric, cancels boolean)`

/** Inserts the submission of an empty transaction, which is signed already. */
const insertFiller = (
  sql: SqlClient.SqlClient,
  macs: SubmissionMacs,
  { network, nonce, submissionKey: key, wallet }: Attempt
) =>
  sql`insert into submissions ${
    sql.insert({
      ...{ key, network, wallet, to_address: wallet, data: "0x", value: "0", reserve: "0" },
      ...{ status: "signed", nonce: nonce.toString() },
      mac: macs.of({ key, intentId: null, network, wallet, to: wallet, data: "0x", value: 0n, reserve: 0n })
    })
  }`

export const make: Effect.Effect<SubmissionSigning, never, SqlClient.SqlClient | Scope> = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const macs = yield* SubmissionMac

  const switchesOf = (wallet: Address) =>
    sql<{ readonly scope: string; readonly reason: string; readonly cancels: boolean }>`select scope, reason, cancels
      from kill_switches where scope in ('service', ${`wallet/${wallet}`}) order by cancels`

  const unlessPaused = (wallet: Address, cancelling = false) =>
    Effect.flatMap(
      switchesOf(wallet),
      ([row]) =>
        row === undefined || (cancelling && row.cancels)
          ? Effect.void
          : new Paused({ scope: row.scope, reason: row.reason })
    )

  const unlessQuarantined = ({ network, wallet }: Attempt) =>
    Effect.flatMap(
      sql`select 1 from lane_quarantines where network = ${network} and wallet = ${wallet} and released_at is null`,
      (rows) => rows.length === 0 ? Effect.void : new Quarantined({ wallet })
    )

  return {
    sign: yield* SigningBatch.makeSign,
    isPaused: (wallet) =>
      unlessPaused(wallet).pipe(Effect.as(false), Effect.catchTag("Paused", () => Effect.succeed(true))),
    isCancelled: (wallet) =>
      Effect.map(switchesOf(wallet), (rows) => rows.length > 0 && rows.every(({ cancels }) => cancels)),
    replace: (attempt) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* unlessPaused(attempt.wallet, attempt.cancels)
        yield* unlessQuarantined(attempt)
        const rows = yield* sql`select key from submissions
          where key = ${attempt.submissionKey} and status = 'signed' for update`
        if (rows.length === 0) return yield* new LaneConflict({ wallet: attempt.wallet })
        yield* insertAttempt(sql, attempt)
        yield* sql`update intents i set tx_hash = ${attempt.hash}, updated_at = now() from submissions s
          where s.key = ${attempt.submissionKey} and i.id = s.intent_id and ${isOfCurrentStep(sql)}
          and i.status = 'submitted'`
      })),
    fill: (attempt) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* unlessPaused(attempt.wallet)
        yield* unlessQuarantined(attempt)
        yield* insertFiller(sql, macs, attempt)
        yield* insertAttempt(sql, attempt)
      })),
    waitForGas: (key, waiting) =>
      Effect.asVoid(sql`update submissions set waiting_for_gas = ${waiting}, updated_at = now()
        where key = ${key} and status = 'signed' and waiting_for_gas <> ${waiting}`)
  }
})
