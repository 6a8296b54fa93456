/**
 * The transactions that place, amend, cancel and end orders of vaults, and begin and end their slices. Each locks the
 * order's row first: once a cancellation is answered with `cancelled`, no slice begins, and none is in progress.
 */
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
import { explain } from "../failure/Explanation.ts"
import type { Reason } from "../failure/Reason.ts"
import { KillSwitch, stopping } from "../gas-wallet/KillSwitch.ts"
import * as IdempotencyKeys from "../storage/IdempotencyKeys.ts"
import { noProgress, type OrderSliceRequest, OrderTerms, sliceKey, type VaultOrder } from "../vault-order/VaultOrder.ts"
import { appendEvent, columnsOf, decodeOrders, encodeProgress } from "../vault-order/VaultOrderStore.ts"
import { Failed } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import { type SliceEnd, sliceEndOf } from "./SliceOutcome.ts"

/** An order to place. */
export interface NewOrder extends Pick<VaultOrder, "id" | "network" | "pool" | "wallet" | "keyId" | "terms" | "paper"> {
  readonly idempotencyKey: string | null
  /** The parameters as the caller gave them, as JSON text. */
  readonly request: string
  readonly total: bigint | null
  /** Unix milliseconds. */
  readonly startsAt: number
  readonly expiresAt: number
}

/** `known`: the idempotency key named it. `conflict`: the key names another request. `full`: too many are open. */
export type Placement =
  | { readonly _tag: "placed" | "known"; readonly order: VaultOrder }
  | { readonly _tag: "conflict"; readonly id: string }
  | { readonly _tag: "full"; readonly maximum: number }

/** The slice that an order makes next, sized on the market of this moment. */
export interface NewSlice {
  readonly request: OrderSliceRequest
  readonly total: bigint
  readonly slot: number
  readonly reason: string
}

/** Terms and expiry of an amended order. */
export interface Amendment {
  readonly terms: OrderTerms
  readonly total: bigint | null
  /** Unix milliseconds; null leaves it as it is. */
  readonly expiresAt: number | null
}

/** `ended`: it has ended. `changed`: it has changed since it was read. `sold`: it has sold more than that already. */
export type Amended =
  | { readonly _tag: "amended"; readonly order: VaultOrder }
  | { readonly _tag: "ended" | "changed" | "sold" }

/** Maximum number of a wallet's orders of a vault that have not ended. */
export const maxOpen = 100

/** Seconds from a slice to the next one of an order without a schedule: the pool is traded back meanwhile. */
export const slicePauseSeconds = 30

const encodeTerms = Schema.encodeSync(Schema.fromJsonString(OrderTerms))

const withdrawn = (reason: Extract<Reason, { readonly _tag: "VaultOrderCancelled" | "VaultOrderAmended" }>) =>
  Failed.make({ txHash: null, failure: explain(reason) })

const changeOf = (
  action: "order.placed" | "order.amended" | "order.cancelled",
  { id, network, pool, terms, wallet }: Pick<VaultOrder, "id" | "network" | "pool" | "terms" | "wallet">
): Audit.Change => ({
  action,
  subject: id,
  wallet,
  details: { network, pool, type: terms.type, side: terms.side, pair: terms.pair }
})

type Rows = ReturnType<typeof orderRows>

