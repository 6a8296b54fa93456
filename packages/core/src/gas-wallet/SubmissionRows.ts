/**
 * Decodes rows of submissions. A row that does not decode is set aside, and remembered until its lane takes the notice.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { ExecutionFailure } from "../failure/Failure.ts"
import * as SetAside from "./SetAside.ts"
import { Submission } from "./Submission.ts"

/** Encodes the failure of a refused submission as its row holds it. */
export const encodeFailure = Schema.encodeSync(Schema.fromJsonString(ExecutionFailure))

/** Maximum number of wallets whose set-aside rows are held in memory until they are taken. */
const maxWallets = 1_000

const decodeSubmission = Schema.decodeUnknownResult(Submission)

/** Holds the rows that reads have set aside, by wallet, until they are taken. */
const makeNotices = () => {
  const notices = new Map<Address, ReadonlyArray<SetAside.SetAside>>()
  return {
    add: (rows: ReadonlyArray<SetAside.SetAside>) =>
      Effect.sync(() => {
        for (const row of rows) notices.set(row.wallet, [...(notices.get(row.wallet) ?? []), row])
        const [oldest] = notices.keys()
        if (notices.size > maxWallets && oldest !== undefined) notices.delete(oldest)
        return rows
      }),
    take: (wallet: Address) =>
      Effect.sync(() => {
        const rows = notices.get(wallet) ?? []
        notices.delete(wallet)
        return rows
      })
  }
}

/** Builds the reader of rows; all reads of one store share it. */
export const make = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const aside = yield* SetAside.make
  const notices = makeNotices()
  const columns = sql.literal(
    `key, intent_id as "intentId", network, wallet, to_address as "to", data, value, reserve, status, ` +
      `waiting_for_gas as "waitingForGas", nonce, receipt, failure, estimate, cancelled, mac, ` +
      `(extract(epoch from valid_until) * 1000)::float8 as "validUntil"`
  )

  /**
   * Decodes row by row: a row that does not decode is set aside and read again, and left out if it still does not
   * decode.
   */
  const decode = (rows: Effect.Effect<ReadonlyArray<{ readonly key: string }>, SqlError>) =>
    Effect.gen(function*() {
      const found = yield* rows
      const all = new Map(found.map((row) => [row.key, decodeSubmission(row)]))
      const bad = Array.from(all).flatMap(([key, row]) => Result.isFailure(row) ? [key] : [])
      if (bad.length > 0) {
        yield* Effect.flatMap(aside.submissions(bad), notices.add)
        const again = yield* sql<{ readonly key: string }>`select ${columns} from submissions where key in ${
          sql.in(bad)
        }`
        for (const row of again) all.set(row.key, decodeSubmission(row))
      }
      return Array.from(all.values()).flatMap((row) => Result.isSuccess(row) ? [row.success] : [])
    })

  return {
    /** The columns of a submission, in the form that `decode` reads. */
    columns,
    decode,
    /** Ends the queued submissions of networks that do not exist. */
    setAsideUnknownNetworks: Effect.flatMap(aside.elsewhere(Network.literals), notices.add),
    /** Returns the rows of a wallet that reads have set aside, once. */
    takeSetAside: notices.take,
    /** Sets aside attempts that their wallet did not sign, and those of these submissions that have no attempt left. */
    distrust: (hashes: ReadonlyArray<Hash>, keys: ReadonlyArray<string>) =>
      Effect.andThen(
        hashes.length === 0 ? Effect.void : aside.attempts(hashes),
        keys.length === 0 ? Effect.succeed([]) : aside.withoutAttempt(keys)
      ),
    /** Sets aside a queued submission whose MAC is not its planner's. */
    setAsideForged: aside.forged
  }
})

export type SubmissionRows = Effect.Success<typeof make>
