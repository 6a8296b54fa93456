/**
 * The ledger of exchange orders. An order is committed before it is sent, marked before the first byte leaves, and sent
 * once. Its outcome is read from the exchange by its id; it is never sent again.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as Statement from "effect/sql/Statement"
import * as BigDecimal from "effect/BigDecimal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Address } from "../chain/Address.ts"
import type { ErrorType, ExecutionFailure } from "../failure/Failure.ts"
import { orderReference } from "../billing/ChargeView.ts"
import { KeyLimitStore } from "../gas-wallet/KeyLimitStore.ts"
import { unlessWalletStopped } from "../gas-wallet/KillSwitch.ts"
import * as IdempotencyKeys from "../storage/IdempotencyKeys.ts"
import * as Uuid from "../storage/Uuid.ts"
import { type Decision, show } from "./ExchangeDecision.ts"
import type { ExchangeAccount, ExchangeBot } from "./ExchangeAccount.ts"
import { clientIdOf, ExchangeOrder, Fee, type OrderStatus } from "./ExchangeOrder.ts"

/** A turn to accept. */
interface NewTurn {
  readonly account: ExchangeAccount
  readonly bot: ExchangeBot
  /**
   * The caller's request, which distinguishes a repeat from a different request; null when the bot itself started the
   * turn.
   */
  readonly request: Readonly<Record<string, unknown>> | null
  readonly idempotencyKey: string | null
}

/** The exchange's result of a finished order. */
interface Closed {
  readonly exchangeOrderId: string | null
  readonly filled: BigDecimal.BigDecimal
  readonly cost: BigDecimal.BigDecimal
  readonly fees: ReadonlyArray<Fee> | null
  readonly message: string
  /** The charge in USD. */
  readonly chargeUsd: BigDecimal.BigDecimal | null
}

/** The reason why an order is not executed. */
export interface Refusal {
  readonly errorType: ErrorType
  readonly message: string
}

/** An order of this service as its exchange has it. */
interface PlacedOrder {
  /** The intent's id. */
  readonly id: string
  readonly clientId: string
  readonly side: "buy" | "sell"
  readonly amount: BigDecimal.BigDecimal
  readonly limit: BigDecimal.BigDecimal
  /** Unix milliseconds. */
  readonly time: number
}

/** The number of executed orders that a position is read from. */
const mostExecuted = 500

const Rows = Schema.decodeUnknownEffect(Schema.Array(ExchangeOrder))
const encodeFees = Schema.encodeSync(Schema.fromJsonString(Schema.Array(Fee)))

/** Builds the statements' columns and decodes their rows. */
const orderRows = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(
    `id, account_id as "accountId", bot_id as "botId", wallet, exchange, subaccount, pair, symbol, revision,
    idempotency_key as "idempotencyKey", status, side, amount::text as amount, limit_price::text as "limit",
    client_id as "clientId", exchange_order_id as "exchangeOrderId", filled::text as filled, cost::text as cost, fees,
    message, failure, charge_usd::text as "chargeUsd", sent_at as "sentAt", created_at as "createdAt", updated_at as "updatedAt"`
  )
  const decodeRows = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))
  const first = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.map(decodeRows(rows), ([row]) => Option.fromNullishOr(row))
  return { columns, decodeRows, first }
}

/** Checks whether a statement returns a row. */
const anyRow = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) => Effect.map(rows, ({ length }) => length > 0)

/** Builds the condition on orders that have not ended. */
const isOpen = (sql: SqlClient.SqlClient) => sql.literal("status in ('accepted', 'decided', 'sending')")

/** Inserts a turn; the caller adds what the statement returns. */
const insertTurn = (sql: SqlClient.SqlClient, { account, bot, idempotencyKey, request }: NewTurn) =>
  Effect.map(Uuid.v7, (id) =>
    sql`insert into exchange_orders ${
      sql.insert({
        ...{
          id,
          account_id: account.id,
          bot_id: bot.id,
          wallet: account.wallet,
          exchange: account.exchange,
          subaccount: account.name
        },
        ...{ pair: bot.pair, symbol: bot.symbol, revision: bot.revision, idempotency_key: idempotencyKey },
        request: request === null ? null : JSON.stringify(request)
      })
    }`)

const orderReads = (
  sql: SqlClient.SqlClient
): Pick<
  ExchangeOrderStore["Service"],
  | "executed"
  | "newestExecuted"
  | "soldBy"
  | "find"
  | "findByIdempotencyKey"
  | "list"
  | "unfinished"
  | "secondsSinceSent"
