/**
 * The daily sales of a wallet's intents and exchange orders, and the limits on them: those of the wallet, and for a
 * sub-key's requests also its own. Totals are sums of rows under a lock, never a separate counter.
 */
import type * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import type { ExecutionFailure } from "../failure/Failure.ts"
import { limitsOf, SubKeyBounds } from "./SubKey.ts"
import { aboutWorth, KeyLimits, refusalOfAll, refusalOfWorth, type VaultId } from "./KeyLimits.ts"

/** The planned sale of an intent. */
interface Spending {
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
  /** The asset that the request names; null when it names none. */
  asset: Schema.NullOr(Schema.String),
  /** Planned sale; null when it was planned before limits existed. */
  usd18: Schema.NullOr(Schema.BigIntFromString),
  /** Sales of the wallet's other intents and orders of that day. */
  others: Schema.BigIntFromString,
  /** The bounds of the sub-key that requested it, and the sales of its other requests of that day; null without one. */
  subKey: Schema.NullOr(Schema.Struct({ limits: KeyLimits, others: Schema.BigIntFromString }))
}).annotate({ identifier: "Planned" })
export type Planned = typeof Planned.Type

interface Limited {
  readonly limits: KeyLimits
}

/** Reads a wallet's limits; `lock` also locks them until the transaction ends. */
interface LimitsOfWallet {
  readonly find: (wallet: Address) => Effect.Effect<Limited, SqlError>
  readonly lock: (wallet: Address) => Effect.Effect<Limited, SqlError>
}

const PlannedRows = Schema.decodeUnknownEffect(Schema.Array(Planned))
const Total = Schema.decodeUnknownEffect(Schema.Tuple([Schema.Struct({ total: Schema.BigIntFromString })]))

