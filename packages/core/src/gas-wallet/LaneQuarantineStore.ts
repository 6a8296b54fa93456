/** Stores the quarantines of lanes. Every signature reads them in its own transaction. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as TogetherRead from "../storage/TogetherRead.ts"
import { LaneQuarantine, type LaneQuarantineKind, type NewLaneQuarantine } from "./LaneQuarantine.ts"

const Rows = Schema.decodeUnknownEffect(Schema.Array(LaneQuarantine))

const changeOf = (
  action: "lane.quarantined" | "lane.released",
  network: Network,
  wallet: Address,
  details: Audit.Change["details"]
): Audit.Change => ({ action, subject: `${network}/${wallet}`, wallet, details: { network, ...details } })

/** Inserts a quarantine or replaces its evidence, unless an operator has released that evidence. */
const opening = (sql: SqlClient.SqlClient, { evidence, kind, network, reason, wallet }: NewLaneQuarantine) =>
  sql<{ readonly fresh: boolean }>`insert into lane_quarantines (network, wallet, kind, reason, evidence)
    select ${network}, ${wallet}, ${kind}, ${reason}, ${JSON.stringify(evidence)}::jsonb
    where not exists (select 1 from nonce_baselines b where b.network = ${network} and b.wallet = ${wallet}
    and b.nonce >= ${evidence.count}::bigint)
    and not exists (select 1 from lane_quarantines q where ${kind} = 'unknown_transaction'
    and q.network = ${network} and q.wallet = ${wallet} and q.released_by <> 'service'
    and q.evidence -> 'transactions' @> ${JSON.stringify(evidence.transactions.map(({ hash }) => ({ hash })))}::jsonb)
    on conflict (network, wallet) where released_at is null
    do update set kind = excluded.kind, reason = excluded.reason, evidence = excluded.evidence
    returning xmax = 0 as fresh`

const opened = ({ kind, network, reason, wallet }: NewLaneQuarantine) =>
  changeOf("lane.quarantined", network, wallet, { kind, reason })

/** The result of opening a quarantine: new, new evidence of an open one, or nothing because it was released before. */
type Opening = "opened" | "replaced" | "released"

type Lane = Pick<LaneQuarantine, "network" | "wallet">

export class LaneQuarantineStore extends Context.Service<LaneQuarantineStore, {
  /**
   * Opens a lane's quarantine or replaces the evidence of the open one. A quarantine whose evidence an operator has
   * released in the meantime is not opened: nonces below the lane's baseline are explained, and so is an unknown
   * transaction of a released quarantine.
   */
  readonly open: (quarantine: NewLaneQuarantine) => Effect.Effect<Opening, SqlError>
  /** Returns the lane's open quarantine. */
  readonly find: (network: Network, wallet: Address) => Effect.Effect<Option.Option<LaneQuarantine>, SqlError>
  /** Lists the open quarantines, oldest first. */
  readonly list: Effect.Effect<ReadonlyArray<LaneQuarantine>, SqlError>
  /** Ends the lane's quarantine, of these kinds only; returns whether there was one. */
  readonly end: (
    network: Network,
    wallet: Address,
    by: string,
    kinds: ReadonlyArray<LaneQuarantineKind>
  ) => Effect.Effect<boolean, SqlError>
  /**
   * Ends the lane's quarantine on behalf of an operator, and declares everything in its evidence explained; returns
   * what was released.
   */
  readonly release: (
    network: Network,
    wallet: Address,
    by: string
  ) => Effect.Effect<Option.Option<LaneQuarantine>, SqlError>
}>()("vault-trader/core/gas-wallet/LaneQuarantineStore") {
  static readonly layer = Layer.effect(
    LaneQuarantineStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(`network, wallet, kind, reason, evidence, created_at as "createdAt"`)
      const decode = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))
      const first = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.map(decode(rows), ([row]) => Option.fromNullishOr(row))
      const openOf = yield* TogetherRead.make<Lane, Lane>(sql, {
        read: (lanes) =>
          sql<Lane>`select ${columns} from lane_quarantines where released_at is null and (network, wallet) in (
            select k.network, k.wallet
            from jsonb_to_recordset(${JSON.stringify(lanes)}::jsonb) as k(network text, wallet text))`,
        isOf: ({ network, wallet }) => (row) => row.network === network && row.wallet === wallet
      })
      // A statement that waits for a release does not see it if it began before: so both begin after this lock.
      const lock = (network: Network, wallet: Address) =>
        sql`select pg_advisory_xact_lock(hashtextextended(${`lane_quarantines/${network}/${wallet}`}, 0))`
      return {
        open: (quarantine) =>
          Effect.map(
            Audit.transaction(
              sql,
              Effect.andThen(
                lock(quarantine.network, quarantine.wallet),
                Audit.recorded(
                  sql,
                  opening(sql, quarantine),
                  (rows) => rows.filter(({ fresh }) => fresh).map(() => opened(quarantine))
                )
              )
            ),
            ([row]): Opening => row === undefined ? "released" : row.fresh ? "opened" : "replaced"
          ),
        find: (network, wallet) => first(openOf({ network, wallet })),
        list: decode(sql`select ${columns} from lane_quarantines where released_at is null order by id`),
        end: (network, wallet, by, kinds) =>
          Effect.map(
            Audit.recorded(
              sql,
              sql<
                { readonly kind: string }
              >`update lane_quarantines set released_at = now(), released_by = ${by}
              where network = ${network} and wallet = ${wallet} and released_at is null and kind in ${sql.in(kinds)}
              returning kind`,
              (rows) => rows.map(({ kind }) => changeOf("lane.released", network, wallet, { kind, by }))
            ),
            (rows) => rows.length > 0
          ),
        release: (network, wallet, by) =>
          Audit.transaction(
            sql,
            Effect.gen(function*() {
              yield* lock(network, wallet)
              const released = yield* first(sql`update lane_quarantines set released_at = now(), released_by = ${by}
              where network = ${network} and wallet = ${wallet} and released_at is null returning ${columns}`)
              const count = Option.match(released, { onNone: () => null, onSome: ({ evidence }) => evidence.count })
              if (count !== null) {
                yield* sql`insert into nonce_baselines (network, wallet, nonce)
                values (${network}, ${wallet}, ${count}::bigint)
                on conflict (network, wallet) do update set nonce = greatest(nonce_baselines.nonce, excluded.nonce),
                updated_at = now()`
              }
              if (Option.isSome(released)) {
                const { evidence, kind } = released.value
                const transactions = evidence.transactions.map(({ hash, nonce }) => ({ hash: hash ?? null, nonce }))
                yield* Audit.append(sql, changeOf("lane.released", network, wallet, { kind, by, transactions }))
              }
              return released
            })
          )
      }
    })
  )
}