> => {
  const { columns, decodeRows, first } = orderRows(sql)
  const isExecuted = (accountId: string, symbol: string) =>
    sql`account_id = ${accountId} and symbol = ${symbol} and status = 'closed' and filled > 0`
  return {
    executed: (accountId, symbol) =>
      Effect.map(
        decodeRows(sql`select ${columns} from exchange_orders
          where ${isExecuted(accountId, symbol)} order by id desc limit ${mostExecuted}`),
        (rows) => rows.toReversed()
      ),
    newestExecuted: (accountId, symbol) =>
      Effect.map(
        sql<{ readonly id: string }>`select id from exchange_orders where ${isExecuted(accountId, symbol)}
          order by id desc limit 1`,
        ([row]) => row?.id
      ),
    soldBy: ({ accountId, id, symbol }, revision) =>
      Effect.map(
        sql<{ readonly sold: string }>`select coalesce(sum(filled), 0)::text as sold from exchange_orders
          where ${isExecuted(accountId, symbol)} and side = 'sell' and bot_id = ${id} and revision >= ${revision}`,
        ([row]) => BigDecimal.fromStringUnsafe(row?.sold ?? "0")
      ),
    find: (id) => first(sql`select ${columns} from exchange_orders where id = ${id}`),
    findByIdempotencyKey: (wallet, idempotencyKey) =>
      Effect.map(
        sql<
          { readonly id: string; readonly request: unknown }
        >`select k.id::text as id, o.request from idempotency_keys k
          left join exchange_orders o on o.id = k.id where k.wallet = ${wallet} and k.key = ${idempotencyKey}`,
        ([row]) => Option.fromNullishOr(row)
      ),
    list: ({ before, limit, pair, subaccount, wallet }) =>
      decodeRows(sql`select ${columns} from exchange_orders where ${
        sql.and([
          sql`wallet = ${wallet}`,
          ...(subaccount === undefined ? [] : [sql`subaccount = ${subaccount}`]),
          ...(pair === undefined ? [] : [sql`pair = ${pair}`]),
          ...(before === undefined ? [] : [sql`id < ${before}`])
        ])
      } order by id desc limit ${limit}`),
    unfinished: (accountId) =>
      decodeRows(
        sql`select ${columns} from exchange_orders where account_id = ${accountId} and ${isOpen(sql)} order by id`
      ),
    secondsSinceSent: (id) =>
      Effect.map(
        sql<
          { readonly age: number }
        >`select extract(epoch from now() - sent_at)::float8 as age from exchange_orders where id = ${id}`,
        ([row]) => row?.age ?? 0
      )
  }
}

const acceptedTurns = (sql: SqlClient.SqlClient): Pick<ExchangeOrderStore["Service"], "accept" | "begin"> => {
  const { columns, decodeRows, first } = orderRows(sql)
  return {
    accept: (turn) =>
      sql.withTransaction(Effect.gen(function*() {
        yield* sql`update exchange_orders
          set status = 'held', message = 'The bot was set again before this was decided; nothing was sent.',
          updated_at = now()
          where bot_id = ${turn.bot.id} and status = 'accepted'`
        const [order] = yield* decodeRows(sql`${yield* insertTurn(sql, turn)} returning ${columns}`)
        if (order !== undefined) return order
        const other = yield* IdempotencyKeys.findRequestId(sql, turn.account.wallet, turn.idempotencyKey)
        return yield* Option.match(other, {
          onNone: () => Effect.die(new Error("a turn that was accepted is missing")),
          onSome: (id) => new IdempotencyKeys.KeyTaken({ id })
        })
      })),
    begin: (turn) =>
      Effect.flatMap(
        insertTurn(sql, { ...turn, request: null, idempotencyKey: null }),
        (statement) => first(sql`${statement} on conflict do nothing returning ${columns}`)
      )
  }
}

const sentOrders = (
  sql: SqlClient.SqlClient,
  limits: KeyLimitStore["Service"]
): Pick<ExchangeOrderStore["Service"], "decide" | "sending"> => {
  const { columns, first } = orderRows(sql)
  return {
    decide: (id, revision, { amount, limit, reason, rest, side, usd }) =>
      sql.withTransaction(Effect.gen(function*() {
        const order = yield* first(
          sql`update exchange_orders o set status = 'decided', side = ${side}, amount = ${show(amount)}::numeric,
            limit_price = ${show(limit)}::numeric, usd = ${show(usd)}::numeric, client_id = ${
            clientIdOf(id)
          }, message = ${reason}, revision = ${revision}, updated_at = now()
          where id = ${id} and status = 'accepted'
            and exists (select 1 from exchange_bots b
            where b.id = o.bot_id and b.revision = ${revision} and (b.active or b.watching))
            and not exists (select 1 from exchange_orders u
            where u.account_id = o.account_id and u.status in ('decided', 'sending'))
            and ${unlessWalletStopped(sql, "o")}
          returning ${columns}`
        )
        if (Option.isSome(order)) {
          yield* limits.reserveOrder(id)
          yield* sql`update exchange_bots set rest = ${
            show(rest)
          }::numeric, owed = 0, updated_at = now() where id = ${order.value.botId}`
        }
        return order
      })),
    sending: (id) =>
      sql.withTransaction(Effect.gen(function*() {
        const order = yield* first(
          sql`update exchange_orders o set status = 'sending', sent_at = now(), updated_at = now()
          where id = ${id} and status = 'decided' and ${unlessWalletStopped(sql, "o")} returning ${columns}`
        )
        if (Option.isSome(order)) yield* limits.reserveOrder(id)
        return order
      }))
  }
}