export interface SalesLedger {
  /**
   * Sums today's (UTC) sales of the wallet's intents and exchange orders, without failed ones; USD with 18 decimals.
   */
  readonly usedToday: (wallet: Address) => Effect.Effect<bigint, SqlError>
  /** Returns why this would be refused now. Reserves nothing: for dry runs. `subKeyId`: the sub-key that requests it. */
  readonly refusal: (
    spending: Omit<Spending, "intentId"> & { readonly subKeyId?: string | undefined }
  ) => Effect.Effect<Option.Option<ExecutionFailure>, SqlError>
  /**
   * Counts an intent in today's sales, replacing its earlier amount, and enforces the limits of the wallet and of the
   * intent's sub-key. Runs in the transaction that commits the plan, so that two vaults of one wallet are checked one
   * after the other.
   */
  readonly reserve: (spending: Spending) => Effect.Effect<void, ExecutionFailure | SqlError>
  /** Does the same for an exchange order, by the amount in its row: when it is decided, and again when it is sent. */
  readonly reserveOrder: (orderId: string) => Effect.Effect<void, ExecutionFailure | SqlError>
  /** Returns the planned sales of these intents of a wallet. */
  readonly findPlanned: (
    wallet: Address,
    intentIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<Planned>, SqlError>
}

/** The current day (UTC), by the clock of the database. */
const today = (sql: SqlClient.SqlClient) => sql.literal(`(now() at time zone 'utc')::date`)

/** Builds the sum of today's sales of a wallet, without one intent or order. */
const salesOfToday = (sql: SqlClient.SqlClient) => (wallet: Address, except: string | null) =>
  Effect.map(
    Effect.flatMap(
      sql`select coalesce(sum(usd18), 0)::text as total from spending
        where wallet = ${wallet} and day = ${today(sql)} and id is distinct from ${except}::uuid`,
      (rows) => Effect.orDie(Total(rows))
    ),
    ([{ total }]) => total
  )

/** Checks a sale against limits; `usedToday` sums the other sales that they count. */
const checkSale = (
  { limits }: Limited,
  { usd18, vaults }: Omit<Spending, "intentId">,
  usedToday: Effect.Effect<bigint, SqlError>
) =>
  Effect.gen(function*() {
    const refused = refusalOfAll(limits, vaults)
    if (refused !== undefined) return Option.some(refused)
    if (!aboutWorth(limits)) return Option.none()
    return Option.fromNullishOr(refusalOfWorth(limits, { usd18, others: yield* usedToday }))
  })

/** Builds the check of a sale against a wallet's limits. `except`: the intent or order whose earlier sale does not count. */
const salesCheck = (sql: SqlClient.SqlClient) => {
  const usedToday = salesOfToday(sql)
  return (limited: Limited, spending: Omit<Spending, "intentId">, except: string | null) =>
    checkSale(limited, spending, usedToday(spending.wallet, except))
}

const Bounds = Schema.decodeUnknownEffect(Schema.Array(SubKeyBounds))

/** Builds the checks of a sale against the bounds of a sub-key. The wallet's limits are locked by the caller. */
const subKeyCheck = (sql: SqlClient.SqlClient) => {
  const bounds = sql.literal(
    `k.id, k.scopes, k.endpoints, k.vaults, k.max_usd18_per_trade::text as "maxUsd18PerTrade",
      k.max_usd18_per_day::text as "maxUsd18PerDay", k.sources`
  )
  const soldToday = (id: string, wallet: Address, except: string | null) =>
    Effect.map(
      Effect.flatMap(
        sql`select coalesce(sum(s.usd18), 0)::text as total from spending s join intents i on i.id = s.id
          where s.wallet = ${wallet} and s.day = ${today(sql)} and i.sub_key_id = ${id}::uuid
            and s.id is distinct from ${except}::uuid`,
        (rows) => Effect.orDie(Total(rows))
      ),
      ([{ total }]) => total
    )
  const check = (
    rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>,
    spending: Omit<Spending, "intentId">,
    except: string | null
  ) =>
    Effect.gen(function*() {
      const [key] = yield* Effect.orDie(Bounds(yield* rows))
      return key === undefined
        ? Option.none()
        : yield* checkSale({ limits: limitsOf(key) }, spending, soldToday(key.id, spending.wallet, except))
    })
  return {
    ofKey: (id: string, spending: Omit<Spending, "intentId">) =>
      check(sql`select ${bounds} from sub_keys k where k.id = ${id}::uuid`, spending, null),
    ofIntent: ({ intentId, ...spending }: Spending) =>
      check(
        sql`select ${bounds} from intents i join sub_keys k on k.id = i.sub_key_id where i.id = ${intentId}::uuid`,
        spending,
        intentId
      )
  }
}

export const make = (sql: SqlClient.SqlClient, { find, lock }: LimitsOfWallet): SalesLedger => {
  const check = salesCheck(sql)
  const checkSubKey = subKeyCheck(sql)
  const usedToday = salesOfToday(sql)
  return {
    usedToday: (wallet) => usedToday(wallet, null),
    refusal: ({ subKeyId, ...spending }) =>
      Effect.gen(function*() {
        const refused = yield* check(yield* find(spending.wallet), spending, null)
        return Option.isSome(refused) || subKeyId === undefined
          ? refused
          : yield* checkSubKey.ofKey(subKeyId, spending)
      }),
    reserve: (spending) =>
      Effect.gen(function*() {
        const { intentId, usd18, wallet } = spending
        // Counted even without limits: a limit that is set at noon includes the morning's sales.
        const [row] = yield* sql<
          { readonly limited: boolean }
        >`insert into key_spending (intent_id, wallet, day, usd18)
          values (${intentId}::uuid, ${wallet}, ${today(sql)}, ${(usd18 ?? 0n).toString()}::numeric)
          on conflict (intent_id) do update set day = excluded.day, usd18 = excluded.usd18
          returning exists (select 1 from key_limits l where l.wallet = ${wallet}) as limited`
        if (row?.limited !== true) return
        // Locked before the sum is read: concurrent plans of the wallet have committed, or wait.
        const refused = yield* check(yield* lock(wallet), spending, intentId)
        if (Option.isSome(refused)) return yield* refused.value
        // A wallet with sub-keys has a row of limits, so that their sums, too, are read under its lock.
        const refusedToKey = yield* checkSubKey.ofIntent(spending)
        if (Option.isSome(refusedToKey)) return yield* refusedToKey.value
      }),
    reserveOrder: (orderId) =>
      Effect.gen(function*() {
        const [row] = yield* sql<
          { readonly wallet: Address; readonly usd18: string; readonly limited: boolean }
        >`update exchange_orders o
          set spent_on = ${today(sql)} where id = ${orderId} and usd is not null
          returning wallet, ceil(usd * 1e18)::text as usd18, exists (select 1 from key_limits l
          where l.wallet = o.wallet) as limited`
        if (row?.limited !== true) return
        const refused = yield* check(yield* lock(row.wallet), {
          wallet: row.wallet,
          vaults: [],
          usd18: BigInt(row.usd18)
        }, orderId)
        if (Option.isSome(refused)) return yield* refused.value
      }),
    findPlanned: (wallet, intentIds) =>
      intentIds.length === 0 ? Effect.succeed([]) : Effect.flatMap(
        sql`with used as (
            select day, sum(usd18) as total from spending
            where wallet = ${wallet} and day in (select day from key_spending where intent_id in ${sql.in(intentIds)})
            group by day)
          select i.id as "intentId", i.network, i.pool, i.request ->> '_tag' as request,
            i.request ->> 'asset' as asset, s.usd18::text as usd18,
            greatest(coalesce(u.total - s.usd18, 0), 0)::text as others,
            case when k.id is null then null else jsonb_build_object(
              'limits', jsonb_build_object('vaults', k.vaults, 'maxUsd18PerTrade', k.max_usd18_per_trade::text,
                'maxUsd18PerDay', k.max_usd18_per_day::text, 'readOnly', k.scopes = '[]'::jsonb),
              'others', greatest(coalesce(o.total - s.usd18, 0), 0)::text) end as "subKey"
          from intents i left join key_spending s on s.intent_id = i.id left join used u on u.day = s.day
            left join sub_keys k on k.id = i.sub_key_id
            left join lateral (select sum(x.usd18) as total from spending x join intents y on y.id = x.id
              where k.id is not null and x.wallet = i.wallet and x.day = s.day and y.sub_key_id = k.id) o on true
          where i.wallet = ${wallet} and i.id in ${sql.in(intentIds)}`,
        (rows) => Effect.orDie(PlannedRows(rows))
      )
  }
}
