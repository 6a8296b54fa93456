/**
 * Limits per wallet, and what its intents and its orders at exchanges sell a day. Totals are sums of rows under a lock, never a counter
 * beside them.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import type { ExecutionFailure } from "../failure/Failure.ts"
import * as Batcher from "../storage/Batcher.ts"
import { aboutWorth, isNone, KeyLimits, none, refusalOf, refusalOfAll, refusalOfWorth, tightest, type VaultId } from "./KeyLimits.ts"

/** Limits as they stand. The revision goes up with every change; 0 before the first. */
export interface Standing {
  readonly limits: KeyLimits
  readonly revision: number
}

/** What an intent is about to do. */
export interface Spending {
  readonly intentId: string
  readonly wallet: Address
  /** None where it is about no vault. */
  readonly vaults: ReadonlyArray<VaultId>
  /** The worth of what it sells, USD with 18 decimals; null while the oracle has no price for it. Limits in USD refuse that. */
  readonly usd18: bigint | null
}

/** What was accepted and planned under an intent's id. */
export const Planned = Schema.Struct({
  intentId: Schema.String,
  network: Network,
  pool: Address,
  /** Which kind of request it is: its `_tag`. */
  request: Schema.NullOr(Schema.String),
  /** What planning said it sells; null when it was planned before limits were known. */
  usd18: Schema.NullOr(Schema.BigIntFromString),
  /** What the wallet's other intents and orders of that day sell. */
  others: Schema.BigIntFromString
}).annotate({ identifier: "Planned" })
export type Planned = typeof Planned.Type

const Row = Schema.Struct({ ...KeyLimits.fields, wallet: Address, revision: Schema.Int })
const Rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const PlannedRows = Schema.decodeUnknownEffect(Schema.Array(Planned))
const Total = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ total: Schema.BigIntFromString })]))
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

