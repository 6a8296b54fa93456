/** Stores signals: each is inserted with its results, in the transaction that sets its bots. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Arr from "effect/Array"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { reads } from "../storage/Reads.ts"
import * as Uuid from "../storage/Uuid.ts"
import {
  maxBody,
  type NewSignal,
  redacted,
  redactedUnderstood,
  Signal,
  type SignalResult,
  type SignalState,
  stateOf,
  storable
} from "./Signal.ts"

interface Filter {
  readonly wallet: Address
  readonly token?: string | undefined
  readonly network?: Network | undefined
  readonly pool?: Address | undefined
  readonly state?: SignalState | undefined
  /** Unix milliseconds. */
  readonly since?: number | undefined
  readonly until?: number | undefined
  readonly before?: string | undefined
  readonly limit: number
}

/** A bot of a signal, by its place or as a waiting setting names it. */
type ResultOf =
  & { readonly signal: string }
  & (
    | { readonly position: number }
    | { readonly network: Network; readonly pool: Address; readonly pair: string }
  )

/**
 * A result at an exchange bot whose account has not answered in time, because the service stopped meanwhile. `request`:
 * the exchange order that the account made for it; null when the signal never reached it.
 */
interface Unanswered {
  readonly signal: string
  readonly position: number
  readonly request: string | null
}

/** Seconds for which the server that took the signal records the account's answer itself. */
const answerSeconds = 120
/** Seconds after which an account that knows nothing of a signal never gets it. */
const lostSeconds = 600

/** The new result at a bot. */
interface Change {
  readonly state: SignalState
  readonly reason: string | null
  readonly intentId: string | null
}

const Rows = Schema.decodeUnknownEffect(Schema.Array(Signal))
const decoded = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))

const results = `coalesce((select jsonb_agg(jsonb_build_object('kind', r.kind, 'network', r.network, 'pool', r.pool,
    'subaccount', r.subaccount, 'pair', r.pair, 'side', r.side, 'state', r.state, 'reason', r.reason,
    'intent_id', r.intent_id, 'intent_status', case r.kind
      when 'threshold' then (select case i.status when 'succeeded' then 'success' when 'failed' then 'fail' else 'pending' end
        from intents i where i.id = r.intent_id)
      when 'exchange' then (select case when o.status in ('accepted', 'decided', 'sending') then 'pending'
        when o.status in ('refused', 'lost') then 'fail' else 'success' end
        from exchange_orders o where o.id = r.intent_id) end) order by r.position)
    from signal_results r where r.signal = s.id), '[]')`

const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `s.id, s.seq::text as seq, s.source, s.wallet, s.token, s.origin, s.media_type as "mediaType", s.body,
    s.body_length as "bodyLength", s.understood, s.state, s.reason, s.replay_of as "replayOf",
    (select later.id from signals later where later.replay_of = s.id) as "replayedBy",
    s.received_at as "receivedAt", ${results} as results`
  )

const conditions = (
  sql: SqlClient.SqlClient,
  { before, network, pool, since, state, token, until, wallet }: Omit<Filter, "limit">
) =>
  sql.and([
    sql`s.wallet = ${wallet}`,
    ...(token === undefined ? [] : [sql`s.token = ${token}::uuid`]),
    ...(state === undefined ? [] : [sql`s.state = ${state}`]),
    ...(since === undefined ? [] : [sql`s.id >= ${Uuid.firstAt(since)}::uuid`]),
    ...(until === undefined ? [] : [sql`s.id < ${Uuid.firstAt(until)}::uuid`]),
    ...(before === undefined ? [] : [sql`s.id < ${before}::uuid`]),
    ...(network === undefined && pool === undefined ? [] : [
      // Of a vault: set or tried there, or refused before any bot was considered and sent to a token of the vault.
      sql`(exists (select 1 from signal_results r where r.signal = s.id
        and ${network === undefined ? sql`true` : sql`r.network = ${network}`}
        and ${pool === undefined ? sql`true` : sql`r.pool = ${pool}`})
        or (s.reason is not null and exists (select 1 from webhook_tokens t where t.id = s.token
        and ${network === undefined ? sql`true` : sql`t.network = ${network}`}
        and ${pool === undefined ? sql`true` : sql`t.pool = ${pool}`})))`
    ])
  ])

/** A signal to record. `reason`: why it was refused before any bot was considered. */
interface Received {
  readonly signal: NewSignal
  readonly results: ReadonlyArray<SignalResult>
  readonly reason: string | null
}

const rowOf = ({ reason, results: all, signal }: Received) => {
  const body = redacted(signal.body)
  return {
    id: signal.id,
    source: signal.source,
    wallet: signal.wallet,
    token: signal.token,
    origin: signal.origin,
    media_type: signal.mediaType === null ? null : storable(redacted(signal.mediaType).slice(0, 200)),
    body: storable(body.slice(0, maxBody)),
    body_length: signal.body.length,
    understood: redactedUnderstood(signal.understood),
    state: reason === null ? stateOf(all) : "refused",
    reason: reason === null ? null : storable(reason),
    replay_of: signal.replayOf
  }
}