/** Builds the statements on one order; each runs in a transaction. */
const orderRows = (sql: SqlClient.SqlClient) => {
  const columns = columnsOf(sql)
  /** Locks the order's row. */
  const lock = (id: string) =>
    Effect.map(
      decodeOrders(sql`select ${columns} from vault_orders where id = ${id} for update`),
      ([order]) => order
    )

  /** Ends an order without a slice in progress, and returns its row. */
  const end = (id: string, state: "done" | "cancelled" | "expired", reason: string) =>
    Effect.gen(function*() {
      const [order] = yield* decodeOrders(sql`update vault_orders set state = ${state}, reason = ${reason},
          ended_at = now(), updated_at = now()
        where id = ${id} and ended_at is null and open_intent is null returning ${columns}`)
      if (order !== undefined) yield* appendEvent(sql, id, state, reason)
      return order
    })

  /** Ends a slice, once: what it moved is added to its order. */
  const endSlice = (order: VaultOrder, intentId: string, slice: SliceEnd) =>
    Effect.gen(function*() {
      const { bought, counts, message, sold, state, txHash } = slice
      const ended = yield* sql`update vault_order_slices set state = ${state}, sold = ${sold.toString()}::numeric,
          bought = ${bought.toString()}::numeric, tx_hash = ${txHash}, message = ${message}, ended_at = now()
        where order_id = ${order.id} and intent_id = ${intentId} and state = 'in_progress' returning slice`
      if (ended.length === 0) return
      yield* appendEvent(sql, order.id, state === "succeeded" ? "slice_succeeded" : "slice_failed", message)
      const pauses = order.terms.intervalSeconds === null ? slicePauseSeconds : 0
      yield* sql`update vault_orders set open_intent = null, open_amount = null, slice = slice + 1,
          sold = sold + ${sold.toString()}::numeric, bought = bought + ${bought.toString()}::numeric,
          reason = ${message}, updated_at = now(),
          failures = case when ${state} = 'succeeded' then 0 when ${counts}::boolean then failures + 1 else failures end,
          -- Each failure in a row doubles the wait, to ten minutes at most.
          next_check = case when ${state} = 'succeeded' then now() + make_interval(secs => ${pauses})
            else now() + least(interval '15 seconds' * power(2, least(failures, 6)), interval '10 minutes') end
        where id = ${order.id}`
      if (order.state === "cancelling") yield* end(order.id, "cancelled", "It was cancelled; its last slice counts.")
      else if (order.total !== null && order.sold + sold >= order.total) {
        yield* end(order.id, "done", "All of it is executed.")
      }
    })

  return { columns, end, endSlice, lock }
}

/** Builds the withdrawal of an order's slice in progress. */
const withdrawal = (intents: IntentStore["Service"], { endSlice, lock }: Rows) =>
/**
 * Ends the slice if its intent is not planned yet, or has ended already; returns the order after that. A planned
 * slice continues, and is then still in progress in the returned order.
 */
(order: VaultOrder, outcome: Failed) =>
  Effect.gen(function*() {
    if (order.openIntent === null) return order
    yield* intents.withdraw(order.openIntent, outcome)
    const intent = Option.getOrUndefined(yield* intents.find(order.openIntent))
    if (intent?.outcome === null || intent === undefined) return order
    yield* endSlice(order, order.openIntent, sliceEndOf(intent.outcome))
    return (yield* lock(order.id)) ?? order
  })

const makePlace = (sql: SqlClient.SqlClient, { columns }: Rows) => (order: NewOrder) =>
  Audit.transaction(
    sql,
    Effect.gen(function*(): Effect.fn.Return<Placement, SqlError> {
      const { expiresAt, id, idempotencyKey, keyId, network, paper, pool, request, startsAt, terms, total, wallet } =
        order
      // Serializes a wallet's placements, so that their number stays within its maximum.
      yield* sql`select 1 from gas_wallets where address = ${wallet} for no key update`
      const known = Option.getOrUndefined(yield* IdempotencyKeys.findRequestId(sql, wallet, idempotencyKey))
      if (known !== undefined) {
        const [earlier] = yield* decodeOrders(
          sql`select ${columns} from vault_orders where id = ${known} and request = ${request}::jsonb`
        )
        return earlier === undefined ? { _tag: "conflict", id: known } : { _tag: "known", order: earlier }
      }
      const [open] = yield* sql<{ readonly count: number }>`select count(*)::int as count from vault_orders
        where wallet = ${wallet} and network = ${network} and pool = ${pool} and ended_at is null and id <> ${id}`
      if ((open?.count ?? 0) >= maxOpen) return { _tag: "full", maximum: maxOpen }
      const reason = "It was placed."
      const [placed] = yield* decodeOrders(sql`insert into vault_orders (id, network, pool, wallet, key_id,
          idempotency_key, request, terms, paper, progress, total, reason, starts_at, expires_at)
        values (${id}, ${network}, ${pool}, ${wallet}, ${keyId}, ${idempotencyKey}, ${request}::jsonb,
          ${encodeTerms(terms)}::jsonb, ${paper}, ${encodeProgress(noProgress)}::jsonb,
          ${total === null ? null : total.toString()}::numeric, ${reason},
          to_timestamp(${startsAt}::float8 / 1000), to_timestamp(${expiresAt}::float8 / 1000))
        on conflict do nothing returning ${columns}`)
      if (placed === undefined) {
        // This order's own earlier commit, whose confirmation was lost, or a request that took the key just now.
        const [own] = yield* decodeOrders(sql`select ${columns} from vault_orders where id = ${id}`)
        if (own !== undefined) return { _tag: "placed", order: own }
        const taken = yield* IdempotencyKeys.findRequestId(sql, wallet, idempotencyKey)
        return { _tag: "conflict", id: Option.getOrElse(taken, () => id) }
      }
      yield* appendEvent(sql, id, "placed", reason)
      yield* Audit.append(sql, changeOf("order.placed", placed))
      return { _tag: "placed", order: placed }
    })
  )