export class KeyLimitStore extends Context.Service<KeyLimitStore, {
  readonly find: (wallet: Address) => Effect.Effect<Standing, SqlError>
  /**
   * Puts what `by` makes of the wallet's limits in their place, and answers it; none when there is no such wallet. Concurrent changes
   * wait for each other.
   */
  readonly change: (wallet: Address, by: (now: KeyLimits) => KeyLimits) => Effect.Effect<Option.Option<KeyLimits>, SqlError>
  /**
   * The same for somebody who is not the operator. A manager puts `wanted` in place where there are no limits, or only the manager's own;
   * everybody else, and `manager: null`, gets the tightest of both.
   */
  readonly restrict: (wallet: Address, manager: Address | null, by: (now: KeyLimits) => KeyLimits) => Effect.Effect<Option.Option<KeyLimits>, SqlError>
  /** The wallet that a key's id (also of a revoked key) or the wallet's own address names. */
  readonly walletOf: (id: string) => Effect.Effect<Option.Option<Address>, SqlError>
  /** What the wallet's intents and exchange orders of today (UTC) sell, failed ones not counted; USD with 18 decimals. */
  readonly usedToday: (wallet: Address) => Effect.Effect<bigint, SqlError>
  /** Why a write is refused before it is accepted. A repeat of an accepted one never is: it is answered as the first was. */
  readonly refusalOfWrite: (write: {
    readonly wallet: Address
    readonly vault: VaultId | null
    readonly idempotencyKey: string | null
  }) => Effect.Effect<Option.Option<ExecutionFailure>, SqlError>
  /** Why this would be refused now. Reserves nothing: for dry runs. */
  readonly refusal: (spending: Omit<Spending, "intentId">) => Effect.Effect<Option.Option<ExecutionFailure>, SqlError>
  /**
   * Counts an intent into today, in place of what it was counted as before, and holds the wallet to its limits. To be run in the
   * transaction that commits the plan: two vaults of one wallet then pass one after the other.
   */
  readonly reserve: (spending: Spending) => Effect.Effect<void, ExecutionFailure | SqlError>
  /** The same for an order at an exchange, by what its row says that it sells: when it is decided, and again when it is sent. */
  readonly reserveOrder: (orderId: string) => Effect.Effect<void, ExecutionFailure | SqlError>
  /** What was planned under these ids of a wallet. */
  readonly planned: (wallet: Address, intentIds: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Planned>, SqlError>
}>()("vault-trader/core/gas-wallet/KeyLimitStore") {
  static readonly layer = Layer.effect(
    KeyLimitStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        `vaults, max_usd18_per_trade::text as "maxUsd18PerTrade", max_usd18_per_day::text as "maxUsd18PerDay", read_only as "readOnly", revision, wallet`
      )
      const today = sql.literal(`(now() at time zone 'utc')::date`)

      const standingOf = (row: (typeof Row)["Type"] | undefined): Standing => {
        if (row === undefined) return { limits: none, revision: 0 }
        const { revision, wallet: _, ...limits } = row
        return { limits: KeyLimits.make(limits), revision }
      }
      const standing = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.map(Effect.flatMap(rows, (found) => Effect.orDie(Rows(found))), ([row]) => standingOf(row))
      // Lanes that inspect at the same moment share a statement.
      const find = yield* Batcher.make({
        maximum: 64,
        concurrency: 2,
        run: (wallets: ReadonlyArray<Address>) =>
          Effect.map(
            Effect.flatMap(sql`select ${columns} from key_limits where wallet in ${sql.in(wallets)}`, (rows) => Effect.orDie(Rows(rows))),
            (rows) => wallets.map((wallet) => standingOf(rows.find((row) => row.wallet === wallet)))
          )
      })
      const locked = (wallet: Address) => standing(sql`select ${columns} from key_limits where wallet = ${wallet} for update`)

      const usedToday = (wallet: Address, except: string | null) =>
        Effect.map(
          Effect.flatMap(
            sql`select coalesce(sum(usd18), 0)::text as total from spending
              where wallet = ${wallet} and day = ${today} and id is distinct from ${except}::uuid`,
            (rows) => Effect.orDie(Total(rows))
          ),
          ([{ total }]) => total
        )

      const verdict = ({ limits }: Standing, { usd18, vaults, wallet }: Omit<Spending, "intentId">, except: string | null) =>
        Effect.gen(function*() {
          const refused = refusalOfAll(limits, vaults)
          if (refused !== undefined) return Option.some(refused)
          if (!aboutWorth(limits)) return Option.none()
          return Option.fromNullishOr(refusalOfWorth(limits, { usd18, others: yield* usedToday(wallet, except) }))
        })

      const put = (wallet: Address, limits: KeyLimits, manager: Address | null) => {
        const row = {
          vaults: limits.vaults === null ? null : JSON.stringify(limits.vaults),
          trade: limits.maxUsd18PerTrade?.toString() ?? null,
          day: limits.maxUsd18PerDay?.toString() ?? null
        }
        return sql`insert into key_limits (wallet, vaults, max_usd18_per_trade, max_usd18_per_day, read_only, manager)
          values (${wallet}, ${row.vaults}::jsonb, ${row.trade}::numeric, ${row.day}::numeric, ${limits.readOnly}, ${manager})
          on conflict (wallet) do update set manager = excluded.manager, vaults = excluded.vaults, max_usd18_per_trade = excluded.max_usd18_per_trade,
            max_usd18_per_day = excluded.max_usd18_per_day, read_only = excluded.read_only,
            revision = key_limits.revision + 1, updated_at = now()`
      }

      /** Puts in place what is made of the limits, and of the manager who set them. */
      const changed = (wallet: Address, by: (now: KeyLimits, setBy: Address | null) => readonly [KeyLimits, Address | null]) =>
        sql.withTransaction(Effect.gen(function*() {
          const known = yield* sql`select address from gas_wallets where address = ${wallet} for no key update`
          if (known.length === 0) return Option.none()
          const now = yield* locked(wallet)
          const [row] = yield* sql<{ readonly manager: Address | null }>`select manager from key_limits where wallet = ${wallet}`
          const [limits, manager] = by(now.limits, row?.manager ?? null)
          yield* put(wallet, limits, manager)
          return Option.some(limits)
        }))

      return {
        find,
        change: (wallet, by) => changed(wallet, (now) => [by(now), null]),
        restrict: (wallet, manager, by) =>
          changed(wallet, (now, setBy) =>
            manager !== null && (isNone(now) || setBy === manager) ? [by(now), manager] : [tightest(now, by(now)), setBy]),
        walletOf: (id) =>
          Effect.map(
            uuid.test(id)
              ? sql<{ readonly wallet: Address }>`select wallet from api_keys where id = ${id}::uuid`
              : sql<{ readonly wallet: Address }>`select address as wallet from gas_wallets where address = ${id.toLowerCase()}`,
            ([row]) => Option.map(Option.fromNullishOr(row), ({ wallet }) => wallet)
          ),
        usedToday: (wallet) => usedToday(wallet, null),
        refusalOfWrite: ({ idempotencyKey, vault, wallet }) =>
          Effect.map(
            standing(sql`select ${columns} from key_limits where wallet = ${wallet} and not exists
              (select 1 from idempotency_keys k where k.wallet = ${wallet} and k.key = ${idempotencyKey})`),
            ({ limits }) => Option.fromNullishOr(refusalOf(limits, vault))
          ),
        refusal: (spending) => Effect.flatMap(find(spending.wallet), (found) => verdict(found, spending, null)),
        reserve: (spending) =>
          Effect.gen(function*() {
            const { intentId, usd18, wallet } = spending
            // Counted with or without limits: one that is set at noon counts the morning.
            const [row] = yield* sql<{ readonly limited: boolean }>`insert into key_spending (intent_id, wallet, day, usd18)
              values (${intentId}::uuid, ${wallet}, ${today}, ${(usd18 ?? 0n).toString()}::numeric)
              on conflict (intent_id) do update set day = excluded.day, usd18 = excluded.usd18
              returning exists (select 1 from key_limits l where l.wallet = ${wallet}) as limited`
            if (row?.limited !== true) return
            // Locked before the sum is taken: whoever planned at the same moment has committed, or waits.
            const refused = yield* verdict(yield* locked(wallet), spending, intentId)
            if (Option.isSome(refused)) return yield* refused.value
          }),
        reserveOrder: (orderId) =>
          Effect.gen(function*() {
            const [row] = yield* sql<{ readonly wallet: Address; readonly usd18: string; readonly limited: boolean }>`update exchange_orders o
              set spent_on = ${today} where id = ${orderId} and usd is not null
              returning wallet, ceil(usd * 1e18)::text as usd18, exists (select 1 from key_limits l where l.wallet = o.wallet) as limited`
            if (row?.limited !== true) return
            const refused = yield* verdict(yield* locked(row.wallet), { wallet: row.wallet, vaults: [], usd18: BigInt(row.usd18) }, orderId)
            if (Option.isSome(refused)) return yield* refused.value
          }),
        planned: (wallet, intentIds) =>
          intentIds.length === 0 ? Effect.succeed([]) : Effect.flatMap(
            sql`with used as (
                select day, sum(usd18) as total from spending
                where wallet = ${wallet} and day in (select day from key_spending where intent_id in ${sql.in(intentIds)})
                group by day)
              select i.id as "intentId", i.network, i.pool, i.request ->> '_tag' as request, s.usd18::text as usd18,
                greatest(coalesce(u.total - s.usd18, 0), 0)::text as others
              from intents i left join key_spending s on s.intent_id = i.id left join used u on u.day = s.day
              where i.wallet = ${wallet} and i.id in ${sql.in(intentIds)}`,
            (rows) => Effect.orDie(PlannedRows(rows))
          )
      }
    })
  )
}
