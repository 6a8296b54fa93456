/** Reads the activity of several wallets, on chains and exchanges together, newest first. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { Address, Hash } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { ExchangeOrder } from "../exchange/ExchangeOrder.ts"
import { type ActivityEntry, entryOf, entryOfOrder, type ActivityFilter } from "./Activity.ts"
import { IntentStatus, Outcome } from "./Intent.ts"

const IntentRows = Schema.decodeUnknownEffect(Schema.Array(Schema.Struct({
  id: Schema.String,
  wallet: Address,
  endpoint: Schema.String,
  network: Network,
  pool: Address,
  pair: Schema.NullOr(Schema.String),
  side: Schema.NullOr(Schema.String),
  status: IntentStatus,
  txHash: Schema.NullOr(Hash),
  outcome: Schema.NullOr(Outcome),
  chargeUsd: Schema.NullOr(Schema.Number),
  submission: Schema.NullOr(Schema.Literals(["queued", "signed", "mined", "final", "refused", "superseded"])),
  waitingForGas: Schema.NullOr(Schema.Boolean),
  createdAt: Schema.Date,
  updatedAt: Schema.Date
})))
const OrderRows = Schema.decodeUnknownEffect(Schema.Array(ExchangeOrder))

interface Query {
  readonly wallets: ReadonlyArray<Address>
  readonly network?: Network | undefined
  readonly pool?: Address | undefined
  readonly standing?: ActivityFilter | undefined
  readonly action?: string | undefined
  /** Matches the message, vault, transaction, id, action or network, ignoring case. */
  readonly text?: string | undefined
  /** Id of the last row of the previous page. */
  readonly before?: string | undefined
  readonly limit: number
}

/** Maximum number of rows of a wallet that a text search scans, so that one page never reads the whole ledger. */
const maxSearchedRows = 10_000

const statusesOf = {
  open: { intents: ["accepted", "submitted"], orders: ["accepted", "decided", "sending"] },
  done: { intents: ["succeeded"], orders: ["closed", "held"] },
  failed: { intents: ["failed"], orders: ["refused", "lost"] }
} as const

/** Builds a LIKE pattern that matches the text literally. */
const pattern = (text: string) => `%${text.replace(/[\\%_]/g, "\\$&")}%`

/** Selects rows of a ledger per wallet, through the wallet's index. A text search covers the newest rows only. */
const pages = (
  sql: SqlClient.SqlClient,
  query: Query,
  table: "intents" | "exchange_orders",
  searched: string
) => {
  const wallets = sql`jsonb_array_elements_text(${JSON.stringify(query.wallets)}::jsonb) as w(wallet)`
  const { action, before, network, pool, standing, text } = query
  const statuses = standing === undefined
    ? undefined
    : statusesOf[standing][table === "intents" ? "intents" : "orders"]
  const is = sql.and([
    sql`wallet = w.wallet`,
    ...(before === undefined ? [] : [sql`id < ${before}`]),
    ...(statuses === undefined ? [] : [sql`status in ${sql.in(statuses)}`]),
    ...(table === "exchange_orders" || network === undefined ? [] : [sql`network = ${network}`]),
    ...(table === "exchange_orders" || pool === undefined ? [] : [sql`pool = ${pool}`]),
    ...(table === "exchange_orders" || action === undefined ? [] : [sql`endpoint = ${action}`])
  ])
  const rows = sql`select * from ${sql(table)} where ${is} order by id desc limit ${
    text === undefined ? query.limit : maxSearchedRows
  }`
  const found = text === undefined
    ? rows
    : sql`select * from (${rows}) r where ${sql.literal(searched)} ilike ${pattern(text)} limit ${query.limit}`
  return sql`${wallets} cross join lateral (${found}) t`
}

const readIntents = (sql: SqlClient.SqlClient, query: Query) =>
  Effect.flatMap(
    sql`select t.id, t.wallet, t.endpoint, t.network, t.pool, t.status, t.tx_hash as "txHash", t.outcome,
      (c.usd + (select coalesce(sum(k.usd), 0) from charges k where k.corrects = c.intent_id))::float8 as "chargeUsd",
        case when t.request ->> '_tag' = 'BotTrade' then t.request ->> 'pair' end as pair,
        t.request ->> 'side' as side,
        s.status as submission, s.waiting_for_gas as "waitingForGas", t.created_at as "createdAt",
        t.updated_at as "updatedAt"
      from ${
      pages(
        sql,
        query,
        "intents",
        "concat_ws(' ', id, endpoint, network, pool, tx_hash, request ->> 'pair', outcome ->> 'message', " +
          "outcome -> 'failure' ->> 'message')"
      )
    }
      left join charges c on c.intent_id = t.id
      left join lateral (select status, waiting_for_gas from submissions where intent_id = t.id
      order by created_at desc limit 1) s on true
      order by t.id desc limit ${query.limit}`,
    (rows) => Effect.orDie(IntentRows(rows))
  )

const readOrders = (sql: SqlClient.SqlClient, query: Query) =>
  query.network !== undefined || query.pool !== undefined ||
    (query.action !== undefined && query.action !== "setCEXSide")
    ? Effect.succeed([])
    : Effect.flatMap(
      sql`select t.id, account_id as "accountId", bot_id as "botId", t.wallet, exchange, subaccount, pair,
        symbol, revision,
          null as "idempotencyKey", status, side, amount::text as amount, limit_price::text as "limit",
          client_id as "clientId",
          exchange_order_id as "exchangeOrderId", filled::text as filled, cost::text as cost, fees, message,
          failure, charge_usd::text as "chargeUsd",
          sent_at as "sentAt", created_at as "createdAt", updated_at as "updatedAt"
        from ${
        pages(
          sql,
          query,
          "exchange_orders",
          "concat_ws(' ', id, 'setCEXSide', exchange, subaccount, pair, message, failure ->> 'message')"
        )
      }
        order by t.id desc limit ${query.limit}`,
      (rows) => Effect.orDie(OrderRows(rows))
    )

export class ActivityStore extends Context.Service<ActivityStore, {
  readonly list: (query: Query) => Effect.Effect<ReadonlyArray<ActivityEntry>, SqlError>
}>()("vault-trader/core/intent/ActivityStore") {
  static readonly layer = Layer.effect(
    ActivityStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      return {
        list: (query) =>
          query.wallets.length === 0 ?
            Effect.succeed([]) :
            Effect.map(Effect.all([readIntents(sql, query), readOrders(sql, query)]), ([onChain, atExchanges]) =>
              // Ids are time-ordered.
              [...onChain.map(entryOf), ...atExchanges.map(entryOfOrder)].sort((one, other) =>
                one.id < other.id ? 1 : -1
              ).slice(0, query.limit))
      }
    })
  )
}