const endedOrders = (
  sql: SqlClient.SqlClient
): Pick<ExchangeOrderStore["Service"], "close" | "end" | "refuse" | "withdraw"> => {
  const refuseWhere = (id: string, { errorType, message }: Refusal, condition: Statement.Fragment) =>
    anyRow(
      sql`update exchange_orders set status = 'refused', failure = ${
        JSON.stringify({ errorType, message })
      }::jsonb, message = ${message}, updated_at = now()
      where id = ${id} and ${condition} returning id`
    )

  return {
    close: (id, { chargeUsd, cost, exchangeOrderId, fees, filled, message }) =>
      // The charge is booked in USD and converted later, like any charge without a native amount.
      anyRow(
        sql`with closed as (update exchange_orders
          set status = 'closed', exchange_order_id = ${exchangeOrderId}, filled = ${show(filled)}::numeric,
          cost = ${show(cost)}::numeric, fees = ${fees === null ? null : encodeFees(fees)}::jsonb, message = ${message},
          charge_usd = ${chargeUsd === null ? null : show(chargeUsd)}::numeric, updated_at = now()
        where id = ${id} and status = 'sending' returning id, wallet, account_id, charge_usd),
        charged as (insert into charges (id, reference, wallet, network, action, usd)
          select gen_random_uuid(), ${orderReference(id)}, c.wallet, a.payment_network, 'exchangeTrade', c.charge_usd
          from closed c join exchange_accounts a on a.id = c.account_id where c.charge_usd > 0
          on conflict (wallet, reference) do nothing)
        select id from closed`
      ),
    end: (id, { message, status }) =>
      anyRow(
        sql`update exchange_orders set status = ${status}, message = ${message}, updated_at = now()
          where id = ${id} and ${isOpen(sql)} returning id`
      ),
    refuse: (id, failure) => refuseWhere(id, failure, isOpen(sql)),
    withdraw: (id, failure) => refuseWhere(id, failure, sql.literal("status = 'decided'"))
  }
}

/** Builds the statements that compare the ledger with an exchange. */
const comparedOrders = (
  sql: SqlClient.SqlClient
): Pick<ExchangeOrderStore["Service"], "newestSentMillis" | "unknownIds" | "adopt"> => {
  const { columns, first } = orderRows(sql)
  return {
    newestSentMillis: (accountId, symbol) =>
      Effect.map(
        sql<{ readonly millis: number }>`select extract(epoch from sent_at)::float8 * 1000 as millis
          from exchange_orders where account_id = ${accountId} and symbol = ${symbol} and sent_at is not null
          order by id desc limit 1`,
        ([row]) => row?.millis ?? 0
      ),
    unknownIds: (accountId, symbol, exchangeOrderIds) =>
      exchangeOrderIds.length === 0 ? Effect.succeed([]) : Effect.map(
        sql<{ readonly id: string }>`select exchange_order_id as id from exchange_orders
          where account_id = ${accountId} and symbol = ${symbol} and exchange_order_id in ${sql.in(exchangeOrderIds)}`,
        (rows) => exchangeOrderIds.filter((id) => !rows.some((row) => row.id === id))
      ),
    adopt: (account, bot, { amount, clientId, id, limit, side, time }) =>
      first(sql`insert into exchange_orders as o ${
        sql.insert({
          ...{ id, account_id: account.id, bot_id: bot.id, wallet: account.wallet, exchange: account.exchange },
          ...{ subaccount: account.name, pair: bot.pair, symbol: bot.symbol, revision: bot.revision, side },
          ...{ status: "sending", amount: show(amount), limit_price: show(limit), client_id: clientId },
          sent_at: new Date(time)
        })
      } on conflict (id) do update set status = 'sending', side = excluded.side, amount = excluded.amount,
          limit_price = excluded.limit_price, client_id = excluded.client_id, sent_at = excluded.sent_at,
          revision = excluded.revision, updated_at = now()
        where o.account_id = excluded.account_id and o.status in ('accepted', 'decided') returning ${columns}`)
  }
}

