/** Reads the parts of the ledger that a chain can confirm: paid settlements, final charges, and used nonces. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

export const PaidSettlement = Schema.Struct({
  id: Schema.String,
  wallet: Address,
  treasury: Address,
  nativeWei: Schema.BigIntFromString,
  txHash: Schema.NullOr(Hash),
  createdAt: Schema.Date
}).annotate({ identifier: "PaidSettlement" })
export type PaidSettlement = typeof PaidSettlement.Type

/** The charge of an intent that no reorg can undo. */
export const FinalCharge = Schema.Struct({
  id: Schema.String,
  wallet: Address,
  intentId: Schema.String,
  txHash: Schema.NullOr(Hash),
  createdAt: Schema.Date
}).annotate({ identifier: "FinalCharge" })
export type FinalCharge = typeof FinalCharge.Type

/** A wallet and its transaction count on the chain. */
interface Count {
  readonly wallet: Address
  readonly count: bigint
}

export const NonceGaps = Schema.Struct({
  wallet: Address,
  /** Number of nonces below the chain's count that neither a submission nor the baseline explains. */
  unexplained: Schema.Int,
  /** The lowest and the highest of them; null without any. */
  first: Schema.NullOr(Schema.BigIntFromString),
  last: Schema.NullOr(Schema.BigIntFromString),
  /** Submissions final for at least a minute with nonces at or above the chain's count. */
  beyond: Schema.Int
}).annotate({ identifier: "NonceGaps" })
export type NonceGaps = typeof NonceGaps.Type

/** A page of rows, oldest first, after the last row of the previous page. */
interface Page {
  readonly network: Network
  readonly since: Date | undefined
  readonly after: { readonly createdAt: Date; readonly id: string } | undefined
  readonly limit: number
}

const Settlements = Schema.decodeUnknownEffect(Schema.Array(PaidSettlement))
const Charges = Schema.decodeUnknownEffect(Schema.Array(FinalCharge))
const Gaps = Schema.decodeUnknownEffect(Schema.Array(NonceGaps))

export class SettledLedger extends Context.Service<SettledLedger, {
  readonly settlements: (page: Page) => Effect.Effect<ReadonlyArray<PaidSettlement>, SqlError>
  readonly charges: (page: Page) => Effect.Effect<ReadonlyArray<FinalCharge>, SqlError>
  /** Lists the wallets that have signed transactions or were checked on the network. */
  readonly wallets: (network: Network) => Effect.Effect<ReadonlyArray<Address>, SqlError>
  /** Compares transaction counts with the ledger. Counts must be read first, because rows are older than their use. */
  readonly gaps: (network: Network, counts: ReadonlyArray<Count>) => Effect.Effect<ReadonlyArray<NonceGaps>, SqlError>
}>()("vault-trader/core/billing/SettledLedger") {
  static readonly layer = Layer.effect(
    SettledLedger,
    Effect.map(SqlClient.SqlClient, (sql) => {
      // Timestamps of rows have microseconds, those of cursors milliseconds: the id decides within a millisecond.
      const time = (row: "c" | "t") => sql.literal(`date_trunc('milliseconds', ${row}.created_at)`)
      const within = (row: "c" | "t", { after, network, since }: Page) =>
        sql.and([
          sql`${sql(`${row}.network`)} = ${network}`,
          ...(since === undefined ? [] : [sql`${sql(`${row}.created_at`)} >= ${since}`]),
          ...(after === undefined ? [] : [
            sql`(${time(row)}, ${sql(`${row}.id`)}) > (${after.createdAt}, ${after.id}::uuid)`
          ])
        ])
      return {
        settlements: (page) =>
          Effect.flatMap(
            sql`select t.id::text as id, t.wallet, t.treasury, t.native_wei::text as "nativeWei",
                t.tx_hash as "txHash", ${time("t")} as "createdAt"
              from settlements t where t.status = 'paid' and ${within("t", page)}
              order by ${time("t")}, t.id limit ${page.limit}`,
            (rows) => Effect.orDie(Settlements(rows))
          ),
        charges: (page) =>
          Effect.flatMap(
            sql`select c.id::text as id, c.wallet, c.intent_id::text as "intentId", i.tx_hash as "txHash",
                ${time("c")} as "createdAt"
              from charges c join intents i on i.id = c.intent_id
              where ${within("c", page)}
                -- The charge of an action that a deep reorg took back is corrected to nothing.
                and c.usd + (select coalesce(sum(k.usd), 0) from charges k where k.corrects = c.intent_id) <> 0
                and not exists (select 1 from submissions s
                where s.intent_id = c.intent_id and s.status in ('queued', 'signed', 'mined'))
              order by ${time("c")}, c.id limit ${page.limit}`,
            (rows) => Effect.orDie(Charges(rows))
          ),
        wallets: (network) =>
          Effect.map(
            sql<{ readonly wallet: Address }>`select distinct wallet from submissions
                where network = ${network} and nonce is not null
              union select wallet from nonce_baselines where network = ${network} order by wallet`,
            (rows) => rows.map(({ wallet }) => wallet)
          ),
        gaps: (network, counts) =>
          counts.length === 0 ? Effect.succeed([]) : Effect.flatMap(
            // Retention removes old submissions, so nonces below the baseline count as explained; without a baseline,
            // those below the oldest submission.
            sql`select v.wallet, count(n.nonce)::int as unexplained, min(n.nonce)::text as first,
                max(n.nonce)::text as last,
                (select count(*) from submissions s where s.network = ${network} and s.wallet = v.wallet
                  and s.status = 'final' and s.nonce >= v.count
                  and s.updated_at < now() - interval '1 minute')::int as beyond
              from jsonb_to_recordset(${
              JSON.stringify(counts.map(({ count, wallet }) => ({ wallet, count: count.toString() })))
            }::jsonb) as v(wallet text, count bigint)
                left join nonce_baselines b on b.network = ${network} and b.wallet = v.wallet
                left join lateral (select g.nonce from generate_series(coalesce(b.nonce, (select min(o.nonce)
                    from submissions o where o.network = ${network} and o.wallet = v.wallet), v.count), v.count - 1)
                    as g(nonce)
                  where not exists (select 1 from submissions s where s.network = ${network}
                    and s.wallet = v.wallet and s.nonce = g.nonce)) n on true
              group by v.wallet, v.count order by v.wallet`,
            (rows) => Effect.orDie(Gaps(rows))
          )
      }
    })
  )
}