const makeBegin =
  (sql: SqlClient.SqlClient, intents: IntentStore["Service"], switches: KillSwitch["Service"], { lock }: Rows) =>
  (read: VaultOrder, { reason, request, slot, total }: NewSlice) =>
    sql.withTransaction(Effect.gen(function*() {
      const order = yield* lock(read.id)
      const isCurrent = order !== undefined && (order.state === "open" || order.state === "triggered") &&
        order.openIntent === null && order.slice === request.slice && order.revision === read.revision &&
        encodeProgress(order.progress) === encodeProgress(read.progress)
      if (!isCurrent) return Option.none<string>()
      if (stopping(yield* switches.list, order) !== null) return Option.none<string>()
      const { _tag, id } = yield* intents.acceptInTransaction({
        wallet: order.wallet,
        keyId: order.keyId,
        endpoint: "placeOrder",
        network: order.network,
        pool: order.pool,
        request,
        idempotencyKey: sliceKey(order.id, request.slice)
      })
      if (_tag !== "accepted") {
        return yield* Effect.die(new Error(`slice ${request.slice} of ${order.id} has an intent`))
      }
      yield* sql`insert into vault_order_slices ${
        sql.insert({
          order_id: order.id,
          slice: request.slice,
          intent_id: id,
          amount: request.amount.toString()
        })
      }`
      yield* sql`update vault_orders set open_intent = ${id}, open_amount = ${request.amount.toString()}::numeric,
          total = ${total.toString()}::numeric, progress = ${encodeProgress({ ...order.progress, slot })}::jsonb,
          reason = ${reason}, updated_at = now(), next_check = now() where id = ${order.id}`
      yield* appendEvent(sql, order.id, "slice_begun", reason)
      return Option.some(id)
    }))

const makeAmend = (sql: SqlClient.SqlClient, intents: IntentStore["Service"], rows: Rows) => {
  const withdraw = withdrawal(intents, rows)
  return (read: VaultOrder, { expiresAt, terms, total }: Amendment) =>
    Audit.transaction(
      sql,
      Effect.gen(function*(): Effect.fn.Return<Amended, SqlError> {
        const locked = yield* rows.lock(read.id)
        if (locked === undefined || locked.endedAt !== null || locked.state === "cancelling") return { _tag: "ended" }
        if (locked.revision !== read.revision || locked.state !== read.state) return { _tag: "changed" }
        const order = yield* withdraw(locked, withdrawn({ _tag: "VaultOrderAmended" }))
        if (order.endedAt !== null) return { _tag: "ended" }
        if (total !== null && total <= order.sold + (order.openAmount ?? 0n)) return { _tag: "sold" }
        // The row of confirmations is about the earlier terms; a trigger, a peak and the slots are kept.
        const progress = { ...order.progress, held: null }
        const [amended] = yield* decodeOrders(sql`update vault_orders set terms = ${encodeTerms(terms)}::jsonb,
            total = ${total === null ? null : total.toString()}::numeric, revision = revision + 1, failures = 0,
            progress = ${encodeProgress(progress)}::jsonb, reason = 'It was amended.', next_check = now(),
            expires_at = case when ${expiresAt}::float8 is null then expires_at
              else to_timestamp(${expiresAt}::float8 / 1000) end, updated_at = now()
          where id = ${order.id} returning ${rows.columns}`)
        if (amended === undefined) return { _tag: "ended" }
        yield* appendEvent(sql, order.id, "amended", "It was amended.")
        yield* Audit.append(sql, changeOf("order.amended", amended))
        return { _tag: "amended", order: amended }
      })
    )
}

