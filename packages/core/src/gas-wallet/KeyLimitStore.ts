/**
 * Stores limits per wallet, and the daily sales of its intents and its exchange orders. Totals are sums of rows under a
 * lock, never a separate counter.
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
import {
  aboutWorth,
  isNone,
  KeyLimits,
  none,
  refusalOf,
  refusalOfAll,
  refusalOfWorth,
  tightest,
  type VaultId
} from "./KeyLimits.ts"

/** The current limits. The revision increases with every change; 0 before the first. */
export interface Standing {
  readonly limits: KeyLimits
  readonly revision: number
}

/** The planned sale of an intent. */
export interface Spending {
  readonly intentId: string
  readonly wallet: Address
  /** Empty when the intent is not about a vault. */
  readonly vaults: ReadonlyArray<VaultId>
  /**
   * Value of the assets sold, USD with 18 decimals; null when the oracle has no price. Limits in USD then refuse it.
   */
  readonly usd18: bigint | null
}

/** The accepted request and planned sale of an intent. */
export const Planned = Schema.Struct({
  intentId: Schema.String,
  network: Network,
  pool: Address,
  /** The `_tag` of the request. */
  request: Schema.NullOr(Schema.String),
  /** Planned sale; null when it was planned before limits existed. */
  usd18: Schema.NullOr(Schema.BigIntFromString),
  /** Sales of the wallet's other intents and orders of that day. */
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
   * Replaces the wallet's limits by the result of `by`, and returns it; none when there is no such wallet. Concurrent
   * changes wait for each other.
   */
  readonly change: (
    wallet: Address,
    by: (now: KeyLimits) => KeyLimits
  ) => Effect.Effect<Option.Option<KeyLimits>, SqlError>
  /**
   * Changes limits for a caller other than the operator. A manager replaces limits if there are none, or if the same
   * manager set them; in all other cases, and with `manager: null`, the tightest of the old and new limits apply.
   */
  readonly restrict: (
    wallet: Address,
    manager: Address | null,
    by: (now: KeyLimits) => KeyLimits
  ) => Effect.Effect<Option.Option<KeyLimits>, SqlError>
  /** Finds a wallet by the id of a key (also a revoked one) or by its own address. */
  readonly walletOf: (id: string) => Effect.Effect<Option.Option<Address>, SqlError>
  /**
   * Sums today's (UTC) sales of the wallet's intents and exchange orders, without failed ones; USD with 18 decimals.
   */
  readonly usedToday: (wallet: Address) => Effect.Effect<bigint, SqlError>
  /**
   * Returns why a write is refused before it is accepted. A repeat of an accepted write is never refused: it gets the
   * first one's answer.
   */
  readonly refusalOfWrite: (write: {
    readonly wallet: Address
    readonly vault: VaultId | null
    readonly idempotencyKey: string | null
  }) => Effect.Effect<Option.Option<ExecutionFailure>, SqlError>
  /** Returns why this would be refused now. Reserves nothing: for dry runs. */
  readonly refusal: (spending: Omit<Spending, "intentId">) => Effect.Effect<Option.Option<ExecutionFailure>, SqlError>
  /**
   * Counts an intent in today's sales, replacing its earlier amount, and enforces the wallet's limits. Runs in the
   * transaction that commits the plan, so that two vaults of one wallet are checked one after the other.
   */
  readonly reserve: (spending: Spending) => Effect.Effect<void, ExecutionFailure | SqlError>
  /** Does the same for an exchange order, by the amount in its row: when it is decided, and again when it is sent. */
  readonly reserveOrder: (orderId: string) => Effect.Effect<void, ExecutionFailure | SqlError>
  /** Returns the planned sales of these intents of a wallet. */
  readonly planned: (
    wallet: Address,
    intentIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Planned>, SqlError>
}>()("vault-trader/core/gas-wallet/KeyLimitStore") {
  static readonly layer = Layer.effect(
    KeyLimitStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(
        `vaults, max_usd18_per_trade::text as "maxUsd18PerTrade", max_usd18_per_day::text as "maxUsd18PerDay", ` +
          `read_only as "readOnly", revision, wallet`
      )
      const today = sql.literal(`(now() at time zone 'utc')::date`)

      const standingOf = (row: (typeof Row)["Type"] | undefined): Standing => {
        if (row === undefined) return { limits: none, revision: 0 }
        const { revision, wallet: _, ...limits } = row
        return { limits: KeyLimits.make(limits), revision }
      }
      const standing = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.map(Effect.flatMap(rows, (found) => Effect.orDie(Rows(found))), ([row]) => standingOf(row))
      // Lanes that check limits at the same moment share a statement.
      const find = yield* Batcher.make({
        maximum: 64,
        concurrency: 2,
        run: (wallets: ReadonlyArray<Address>) =>
          Effect.map(
            Effect.flatMap(sql`select ${columns} from key_limits where wallet in ${sql.in(wallets)}`, (rows) =>
              Effect.orDie(Rows(rows))),
            (rows) =>
              wallets.map((wallet) => standingOf(rows.find((row) => row.wallet === wallet)))
          )
      })
      const locked = (wallet: Address) =>
        standing(sql`select ${columns} from key_limits where wallet = ${wallet} for update`)

      const usedToday = (wallet: Address, except: string | null) =>
        Effect.map(
          Effect.flatMap(
            sql`select coalesce(sum(usd18), 0)::text as total from spending
              where wallet = ${wallet} and day = ${today} and id is distinct from ${except}::uuid`,
            (rows) => Effect.orDie(Total(rows))
          ),
          ([{ total }]) => total
        )

      const check = (
        { limits }: Standing,
        { usd18, vaults, wallet }: Omit<Spending, "intentId">,
        except: string | null
      ) =>
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
          values (${wallet}, ${row.vaults}::jsonb, ${row.trade}::numeric, ${row.day}::numeric, ${limits.readOnly},
          ${manager})
          on conflict (wallet) do update
          set manager = excluded.manager, vaults = excluded.vaults, max_usd18_per_trade = excluded.max_usd18_per_trade,
            max_usd18_per_day = excluded.max_usd18_per_day, read_only = excluded.read_only,
            revision = key_limits.revision + 1, updated_at = now()`
      }

      /** Replaces the limits and the manager who set them by the result of `by`. */
      const replace = (
        wallet: Address,
        by: (now: KeyLimits, setBy: Address | null) => readonly [KeyLimits, Address | null]
      ) =>
        sql.withTransaction(Effect.gen(function*() {
          const known = yield* sql`select address from gas_wallets where address = ${wallet} for no key update`
          if (known.length === 0) return Option.none()
          const now = yield* locked(wallet)
          const [row] = yield* sql<
            { readonly manager: Address | null }
          >`select manager from key_limits where wallet = ${wallet}`
          const [limits, manager] = by(now.limits, row?.manager ?? null)
          yield* put(wallet, limits, manager)
          return Option.some(limits)
        }))

      return {
        find,
        change: (wallet, by) => replace(wallet, (now) => [by(now), null]),
        restrict: (wallet, manager, by) =>
          replace(
            wallet,
            (now, setBy) =>
              manager !== null && (isNone(now) || setBy === manager)
                ? [by(now), manager]
                : [tightest(now, by(now)), setBy]
          ),
        walletOf: (id) =>
          Effect.map(
            uuid.test(id)
              ? sql<{ readonly wallet: Address }>`select wallet from api_keys where id = ${id}::uuid`
              : sql<
                { readonly wallet: Address }
              >`select address as wallet from gas_wallets where address = ${id.toLowerCase()}`,
            ([row]) => Option.map(Option.fromNullishOr(row), ({ wallet }) => wallet)
          ),
        usedToday: (wallet) => usedToday(wallet, null),
        refusalOfWrite: ({ idempotencyKey, vault, wallet }) =>
          Effect.map(
            standing(sql`select ${columns} from key_limits where wallet = ${wallet} and not exists
              (select 1 from idempotency_keys k where k.wallet = ${wallet} and k.key = ${idempotencyKey})`),
            ({ limits }) => Option.fromNullishOr(refusalOf(limits, vault))
          ),
        refusal: (spending) => Effect.flatMap(find(spending.wallet), (found) => check(found, spending, null)),
        reserve: (spending) =>
          Effect.gen(function*() {
            const { intentId, usd18, wallet } = spending
            // Counted even without limits: a limit that is set at noon includes the morning's sales.
            const [row] = yield* sql<
              { readonly limited: boolean }
            >`insert into key_spending (intent_id, wallet, day, usd18)
              values (${intentId}::uuid, ${wallet}, ${today}, ${(usd18 ?? 0n).toString()}::numeric)
              on conflict (intent_id) do update set day = excluded.day, usd18 = excluded.usd18
              returning exists (select 1 from key_limits l where l.wallet = ${wallet}) as limited`
            if (row?.limited !== true) return
            // Locked before the sum is read: concurrent plans of the wallet have committed, or wait.
            const refused = yield* check(yield* locked(wallet), spending, intentId)
            if (Option.isSome(refused)) return yield* refused.value
          }),
        reserveOrder: (orderId) =>
          Effect.gen(function*() {
            const [row] = yield* sql<
              { readonly wallet: Address; readonly usd18: string; readonly limited: boolean }
            >`update exchange_orders o
              set spent_on = ${today} where id = ${orderId} and usd is not null
              returning wallet, ceil(usd * 1e18)::text as usd18, exists (select 1 from key_limits l
              where l.wallet = o.wallet) as limited`
            if (row?.limited !== true) return
            const refused = yield* check(yield* locked(row.wallet), {
              wallet: row.wallet,
              vaults: [],
              usd18: BigInt(row.usd18)
            }, orderId)
            if (Option.isSome(refused)) return yield* refused.value
          }),
        planned: (wallet, intentIds) =>
          intentIds.length === 0 ? Effect.succeed([]) : Effect.flatMap(
            sql`with used as (
                select day, sum(usd18) as total from spending
                where wallet = ${wallet} and day in (select day from key_spending where intent_id in ${
              sql.in(intentIds)
            })
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
