/** Builds the daily report of a wallet on a vault from outcomes and charges, which are kept forever. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { type Day, reportOf, type Total } from "./Report.ts"

const DayRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  date: Schema.String,
  actions: Schema.Int,
  failed: Schema.Int,
  feesUsd: Schema.Number,
  feesWei: Schema.BigIntFromString,
  gasWei: Schema.BigIntFromString,
  gasUsd: Schema.NullOr(Schema.Number),
  volumeUsd: Schema.Number,
  slippageUsd: Schema.Number
})))
const Prices = Schema.decodeUnknownEffect(
  Schema.Array(Schema.Struct({ date: Schema.String, tokenPrice: Schema.BigIntFromString }))
)

/** The days to report, of one wallet, or of all wallets when none is given. `from` is inclusive, `to` is exclusive. */
interface Query {
  readonly wallet?: Address | undefined
  readonly network: Network
  readonly pool: Address
  readonly from?: Date | undefined
  readonly to?: Date | undefined
}

export class ReportStore extends Context.Service<ReportStore, {
  readonly report: (
    query: Query
  ) => Effect.Effect<{ readonly days: ReadonlyArray<Day>; readonly total: Total }, SqlError>
}>()("vault-trader/core/billing/ReportStore") {
  static readonly layer = Layer.effect(
    ReportStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const within = (column: "i.updated_at" | "at", { from, to }: Query) => [
        ...(from === undefined ? [] : [sql`${sql.literal(column)} >= ${from}`]),
        ...(to === undefined ? [] : [sql`${sql.literal(column)} < ${to}`])
      ]

      const rowsOf = (query: Query) =>
        Effect.flatMap(
          sql`with actions_taken as (
              select to_char(i.updated_at at time zone 'utc', 'YYYY-MM-DD') as date, i.status,
              i.outcome ->> 'txHash' as hash, c.usd + coalesce(k.usd, 0) as usd, c.native_wei + coalesce(k.native_wei, 0) as native_wei,
                coalesce(i.outcome -> 'result' ->> 'gas_cost', i.outcome ->> 'gasCost')::numeric as gas,
                -- Reverted actions have no charge: use the average native price of the day's other actions.
                coalesce(c.native_price_usd,
                  avg(c.native_price_usd) over (partition by (i.updated_at at time zone 'utc')::date)) as price,
                coalesce((i.outcome -> 'result' -> 'oracle' ->> 'sold_usd')::float8, 0) as sold,
                coalesce((i.outcome -> 'result' -> 'oracle' ->> 'bought_usd')::float8, 0) as bought
              from intents i left join charges c on c.intent_id = i.id
              left join lateral (select sum(usd) as usd, sum(native_wei) as native_wei
                from charges where corrects = c.intent_id) k on true where ${
            sql.and([
              sql`i.network = ${query.network} and i.pool = ${query.pool} and i.status in ('succeeded', 'failed')`,
              ...(query.wallet === undefined ? [] : [sql`i.wallet = ${query.wallet}`]),
              ...within("i.updated_at", query)
            ])
          })
            select date, (count(*) filter (where status = 'succeeded' and hash is not null))::int as actions,
              (count(*) filter (where status = 'failed'))::int as failed, coalesce(sum(usd), 0)::float8 as "feesUsd",
              coalesce(sum(native_wei), 0)::text as "feesWei", trunc(coalesce(sum(gas), 0) * 1e18)::text as "gasWei",
              case when count(*) filter (where gas > 0 and price is null) > 0 then null
                else coalesce(sum(gas * price), 0)::float8 end as "gasUsd",
              sum(sold) as "volumeUsd", sum(sold - bought) as "slippageUsd"
            from actions_taken group by date order by date`,
          (rows) => Effect.orDie(DayRows(rows))
        )

      const pricesOf = (query: Query) =>
        Effect.flatMap(
          sql`select distinct on ((at at time zone 'utc')::date) to_char(at at time zone 'utc', 'YYYY-MM-DD') as date,
            token_price::text as "tokenPrice"
            from vault_snapshots where ${
            sql.and([sql`network = ${query.network} and pool = ${query.pool}`, ...within("at", query)])
          }
            order by (at at time zone 'utc')::date, at desc`,
          (rows) => Effect.orDie(Prices(rows))
        )

      const before = ({ from, network, pool }: Query) =>
        from === undefined ? Effect.succeed(undefined) : Effect.map(
          Effect.flatMap(
            sql`select 'before' as date, token_price::text as "tokenPrice" from vault_snapshots
              where network = ${network} and pool = ${pool} and at < ${from} order by at desc limit 1`,
            (rows) => Effect.orDie(Prices(rows))
          ),
          ([row]) => row?.tokenPrice
        )

      return {
        report: (query) =>
          Effect.map(
            Effect.all([rowsOf(query), pricesOf(query), before(query)]),
            ([rows, prices, first]) => reportOf(rows, prices, first)
          )
      }
    })
  )
}