const makeCancel = (sql: SqlClient.SqlClient, intents: IntentStore["Service"], rows: Rows) => {
  const withdraw = withdrawal(intents, rows)
  const cancel = (id: string) =>
    Effect.gen(function*() {
      const locked = yield* rows.lock(id)
      if (locked === undefined || locked.endedAt !== null) return locked
      const order = yield* withdraw(locked, withdrawn({ _tag: "VaultOrderCancelled" }))
      if (order.endedAt !== null) return order
      if (locked.state !== "cancelling") yield* Audit.append(sql, changeOf("order.cancelled", order))
      if (order.openIntent === null) return (yield* rows.end(id, "cancelled", "It was cancelled.")) ?? order
      if (locked.state === "cancelling") return order
      const reason = "It was cancelled while a slice was in progress, whose outcome counts."
      const [cancelling] = yield* decodeOrders(sql`update vault_orders set state = 'cancelling', reason = ${reason},
          next_check = now(), updated_at = now() where id = ${id} returning ${rows.columns}`)
      yield* appendEvent(sql, id, "cancelling", reason)
      return cancelling ?? order
    })
  // In the order of their ids, so that two requests do not wait for each other.
  return (ids: ReadonlyArray<string>) =>
    Audit.transaction(
      sql,
      Effect.map(
        Effect.forEach(ids.toSorted(), cancel),
        (orders) => orders.flatMap((order) => order === undefined ? [] : [order])
      )
    )
}

export class OrderSliceStore extends Context.Service<OrderSliceStore, {
  /** Places an order. Placing it again under the same id or key changes nothing. */
  readonly place: (order: NewOrder) => Effect.Effect<Placement, SqlError>
  /** Returns the order that an idempotency key names, if the request is the same. */
  readonly findRepeat: (id: string, request: string) => Effect.Effect<Option.Option<VaultOrder>, SqlError>
  /** Changes an order's terms. Its slice in progress ends if it is not planned yet, and counts otherwise. */
  readonly amend: (order: VaultOrder, amendment: Amendment) => Effect.Effect<Amended, SqlError>
  /**
   * Cancels orders, and returns them as they are then: `cancelled` when no slice can move anything,
   * `cancelling` while the outcome of a planned slice is awaited, or as they had ended before.
   */
  readonly cancel: (ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<VaultOrder>, SqlError>
  /**
   * Begins an order's slice: commits the slice and its intent, both or neither. None when the order has changed since
   * it was read, or is stopped.
   */
  readonly begin: (order: VaultOrder, slice: NewSlice) => Effect.Effect<Option.Option<string>, SqlError>
  /** Ends the slice of an intent, once, and its order with it when all is executed. */
  readonly endSlice: (orderId: string, intentId: string, end: SliceEnd) => Effect.Effect<void, SqlError>
  /** Ends an order, unless a slice is in progress. */
  readonly end: (orderId: string, state: "done" | "expired", reason: string) => Effect.Effect<void, SqlError>
  /** Returns the vaults' switches that stop an order: the reason, or null. */
  readonly stoppedBy: (order: {
    readonly network: Network
    readonly pool: Address
    readonly wallet: Address
  }) => Effect.Effect<string | null, SqlError>
}>()("vault-trader/core/intent/OrderSliceStore") {
  static readonly layer = Layer.effect(
    OrderSliceStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const intents = yield* IntentStore
      const switches = yield* KillSwitch
      const rows = orderRows(sql)
      return {
        place: makePlace(sql, rows),
        findRepeat: (id, request) =>
          Effect.map(
            decodeOrders(
              sql`select ${rows.columns} from vault_orders where id = ${id} and request = ${request}::jsonb`
            ),
            ([order]) => Option.fromNullishOr(order)
          ),
        amend: makeAmend(sql, intents, rows),
        cancel: makeCancel(sql, intents, rows),
        begin: makeBegin(sql, intents, switches, rows),
        endSlice: (orderId, intentId, end) =>
          sql.withTransaction(
            Effect.flatMap(
              rows.lock(orderId),
              (order) => order === undefined ? Effect.void : rows.endSlice(order, intentId, end)
            )
          ),
        end: (orderId, state, reason) =>
          sql.withTransaction(
            Effect.flatMap(rows.lock(orderId), (order) =>
              order === undefined || order.endedAt !== null
                ? Effect.void
                : Effect.asVoid(rows.end(orderId, order.state === "cancelling" ? "cancelled" : state, reason)))
          ),
        stoppedBy: (order) => Effect.map(switches.list, (on) => stopping(on, order))
      }
    })
  )
}
