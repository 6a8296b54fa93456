/** Stores followers of vaults, what they remember, and their history. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { unlessStopped } from "../gas-wallet/KillSwitch.ts"
import { Follower, FollowerEvent, FollowerMemory, TradeRow } from "./Follower.ts"

const Rows = Schema.decodeUnknownEffect(Schema.Array(Follower))
const Trades = Schema.decodeUnknownEffect(Schema.Array(TradeRow))
const Events = Schema.decodeUnknownEffect(Schema.Array(FollowerEvent))
export const encodeMemory = Schema.encodeSync(Schema.fromJsonString(FollowerMemory))

export const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `id::text as id, network, pool, wallet, key_id::text as "keyId", terms, state, memory, revision, step,
    open_intent::text as "openIntent", failures, reason, stopped_at as "stoppedAt", checked_at as "checkedAt",
    created_at as "createdAt", ended_at as "endedAt"`
  )

/** Decodes rows of followers. A row that does not decode is a defect of this service. */
export const decodeFollowers = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))

/** Appends an entry to a follower's history, in the transaction of the change. */
export const appendEvent = (
  sql: SqlClient.SqlClient,
  followerId: string,
  kind: FollowerEvent["kind"],
  reason: string
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`insert into vault_follower_events ${sql.insert({ follower_id: followerId, kind, reason })}`)

/** A reading that changes nothing but what the follower remembers. */
export interface Note {
  /** The follower as it was read: it is left alone when it has changed since. */
  readonly follower: Follower
  readonly memory: FollowerMemory
  readonly reason: string
  /** Seconds until the next reading. */
  readonly seconds: number
}

export class FollowerStore extends Context.Service<FollowerStore, {
  readonly find: (id: string) => Effect.Effect<Option.Option<Follower>, SqlError>
  /** Finds the rule by which the vault follows. */
  readonly ofVault: (network: Network, pool: Address) => Effect.Effect<Option.Option<Follower>, SqlError>
  /** Lists the rules of a wallet by which vaults follow this one, at most a hundred. */
  readonly ofLeader: (
    network: Network,
    leader: Address,
    wallet: Address
  ) => Effect.Effect<ReadonlyArray<Follower>, SqlError>
  /** Lists a follower's trades, the newest first, at most fifty. */
  readonly trades: (id: string) => Effect.Effect<ReadonlyArray<TradeRow>, SqlError>
  /** Lists a follower's history, the newest entry first, at most fifty. */
  readonly events: (id: string) => Effect.Effect<ReadonlyArray<FollowerEvent>, SqlError>
  /** Lists followers of a network whose reading is due, and those whose trade seems to be abandoned; a page. */
  readonly due: (
    network: Network,
    page: { readonly after: string | null; readonly size: number }
  ) => Effect.Effect<ReadonlyArray<Follower>, SqlError>
  /** Stores a reading; a follower that has changed since it was read is left alone. */
  readonly record: (note: Note) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/follower/FollowerStore") {
  static readonly layer = Layer.effect(
    FollowerStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = columnsOf(sql)
      const first = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.map(decodeFollowers(rows), ([follower]) => Option.fromNullishOr(follower))
      return {
        find: (id) => first(sql`select ${columns} from vault_followers where id = ${id}`),
        ofVault: (network, pool) =>
          first(sql`select ${columns} from vault_followers
            where network = ${network} and pool = ${pool} and ended_at is null`),
        ofLeader: (network, leader, wallet) =>
          decodeFollowers(sql`select ${columns} from vault_followers
            where network = ${network} and leader = ${leader} and wallet = ${wallet} and ended_at is null
            order by id limit 100`),
        trades: (id) =>
          Effect.flatMap(
            sql`select step, intent_id::text as "intentId", trade, state, tx_hash as "txHash", message,
              begun_at as "begunAt", ended_at as "endedAt" from vault_follower_trades where follower_id = ${id}
              order by step desc limit 50`,
            (rows) => Effect.orDie(Trades(rows))
          ),
        events: (id) =>
          Effect.flatMap(
            sql`select at, kind, reason from vault_follower_events where follower_id = ${id}
              order by vault_follower_events.id desc limit 50`,
            (rows) => Effect.orDie(Events(rows))
          ),
        due: (network, { after, size }) =>
          decodeFollowers(
            sql`select ${columns} from vault_followers
              where network = ${network} and ended_at is null and state = 'following' and next_check <= now()
                -- A trade in progress is followed to its end whatever is stopped.
                and (open_intent is not null or (${unlessStopped(sql, "vault_followers")}))
                and (open_intent is null or updated_at < now() - interval '10 seconds')
                and (${after}::uuid is null or id > ${after}::uuid)
              order by id limit ${size}`
          ),
        record: ({ follower: { id, memory: before, revision, state }, memory, reason, seconds }) =>
          Effect.asVoid(sql`update vault_followers set memory = ${encodeMemory(memory)}::jsonb, reason = ${reason},
              checked_at = now(), next_check = now() + make_interval(secs => ${seconds})
            where id = ${id} and revision = ${revision} and state = ${state} and open_intent is null
              and ended_at is null and memory = ${encodeMemory(before)}::jsonb`)
      }
    })
  )
}
