/** Stores orders of vaults, what they remember, and their history. */
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
import * as Uuid from "../storage/Uuid.ts"
import { OrderEvent, OrderProgress, OrderSlice, VaultOrder } from "./VaultOrder.ts"

/** The change by an observation in an order without ending it or beginning a slice. */
export interface Note {
  /** The order as it was read: it is left alone when it has changed since. */
  readonly order: VaultOrder
  readonly progress: OrderProgress
  readonly reason: string
  /** Unix milliseconds of the next check; null for the next round. */
  readonly until: number | null
}

const Rows = Schema.decodeUnknownEffect(Schema.Array(VaultOrder))
const Slices = Schema.decodeUnknownEffect(Schema.Array(OrderSlice))
const Events = Schema.decodeUnknownEffect(Schema.Array(OrderEvent))
export const encodeProgress = Schema.encodeSync(Schema.fromJsonString(OrderProgress))

export const columnsOf = (sql: SqlClient.SqlClient) =>
  sql.literal(
    `id::text as id, network, pool, wallet, key_id::text as "keyId", terms, paper, state, progress, total::text as total,
    sold::text as sold, bought::text as bought, revision, slice, open_intent::text as "openIntent",
    open_amount::text as "openAmount", failures, reason, starts_at as "startsAt", expires_at as "expiresAt",
    next_check as "nextCheck", created_at as "createdAt", ended_at as "endedAt"`
  )

/** Decodes rows of orders. A row that does not decode is a defect of this service. */
export const decodeOrders = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
  Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))

/** Appends an entry to an order's history, in the transaction of the change. */
export const appendEvent = (
  sql: SqlClient.SqlClient,
  orderId: string,
  kind: OrderEvent["kind"],
  reason: string
): Effect.Effect<void, SqlError> =>
  Effect.asVoid(sql`insert into vault_order_events ${sql.insert({ order_id: orderId, kind, reason })}`)

/** Maximum time that a check is put off: the clocks of runners and database differ. */
const maxPauseSeconds = 600

const orderReads = (
  sql: SqlClient.SqlClient
): Pick<VaultOrderStore["Service"], "find" | "ofVault" | "ofWallets" | "openOf" | "slices" | "events" | "due"> => {
  const columns = columnsOf(sql)
  return {
    find: (id) =>
      Effect.map(
        decodeOrders(sql`select ${columns} from vault_orders where id = ${id}`),
        ([order]) => Option.fromNullishOr(order)
      ),
    ofVault: ({ before, limit, network, open, pool, wallet }) =>
      decodeOrders(
        sql`select ${columns} from vault_orders where ${
          sql.and([
            sql`network = ${network}`,
            sql`pool = ${pool}`,
            ...(wallet === null ? [] : [sql`wallet = ${wallet}`]),
            ...(open ? [sql`ended_at is null`] : []),
            ...(before === null ? [] : [sql`id < ${before}::uuid`])
          ])
        } order by id desc limit ${limit}`
      ),
    // Each wallet's newest orders are read from its index, however many there are.
    ofWallets: ({ before, limit, network, open, wallets }) =>
      wallets.length === 0 ? Effect.succeed([]) : decodeOrders(
        sql`select ${columns} from vault_orders where id in (
            select n.id from jsonb_array_elements_text(${JSON.stringify(wallets)}::jsonb) as w(wallet)
            cross join lateral (select o.id from vault_orders o where ${
          sql.and([
            sql`o.wallet = w.wallet`,
            ...(network === null ? [] : [sql`o.network = ${network}`]),
            ...(open ? [sql`o.ended_at is null`] : []),
            ...(before === null ? [] : [sql`o.id < ${before}::uuid`])
          ])
        } order by o.id desc limit ${limit}) n)
          order by id desc limit ${limit}`
      ),
    openOf: (network, pool) =>
      decodeOrders(
        sql`select ${columns} from vault_orders where network = ${network} and pool = ${pool} and ended_at is null
          order by id`
      ),
    slices: (id) =>
      Effect.flatMap(
        sql`select slice, intent_id::text as "intentId", amount::text as amount, state, sold::text as sold,
          bought::text as bought, tx_hash as "txHash", message, begun_at as "begunAt", ended_at as "endedAt"
          from vault_order_slices where order_id = ${id} order by slice desc limit 100`,
        (rows) => Effect.orDie(Slices(rows))
      ),
    events: (id) =>
      Effect.flatMap(
        sql`select at, kind, reason from vault_order_events where order_id = ${id} order by vault_order_events.id desc
          limit 100`,
        (rows) => Effect.orDie(Events(rows))
      ),
    due: (network, shard, shards, { after, size }) =>
      decodeOrders(
        sql`select ${columns} from vault_orders
          where network = ${network} and ended_at is null and next_check <= now()
            -- A slice in progress is followed to its end whatever is stopped.
            and (open_intent is not null or (${unlessStopped(sql, "vault_orders")}))
            and (open_intent is null or updated_at < now() - interval '10 seconds')
            and abs(hashtext(pool) % ${shards}) = ${shard} and id > ${after ?? Uuid.nil}::uuid
          order by id limit ${size}`
      )
  }
}

