/** Reads a vault's ended intents from the ledger, which keeps them forever. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as Uuid from "../storage/Uuid.ts"
import { LedgerRow, type LedgerTrade, tradesOf } from "./LedgerTrade.ts"

interface Query {
  readonly network: Network
  readonly pool: Address
  /** The wallet whose intents are read; null for all of them. */
  readonly wallet: Address | null
}

const decodeRows = Schema.decodeUnknownEffect(Schema.Array(LedgerRow))

/** Rows of a page. */
const pageSize = 1_000
/** Maximum number of intents of a vault; with more of them, the oldest are left out. */
export const maxIntents = 50_000

/** The columns of a quantity that moved, as the outcome of every kind of trade has it. */
const moved = (name: "sold" | "bought") =>
  `i.outcome -> 'result' -> '${name}' ->> 'asset' as "${name}Asset", i.outcome -> 'result' -> '${name}' ->> 'symbol' as "${name}Symbol",
  i.outcome -> 'result' -> '${name}' ->> 'amount' as "${name}Amount", i.outcome -> 'result' -> '${name}' ->> 'raw' as "${name}Raw",
  trunc((i.outcome -> 'result' -> 'oracle' ->> '${name}_usd')::numeric * 1e18)::text as "${name}18"`

const columns = `i.id::text as id, i.updated_at as at, i.status = 'succeeded' as succeeded,
  i.outcome ->> 'txHash' as "txHash",
  case when i.request ->> '_tag' = 'OrderSlice' then 'order' when i.request ->> '_tag' = 'BotTrade' then 'threshold_bot'
    when i.endpoint = 'rebalancePool' then 'index_bot' when t.intent is not null then 'strategy_bot'
    when f.intent_id is not null then 'follower' when g.intent_id is not null then 'guardian' else 'caller' end as source,
  case when i.request ->> '_tag' = 'OrderSlice' then i.request ->> 'orderId'
    when i.request ->> '_tag' = 'BotTrade' then i.request ->> 'pair'
    else coalesce(t.bot, f.follower_id::text, g.guardian_id::text) end as "sourceId",
  trunc(coalesce((i.outcome -> 'result' ->> 'gas_cost')::numeric, (i.outcome ->> 'gasCost')::numeric, 0) * 1e18)::text as gas,
  trunc((coalesce(c.usd, 0) + coalesce((select sum(k.usd) from charges k where k.corrects = c.intent_id), 0)) * 1e18)::text
    as charge18, trunc(c.native_price_usd * 1e18)::text as "nativePrice18",
  ${moved("sold")}, ${moved("bought")}, i.outcome -> 'result' -> 'quoted' ->> 'raw' as "quotedRaw",
  case i.request ->> '_tag' when 'Lend' then 'lent' when 'Unlend' then 'returned' end as loan,
  ${
  ["asset", "symbol", "amount", "raw"].map((field) =>
    `coalesce(i.outcome -> 'result' -> 'supplied', i.outcome -> 'result' -> 'withdrawn') ->> '${field}' as "loan${
      field.charAt(0).toUpperCase()
    }${field.slice(1)}"`
  ).join(", ")
}`

export class PerformanceLedger extends Context.Service<PerformanceLedger, {
  /** Lists the ended intents that sent a transaction or failed, oldest first, the newest `maxIntents` of them. */
  readonly trades: (query: Query) => Effect.Effect<ReadonlyArray<LedgerTrade>, SqlError>
}>()("vault-trader/core/performance/PerformanceLedger") {
  static readonly layer = Layer.effect(
    PerformanceLedger,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const page = ({ network, pool, wallet }: Query, before: string) =>
        Effect.flatMap(
          sql`with strategy_trades as (select b.id::text as bot, (each.trade ->> 'intentId')::uuid as intent
              from strategy_bots b join strategy_decisions d on d.bot_id = b.id
              cross join jsonb_array_elements(d.trades) as each(trade)
              where b.network = ${network} and b.pool = ${pool} and each.trade ->> 'intentId' is not null)
            select ${sql.literal(columns)} from intents i left join charges c on c.intent_id = i.id
            left join strategy_trades t on t.intent = i.id
            left join vault_follower_trades f on f.intent_id = i.id
            left join vault_guardian_actions g on g.intent_id = i.id
            where ${
            sql.and([
              sql`i.network = ${network} and i.pool = ${pool} and i.status in ('succeeded', 'failed')`,
              sql`i.id < ${before}::uuid`,
              ...(wallet === null ? [] : [sql`i.wallet = ${wallet}`])
            ])
          } order by i.id desc limit ${pageSize}`,
          (rows) => Effect.orDie(decodeRows(rows))
        )
      return {
        trades: (query) =>
          Effect.gen(function*() {
            const rows: Array<LedgerRow> = []
            let before = Uuid.max as string
            while (rows.length < maxIntents) {
              const found = yield* page(query, before)
              rows.push(...found)
              if (found.length < pageSize) break
              before = found.at(-1)!.id
            }
            // In the order in which they ended: a later request may have been carried out first.
            const ended = rows.filter(({ succeeded, txHash }) => txHash !== null || !succeeded)
            return tradesOf(
              ended.sort((one, other) => one.at.getTime() - other.at.getTime() || (one.id < other.id ? -1 : 1))
            )
          })
      }
    })
  )
}