const recordAll = (sql: SqlClient.SqlClient, all: Arr.NonEmptyReadonlyArray<Received>) => {
  const ids = all.flatMap(({ signal }) => signal.token ?? [])
  const results = all.flatMap(({ results, signal }) =>
    results.map((result, position) => ({ ...result, position, signal: signal.id }))
  )
  const rows = all.map((each, n) => ({ ...rowOf(each), n }))
  // In their order, which their numbers keep.
  return Effect.asVoid(sql`with recorded as (insert into signals (id, source, wallet, token, origin, media_type, body,
        body_length, understood, state, reason, replay_of)
      select id, source, wallet, token, origin, media_type, body, body_length, understood, state, reason, replay_of
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as s(n int, id uuid, source text, wallet text,
          token uuid, origin text, media_type text, body text, body_length int, understood jsonb, state text,
          reason text, replay_of uuid) order by n returning id),
      used as (update webhook_tokens set used_at = now()
        where id in (select t.id::uuid from jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb) as t(id))
          and (used_at is null or used_at < now() - interval '1 second'))
    insert into signal_results (signal, position, kind, network, pool, subaccount, pair, side, state, reason, intent_id)
    select recorded.id, r.position, r.kind, r.network, r.pool, r.subaccount, r.pair, r.side, r.state, r.reason,
      r.intent_id
    from jsonb_to_recordset(${JSON.stringify(results)}::jsonb) as r(signal uuid, position smallint, kind text,
      network text, pool text, subaccount text, pair text, side text, state text, reason text, intent_id uuid)
    join recorded on recorded.id = r.signal`)
}

export class SignalStore extends Context.Service<SignalStore, {
  /**
   * Records a signal with its results, in the caller's transaction if there is one. `reason`: why it was
   * refused before any bot was considered.
   */
  readonly record: (
    signal: NewSignal,
    results: ReadonlyArray<SignalResult>,
    reason?: string | null
  ) => Effect.Effect<void, SqlError>
  /** Records several signals, in this order, in one statement. */
  readonly recordAll: (
    signals: Arr.NonEmptyReadonlyArray<{ readonly signal: NewSignal; readonly results: ReadonlyArray<SignalResult> }>
  ) => Effect.Effect<void, SqlError>
  /** Changes the result of a signal at one bot. */
  readonly settle: (of: ResultOf, change: Change) => Effect.Effect<void, SqlError>
  /**
   * Lists results at exchange bots whose answer no server awaits: those whose account has made an order of them, after
   * two minutes, and those of which it knows nothing, after ten.
   */
  readonly unanswered: Effect.Effect<ReadonlyArray<Unanswered>, SqlError>
  readonly find: (wallet: Address, id: string) => Effect.Effect<Option.Option<Signal>, SqlError>
  /** Finds the replay of a signal. */
  readonly replayOf: (wallet: Address, id: string) => Effect.Effect<Option.Option<Signal>, SqlError>
  /** Lists a wallet's signals, newest first. */
  readonly list: (filter: Filter) => Effect.Effect<ReadonlyArray<Signal>, SqlError>
}>()("vault-trader/core/signal/SignalStore") {
  static readonly layer = Layer.effect(
    SignalStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const read = yield* reads
      const columns = columnsOf(sql)
      const one = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.map(decoded(rows), ([signal]) => Option.fromNullishOr(signal))
      return {
        record: (signal, all, reason = null) => recordAll(sql, [{ signal, results: all, reason }]),
        recordAll: (all) => recordAll(sql, Arr.map(all, (each) => ({ ...each, reason: null }))),
        settle: (of, { intentId, reason, state }) =>
          Effect.asVoid(sql`with changed as (update signal_results r set state = ${state}, reason = ${reason},
              intent_id = coalesce(${intentId}::uuid, r.intent_id)
              where r.signal = ${of.signal}::uuid and ${
            "position" in of
              ? sql`r.position = ${of.position}`
              : sql`r.kind = 'threshold' and r.network = ${of.network} and r.pool = ${of.pool} and r.pair = ${of.pair}`
          } returning r.signal, r.position)
            update signals s set state = (select x.state from (
                select r.state from signal_results r where r.signal = s.id
                  and not exists (select 1 from changed c where c.signal = r.signal and c.position = r.position)
                union all select ${state}::text) x
              order by array_position(array['accepted', 'waiting', 'ignored', 'refused'], x.state) limit 1)
            where s.id in (select signal from changed)`),
        unanswered: Effect.map(
          sql<Unanswered & { readonly seconds: number }>`select r.signal::text as signal, r.position,
              k.id::text as request, extract(epoch from now() - s.received_at)::float8 as seconds
            from signal_results r join signals s on s.id = r.signal
            left join idempotency_keys k on k.wallet = s.wallet
              and k.key = 'signal/' || r.signal || '/' || r.position
            where r.kind = 'exchange' and r.state = 'waiting'
              and s.received_at < now() - make_interval(secs => ${answerSeconds})
            order by r.signal, r.position limit 200`,
          // Without a request, a slow call may still reach the account.
          (rows) => rows.filter(({ request, seconds }) => request !== null || seconds > lostSeconds)
        ),
        find: (wallet, id) =>
          one(sql`select ${columns} from signals s where s.wallet = ${wallet} and s.id = ${id}::uuid`),
        replayOf: (wallet, id) =>
          one(sql`select ${columns} from signals s where s.wallet = ${wallet} and s.replay_of = ${id}::uuid`),
        list: ({ limit, ...filter }) =>
          decoded(
            read`select ${columns} from signals s where ${conditions(read, filter)} order by s.id desc limit ${limit}`
          )
      }
    })
  )
}
