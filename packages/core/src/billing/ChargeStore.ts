/**
 * Charges for executed actions. A row is removed only with its action, when a reorg undoes the action before a payment
 * covers it; later, a second row corrects it.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { type ChargeRow, ChargeStatus } from "./Charge.ts"
import * as Uuid from "../storage/Uuid.ts"

/** A charge with the status of its settlement. */
export const Charge = Schema.Struct({
  id: Schema.String,
  /** The charged intent, or the one whose charge this row corrects; null for a trade at an exchange. */
  intentId: Schema.NullOr(Schema.String),
  /** The caller's name for an order at an exchange; null for the charge of an intent. */
  reference: Schema.NullOr(Schema.String),
  network: Network,
  action: Schema.String,
  /** Negative for a correction of a charge whose action a reorg took back. */
  usd: Schema.Number,
  /** Native smallest units; null until a price is known. */
  nativeWei: Schema.NullOr(Schema.BigIntFromString),
  /** USD per whole native token, for display. */
  nativePriceUsd: Schema.NullOr(Schema.Number),
  priceSource: Schema.NullOr(Schema.String),
  status: ChargeStatus,
  settlementId: Schema.NullOr(Schema.String),
  settlementHash: Schema.NullOr(Hash),
  createdAt: Schema.Date
}).annotate({ identifier: "Charge" })
export type Charge = typeof Charge.Type

/** A charge for something that has no intent in this service. */
export interface Booking extends ChargeRow {
  readonly wallet: Address
  readonly network: Network
  /** The caller's name for the charged item. Each reference is charged once. */
  readonly reference: string
}

/** The charge of a reference; `isNew` is true when this call booked it. */
export interface Booked {
  readonly id: string
  readonly network: Network
  readonly action: string
  readonly usd: number
  readonly nativeWei: string | null
  readonly isNew: boolean
}

/** A price to record with converted charges. */
interface Converted {
  readonly usd18: bigint
  readonly source: string
  /** Time of the reading, unix milliseconds. */
  readonly at: number
}

/** The maximum number of rows per conversion, which keeps the transaction short after a long time without a price. */
const convertBatchSize = 2000

const Rows = Schema.decodeUnknownEffect(Schema.Array(Charge))

export class ChargeStore extends Context.Service<ChargeStore, {
  /**
   * Lists charges, newest first: of one wallet, or of all wallets when none is given. `before` is the id of the
   * previous page's last row. `from` is inclusive, `to` is exclusive.
   */
  readonly list: (query: {
    readonly wallet?: Address | undefined
    readonly network?: Network | undefined
    readonly from?: Date | undefined
    readonly to?: Date | undefined
    readonly before?: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<Charge>, SqlError>
  /** Books a charge, or returns the one already booked under the same reference. */
  readonly book: (booking: Booking) => Effect.Effect<Booked, SqlError>
  /** Finds the charge booked under a reference. */
  readonly find: (wallet: Address, reference: string) => Effect.Effect<Option.Option<Booked>, SqlError>
  /** Lists the networks that have charges without a native amount. */
  readonly unconverted: Effect.Effect<ReadonlyArray<Network>, SqlError>
  /**
   * Converts a batch of a network's charges that have no native amount yet, at this price. Returns the number of
   * charges converted.
   */
  readonly convert: (network: Network, price: Converted) => Effect.Effect<number, SqlError>
}>()("vault-trader/core/billing/ChargeStore") {
  static readonly make: Effect.Effect<ChargeStore["Service"], never, SqlClient.SqlClient> = Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const columns = sql.literal(
      `c.id::text as id, coalesce(c.intent_id, c.corrects)::text as "intentId", c.reference, c.network, c.action, c.usd::float8 as usd,
      c.native_wei::text as "nativeWei", c.native_price_usd::float8 as "nativePriceUsd", c.price_source as "priceSource",
      case when t.status = 'paid' then 'settled' when t.status = 'open' then 'settling' else 'outstanding' end as status,
      c.settlement_id::text as "settlementId", t.tx_hash as "settlementHash", c.created_at as "createdAt"`
    )

    const findByReference = (wallet: Address, reference: string) =>
      Effect.map(
        sql<
          Omit<Booked, "isNew">
        >`select id::text as id, network, action, usd::float8 as usd, native_wei::text as "nativeWei"
          from charges where wallet = ${wallet} and reference = ${reference}`,
        ([row]) => Option.fromNullishOr(row)
      )

    return {
      find: (wallet, reference) =>
        Effect.map(findByReference(wallet, reference), Option.map((row): Booked => ({ ...row, isNew: false }))),
      list: ({ before, from, limit, network, to, wallet }) =>
        Effect.flatMap(
          sql`select ${columns} from charges c left join settlements t on t.id = c.settlement_id where ${
            sql.and([
              ...(wallet === undefined ? [sql`true`] : [sql`c.wallet = ${wallet}`]),
              ...(network === undefined ? [] : [sql`c.network = ${network}`]),
              ...(from === undefined ? [] : [sql`c.created_at >= ${from}`]),
              ...(to === undefined ? [] : [sql`c.created_at < ${to}`]),
              ...(before === undefined ? [] : [sql`c.id < ${before}::uuid`])
            ])
          } order by c.id desc limit ${limit}`,
          (rows) => Effect.orDie(Rows(rows))
        ),
      book: ({ action, nativePriceUsd18, nativeWei, network, priceAt, priceSource, reference, usd, wallet }) =>
        sql.withTransaction(Effect.gen(function*() {
          const id = yield* Uuid.v7
          yield* sql`insert into charges (id, reference, wallet, network, action, usd, native_wei, native_price_usd, price_source, price_at)
            values (${id}::uuid, ${reference}, ${wallet}, ${network}, ${action}, ${usd}, ${
            nativeWei?.toString() ?? null
          }::numeric,
              ${
            nativePriceUsd18?.toString() ?? null
          }::numeric / 1e18, ${priceSource}, to_timestamp(${priceAt}::float8 / 1000))
            on conflict (wallet, reference) do nothing`
          const row = yield* findByReference(wallet, reference)
          if (Option.isNone(row)) return yield* Effect.die(new Error("a charge that was booked is missing"))
          return { ...row.value, isNew: row.value.id === id }
        })),
      unconverted: Effect.map(
        sql<{ readonly network: Network }>`select distinct network from charges where native_wei is null`,
        (rows) => rows.map(({ network }) => network)
      ),
      convert: (network, { at, source, usd18 }) =>
        Effect.map(
          sql`update charges set native_wei = div(usd * 1e36::numeric, ${usd18.toString()}::numeric), price_source = ${source},
              native_price_usd = ${usd18.toString()}::numeric / 1e18, price_at = to_timestamp(${at}::float8 / 1000)
            where id in (select id from charges where network = ${network} and native_wei is null and settlement_id is null
              limit ${convertBatchSize} for update skip locked) returning id`,
          (rows) => rows.length
        )
    }
  })

  static readonly layer = Layer.effect(ChargeStore, ChargeStore.make)
}
