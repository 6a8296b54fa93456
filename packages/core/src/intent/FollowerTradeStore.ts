/**
 * The transactions that set, stop and remove followers of vaults, and begin and end their trades. Each locks the
 * follower's row first. A trade and its intent are committed together.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import { explain } from "../failure/Explanation.ts"
import {
  type Follower,
  type FollowerMemory,
  FollowerTerms,
  FollowerTrade,
  maxFailures,
  maxTradesPerDay,
  noMemory,
  tradeKey
} from "../follower/Follower.ts"
import { clipped, describeTrade } from "../follower/FollowerDecision.ts"
import { appendEvent, columnsOf, decodeFollowers, encodeMemory } from "../follower/FollowerStore.ts"
import { KillSwitch, stopping } from "../gas-wallet/KillSwitch.ts"
import type { Leg } from "../index-bot/RebalancePlan.ts"
import * as Uuid from "../storage/Uuid.ts"
import { Failed, type IntentRequest, type Outcome } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import { endTextOf } from "./SliceOutcome.ts"

/** A follower to set: a vault has one. */
export type NewFollower = Pick<Follower, "network" | "pool" | "wallet" | "keyId" | "terms">

/** `circle`: the vaults between the leader and the follower; nothing was set. */
export type Setting =
  | { readonly _tag: "set"; readonly follower: Follower }
  | { readonly _tag: "circle"; readonly through: string }

/** `spent`: a cap allows no more, in words. `changed`: it was read too early, or is stopped. */
export type Beginning =
  | { readonly _tag: "begun"; readonly intentId: string }
  | { readonly _tag: "spent"; readonly reason: string }
  | { readonly _tag: "changed" }

/** Seconds until a follower reads again after a trade has ended. */
const settleSeconds = 2

const encodeTerms = Schema.encodeSync(Schema.fromJsonString(FollowerTerms))
const encodeTrade = Schema.encodeSync(Schema.fromJsonString(FollowerTrade))

const changeOf = (
  action: "follower.set" | "follower.stopped" | "follower.removed",
  { id, network, pool, terms, wallet }: Pick<Follower, "id" | "network" | "pool" | "terms" | "wallet">
): Audit.Change => ({ action, subject: id, wallet, details: { network, pool, leader: terms.leader } })

const makeRows = (sql: SqlClient.SqlClient) => {
  const columns = columnsOf(sql)
  return {
    columns,
    lock: (id: string) =>
      Effect.map(
        decodeFollowers(sql`select ${columns} from vault_followers where id = ${id} for update`),
        ([follower]) => follower
      )
  }
}
type Rows = ReturnType<typeof makeRows>

/** Finds the chain of leaders from a vault's leader back to the vault; empty when there is none. */
const findCircle = (sql: SqlClient.SqlClient, { network, pool, terms }: NewFollower) =>
  Effect.map(
    sql<{ readonly through: string }>`with recursive chain as (
      select leader::text as at, array[pool::text] as through from vault_followers
        where network = ${network} and pool = ${terms.leader} and ended_at is null
      union all
      select f.leader::text, c.through || f.pool::text from chain c join vault_followers f
        on f.network = ${network} and f.pool = c.at and f.ended_at is null
        where c.at <> ${pool} and not f.pool::text = any(c.through))
      select array_to_string(through, ', ') as through from chain where at = ${pool} limit 1`,
    ([row]) => row?.through
  )

const makeSet = (sql: SqlClient.SqlClient, { columns }: Rows) => (given: NewFollower) =>
  Audit.transaction(
    sql,
    Effect.gen(function*(): Effect.fn.Return<Setting, SqlError> {
      const { keyId, network, pool, terms, wallet } = given
      // One setting at a time, so that two of them cannot close a circle.
      yield* sql`select pg_advisory_xact_lock(hashtextextended(${`vault_followers/${network}`}, 0))`
      const through = yield* findCircle(sql, given)
      if (through !== undefined) return { _tag: "circle", through }
      // New terms begin without what was seen; a trade in progress continues, and is recorded.
      const [set] = yield* decodeFollowers(sql`insert into vault_followers (id, network, pool, leader, wallet, key_id,
          terms, memory, reason)
        values (${yield* Uuid.v7}, ${network}, ${pool}, ${terms.leader}, ${wallet}, ${keyId},
          ${encodeTerms(terms)}::jsonb, ${encodeMemory(noMemory)}::jsonb, 'It was set.')
        on conflict (network, pool) where ended_at is null do update set leader = excluded.leader,
          wallet = excluded.wallet, key_id = excluded.key_id, terms = excluded.terms, memory = excluded.memory,
          revision = vault_followers.revision + 1, failures = 0, state = 'following', stopped_at = null,
          reason = excluded.reason, next_check = now(), updated_at = now()
        returning ${columns}`)
      if (set === undefined) return yield* Effect.die(new Error("a follower that was set has no row"))
      yield* appendEvent(sql, set.id, "set", "It was set.")
      yield* Audit.append(sql, changeOf("follower.set", set))
      return { _tag: "set", follower: set }
    })
  )