const orderProgress = (
  sql: SqlClient.SqlClient
): Pick<VaultOrderStore["Service"], "recordNotes" | "recordTrigger"> => ({
  recordNotes: (notes) =>
    notes.length === 0 ? Effect.void : Effect.asVoid(sql`update vault_orders o
      set progress = n.progress, reason = n.reason,
        next_check = case when n.until is null then now() else least(to_timestamp(n.until / 1000.0),
          now() + make_interval(secs => ${maxPauseSeconds})) end
      from jsonb_to_recordset(${
      JSON.stringify(notes.map(({ order, progress, reason, until }) => ({
        ...{ id: order.id, revision: order.revision, reason, until },
        before: JSON.parse(encodeProgress(order.progress)) as unknown,
        progress: JSON.parse(encodeProgress(progress)) as unknown
      })))
    }::jsonb) as n(id uuid, revision integer, reason text, until float8, before jsonb, progress jsonb)
      -- What another process has decided in the meantime, above all a trigger, is never undone.
      where o.id = n.id and o.revision = n.revision and o.progress = n.before and o.open_intent is null
        and o.state in ('open', 'triggered')`),
  recordTrigger: (order, progress, reason) =>
    sql.withTransaction(Effect.gen(function*() {
      const rows = yield* sql`update vault_orders set state = 'triggered', progress = ${
        encodeProgress(progress)
      }::jsonb, reason = ${reason}, next_check = now(), updated_at = now()
        where id = ${order.id} and state = 'open' and revision = ${order.revision}
          and progress = ${encodeProgress(order.progress)}::jsonb returning id`
      if (rows.length === 0) return false
      yield* appendEvent(sql, order.id, "triggered", reason)
      return true
    }))
})

export class VaultOrderStore extends Context.Service<VaultOrderStore, {
  readonly find: (id: string) => Effect.Effect<Option.Option<VaultOrder>, SqlError>
  /** Lists a vault's orders, of one wallet or of all, the newest first. */
  readonly ofVault: (query: {
    readonly network: Network
    readonly pool: Address
    readonly wallet: Address | null
    /** True for orders that have not ended. */
    readonly open: boolean
    readonly before: string | null
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<VaultOrder>, SqlError>
  /** Lists the orders that wallets have placed, on one network or on all (null), the newest first. */
  readonly ofWallets: (query: {
    readonly wallets: ReadonlyArray<Address>
    readonly network: Network | null
    /** True for orders that have not ended. */
    readonly open: boolean
    readonly before: string | null
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<VaultOrder>, SqlError>
  /** Lists the vault's orders that have not ended. */
  readonly openOf: (network: Network, pool: Address) => Effect.Effect<ReadonlyArray<VaultOrder>, SqlError>
  /** Lists an order's slices, the newest first, at most a hundred. */
  readonly slices: (id: string) => Effect.Effect<ReadonlyArray<OrderSlice>, SqlError>
  /** Lists an order's history, the newest entry first, at most a hundred. */
  readonly events: (id: string) => Effect.Effect<ReadonlyArray<OrderEvent>, SqlError>
  /**
   * Lists orders of one of `shards` shards of a network that are due, and those whose slice seems to be abandoned: one
   * page, in the order of their ids, after `after`; null for the first page.
   */
  readonly due: (
    network: Network,
    shard: number,
    shards: number,
    page: { readonly after: string | null; readonly size: number }
  ) => Effect.Effect<ReadonlyArray<VaultOrder>, SqlError>
  /** Stores what observations changed; an order that has changed since it was read is left alone. */
  readonly recordNotes: (notes: ReadonlyArray<Note>) => Effect.Effect<void, SqlError>
  /** Commits that an order is triggered; `false` when it has changed since it was read. */
  readonly recordTrigger: (
    order: VaultOrder,
    progress: OrderProgress,
    reason: string
  ) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/vault-order/VaultOrderStore") {
  static readonly layer = Layer.effect(
    VaultOrderStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({ ...orderReads(sql), ...orderProgress(sql) }))
  )
}