export class ExchangeOrderStore extends Context.Service<ExchangeOrderStore, {
  /** Accepts a turn, unless its idempotency key is taken. An undecided turn of the same bot is ended as `held`. */
  readonly accept: (turn: NewTurn) => Effect.Effect<ExchangeOrder, IdempotencyKeys.KeyTaken | SqlError>
  /** Accepts a turn that a bot starts by itself. None when the bot already has an undecided turn. */
  readonly begin: (turn: Pick<NewTurn, "account" | "bot">) => Effect.Effect<Option.Option<ExchangeOrder>, SqlError>
  /** Lists the last 500 executed orders of an account's pair, oldest first. */
  readonly executed: (accountId: string, symbol: string) => Effect.Effect<ReadonlyArray<ExchangeOrder>, SqlError>
  /**
   * Returns the id of the newest of them; undefined if there is none. An executed order does not change, and an account
   * has one order at a time, so with the same newest order all of them are the same.
   */
  readonly newestExecuted: (accountId: string, symbol: string) => Effect.Effect<string | undefined, SqlError>
  /** Sums up what a bot has sold since a revision. */
  readonly soldBy: (
    bot: Pick<ExchangeBot, "id" | "accountId" | "symbol">,
    revision: number
  ) => Effect.Effect<BigDecimal.BigDecimal, SqlError>
  readonly find: (id: string) => Effect.Effect<Option.Option<ExchangeOrder>, SqlError>
  /**
   * Finds the id that a wallet's idempotency key names, and its request. The request is null when the key names no
   * exchange order.
   */
  readonly findByIdempotencyKey: (
    wallet: Address,
    idempotencyKey: string
  ) => Effect.Effect<Option.Option<{ readonly id: string; readonly request: unknown }>, SqlError>
  /** Lists orders, newest first, of one account or of all; `before` is the id of the previous page's last row. */
  readonly list: (query: {
    readonly wallet: Address
    readonly subaccount: string | undefined
    readonly pair: string | undefined
    readonly before: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<ExchangeOrder>, SqlError>
  /** Lists an account's unfinished turns, oldest first. */
  readonly unfinished: (accountId: string) => Effect.Effect<ReadonlyArray<ExchangeOrder>, SqlError>
  /**
   * Commits the order of an accepted turn, and the balance that the bot leaves unchanged from now on. None when the
   * turn is no longer undecided, the bot's revision is not this one, an order of the account is in progress, or a kill
   * switch is on. Fails when the wallet's limits forbid it; nothing is committed then.
   */
  readonly decide: (
    id: string,
    revision: number,
    decision: Extract<Decision, { readonly _tag: "order" }>
  ) => Effect.Effect<Option.Option<ExchangeOrder>, ExecutionFailure | SqlError>
  /**
   * Marks the order as being sent. None when a kill switch is on, or another runner has already marked it; the caller
   * must not send it then. Fails when the current limits forbid it.
   */
  readonly sending: (id: string) => Effect.Effect<Option.Option<ExchangeOrder>, ExecutionFailure | SqlError>
  /** Returns the seconds since `sending`, by the database's clock. */
  readonly secondsSinceSent: (id: string) => Effect.Effect<number, SqlError>
  /** Closes an order and books its charge in the same statement; `false` when it has already ended. */
  readonly close: (id: string, closed: Closed) => Effect.Effect<boolean, SqlError>
  /** Returns when the newest order of an account's pair was sent, unix milliseconds; 0 without one. */
  readonly newestSentMillis: (accountId: string, symbol: string) => Effect.Effect<number, SqlError>
  /** Returns those of an exchange's order ids that no closed order of an account's pair has. */
  readonly unknownIds: (
    accountId: string,
    symbol: string,
    exchangeOrderIds: ReadonlyArray<string>
  ) => Effect.Effect<ReadonlyArray<string>, SqlError>
  /**
   * Stores an order that the exchange has and the ledger had forgotten or not sent yet, as one whose outcome is to be
   * read. None when its row is past that. The account must have no other order in progress.
   */
  readonly adopt: (
    account: ExchangeAccount,
    bot: ExchangeBot,
    order: PlacedOrder
  ) => Effect.Effect<Option.Option<ExchangeOrder>, SqlError>
  readonly end: (
    id: string,
    how: { readonly status: Extract<OrderStatus, "held" | "lost">; readonly message: string }
  ) => Effect.Effect<boolean, SqlError>
  readonly refuse: (id: string, failure: Refusal) => Effect.Effect<boolean, SqlError>
  /**
   * Refuses a decided order that has not been sent, so that it never will be; `false` when it has been marked as sent.
   */
  readonly withdraw: (id: string, failure: Refusal) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/exchange/ExchangeOrderStore") {
  static readonly layer = Layer.effect(
    ExchangeOrderStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const limits = yield* KeyLimitStore
      return {
        ...{ ...orderReads(sql), ...acceptedTurns(sql), ...sentOrders(sql, limits), ...endedOrders(sql) },
        ...comparedOrders(sql)
      }
    })
  )
}