const makeRemove =
  (sql: SqlClient.SqlClient, intents: IntentStore["Service"], { columns, lock }: Rows) => (id: string) =>
    Audit.transaction(
      sql,
      Effect.gen(function*(): Effect.fn.Return<Option.Option<Follower>, SqlError> {
        const follower = yield* lock(id)
        if (follower === undefined || follower.endedAt !== null) return Option.none()
        // A trade that is not planned yet never is; the outcome of another one is its intent's.
        if (follower.openIntent !== null) {
          const failure = explain({ _tag: "FollowerRemoved" })
          yield* intents.withdraw(follower.openIntent, Failed.make({ txHash: null, failure }))
        }
        yield* sql`update vault_follower_trades set state = 'failed', ended_at = now(),
          message = 'The follower was removed; getIntent has the outcome.'
        where follower_id = ${id} and state = 'in_progress'`
        const [removed] = yield* decodeFollowers(sql`update vault_followers set ended_at = now(), open_intent = null,
          reason = 'It was removed.', updated_at = now() where id = ${id} returning ${columns}`)
        yield* appendEvent(sql, id, "removed", "It was removed.")
        yield* Audit.append(sql, changeOf("follower.removed", follower))
        return Option.fromNullishOr(removed)
      })
    )

/** Returns the follower's row, locked, if it is as it was read and nothing of it is in progress. */
const current = ({ lock }: Rows, read: Follower) =>
  Effect.map(
    lock(read.id),
    (follower) =>
      follower !== undefined && follower.endedAt === null && follower.openIntent === null &&
        follower.revision === read.revision && follower.state === read.state && follower.step === read.step &&
        encodeMemory(follower.memory) === encodeMemory(read.memory)
        ? follower
        : undefined
  )

const makeStop = (sql: SqlClient.SqlClient, rows: Rows) => (read: Follower, memory: FollowerMemory, reason: string) =>
  Audit.transaction(
    sql,
    Effect.gen(function*() {
      const follower = yield* current(rows, read)
      if (follower === undefined) return false
      yield* sql`update vault_followers set state = 'stopped', stopped_at = now(), reason = ${reason},
          memory = ${encodeMemory(memory)}::jsonb, checked_at = now(), updated_at = now() where id = ${follower.id}`
      yield* appendEvent(sql, follower.id, "stopped", reason)
      yield* Audit.append(sql, changeOf("follower.stopped", follower))
      return true
    })
  )

/**
 * Sums what the vault's followers have traded, those that were removed, too: a cap is the vault's, and a follower that is
 * set again does not begin with an unused one. A trade without an outcome counts, also after its follower was removed.
 */
const makeSpent = (sql: SqlClient.SqlClient) => ({ network, pool, terms }: Follower) =>
  Effect.map(
    sql<{ readonly spent: string; readonly made: number }>`select
      coalesce(sum(t.usd18) filter (where t.begun_at > now() - make_interval(secs => ${terms.intervalSeconds})
        and (t.state <> 'failed'
          or exists (select 1 from intents i where i.id = t.intent_id and i.status <> 'failed'))), 0)::text as spent,
      count(*) filter (where t.begun_at > now() - interval '1 day')::int as made
      from vault_followers f join vault_follower_trades t on t.follower_id = f.id
      where f.network = ${network} and f.pool = ${pool}
        and t.begun_at > now() - make_interval(secs => ${Math.max(86_400, terms.intervalSeconds)})`,
    ([row]) => ({ spent18: BigInt(row?.spent ?? "0"), made: row?.made ?? 0 })
  )

const makeBegin = (
  sql: SqlClient.SqlClient,
  intents: IntentStore["Service"],
  switches: KillSwitch["Service"],
  rows: Rows
) =>
(read: Follower, trade: FollowerTrade, request: IntentRequest, memory: FollowerMemory) =>
  sql.withTransaction(Effect.gen(function*(): Effect.fn.Return<Beginning, SqlError> {
    const follower = yield* current(rows, read)
    if (follower === undefined) return { _tag: "changed" }
    if (stopping(yield* switches.list, follower) !== null) return { _tag: "changed" }
    const { made, spent18 } = yield* makeSpent(sql)(follower)
    if (made >= maxTradesPerDay) return { _tag: "spent", reason: `Its ${maxTradesPerDay} trades of a day are used.` }
    const { id: followerId, keyId, network, pool, step, terms, wallet } = follower
    if (terms.maxUsdInInterval18 !== null && spent18 + trade.usd18 > terms.maxUsdInInterval18) {
      return { _tag: "spent", reason: "max_usd_interval allows no more." }
    }
    const { _tag, id } = yield* intents.acceptInTransaction({
      ...{ wallet, keyId, endpoint: "setFollower", network, pool, request },
      idempotencyKey: tradeKey(followerId, step)
    })
    if (_tag !== "accepted") {
      return yield* Effect.die(new Error(`trade ${step} of follower ${followerId} has an intent`))
    }
    yield* sql`insert into vault_follower_trades (follower_id, step, intent_id, trade, usd18)
      values (${followerId}, ${step}, ${id}, ${encodeTrade(trade)}::jsonb, ${trade.usd18.toString()}::numeric)`
    yield* sql`update vault_followers set open_intent = ${id}, memory = ${encodeMemory(memory)}::jsonb,
        checked_at = now(), updated_at = now(), next_check = now() where id = ${followerId}`
    yield* appendEvent(sql, followerId, "trade_begun", `It begins to ${describeTrade(trade)}.`)
    return { _tag: "begun", intentId: id }
  }))

/** Asks for new readings after a trade: one from before it must not make another. */
const readAgain = (memory: FollowerMemory): FollowerMemory =>
  memory.row === null ? memory : { ...memory, row: { ...memory.row, times: 0 } }

const makeEndTrade =
  (sql: SqlClient.SqlClient, { lock }: Rows) => (followerId: string, intentId: string, outcome: Outcome) =>
    sql.withTransaction(Effect.gen(function*() {
      const follower = yield* lock(followerId)
      if (follower === undefined) return false
      const { counts, message, succeeded, txHash } = endTextOf(outcome)
      const [ended] = yield* sql`update vault_follower_trades
      set state = ${succeeded ? "succeeded" : "failed"}, tx_hash = ${txHash}, message = ${message}, ended_at = now()
      where follower_id = ${followerId} and intent_id = ${intentId} and state = 'in_progress' returning step`
      if (ended === undefined) return false
      const failures = succeeded ? 0 : counts ? follower.failures + 1 : follower.failures
      const givesUp = failures >= maxFailures
      yield* appendEvent(sql, followerId, succeeded ? "trade_succeeded" : "trade_failed", message)
      if (givesUp) {
        yield* appendEvent(
          sql,
          followerId,
          "failed",
          `${failures} trades in a row failed, the last one with: ${message}`
        )
      }
      yield* sql`update vault_followers set open_intent = null, step = step + 1, failures = ${givesUp ? 0 : failures},
        memory = ${encodeMemory(readAgain(follower.memory))}::jsonb, reason = ${message}, updated_at = now(),
        -- Each failure in a row doubles the wait; after several it is an hour.
        next_check = case when ${succeeded} then now() + make_interval(secs => ${settleSeconds})
          when ${givesUp} then now() + interval '1 hour'
          else now() + interval '15 seconds' * power(2, ${Math.min(failures, maxFailures)}::int) end
      where id = ${followerId}`
      return givesUp
    }))

export class FollowerTradeStore extends Context.Service<FollowerTradeStore, {
  /** Sets the vault's follower, or gives the one it has new terms; refuses a circle of followers. */
  readonly set: (follower: NewFollower) => Effect.Effect<Setting, SqlError>
  /** Ends a follower; a trade in progress ends as its intent does. */
  readonly remove: (id: string) => Effect.Effect<Option.Option<Follower>, SqlError>
  /** Stops a follower until it is set again; `false` when it has changed since it was read. */
  readonly stop: (follower: Follower, memory: FollowerMemory, reason: string) => Effect.Effect<boolean, SqlError>
  /** Cuts a leg to what the caps allow now; the reason when they allow nothing. */
  readonly clip: (follower: Follower, leg: Leg) => Effect.Effect<FollowerTrade | string, SqlError>
  /** Begins a trade: commits it and its intent, both or neither. */
  readonly begin: (
    follower: Follower,
    trade: FollowerTrade,
    request: IntentRequest,
    memory: FollowerMemory
  ) => Effect.Effect<Beginning, SqlError>
  /** Ends the trade of an intent, once; true after several failures in a row. */
  readonly endTrade: (followerId: string, intentId: string, outcome: Outcome) => Effect.Effect<boolean, SqlError>
  /** Returns what stops a follower: the reason, or null. */
  readonly stoppedBy: (
    follower: Pick<Follower, "network" | "pool" | "wallet">
  ) => Effect.Effect<string | null, SqlError>
}>()("vault-trader/core/intent/FollowerTradeStore") {
  static readonly layer = Layer.effect(
    FollowerTradeStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const intents = yield* IntentStore
      const switches = yield* KillSwitch
      const rows = makeRows(sql)
      const spent = makeSpent(sql)
      return {
        set: makeSet(sql, rows),
        remove: makeRemove(sql, intents, rows),
        stop: makeStop(sql, rows),
        clip: (follower, leg) => Effect.map(spent(follower), ({ spent18 }) => clipped(follower.terms, leg, spent18)),
        begin: makeBegin(sql, intents, switches, rows),
        endTrade: makeEndTrade(sql, rows),
        stoppedBy: (follower) => Effect.map(switches.list, (on) => stopping(on, follower))
      }
    })
  )
}
