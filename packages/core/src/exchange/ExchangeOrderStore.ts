/**
 * The ledger of exchange orders. An order is committed before it is sent, marked before the first byte leaves, and sent once: whatever
 * happened to it is learnt by asking the exchange for its id, never by sending again.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as Statement from "effect/sql/Statement"
import type * as BigDecimal from "effect/BigDecimal"
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

/** A turn about to be accepted. */
export interface NewTurn {
  readonly account: ExchangeAccount
  readonly bot: ExchangeBot
  /** What was asked, for telling a repeat from another request; null when the bot itself began it. */
  readonly request: Readonly<Record<string, unknown>> | null
  readonly idempotencyKey: string | null
}

/** What the exchange says of an order that is over. */
export interface Closed {
  readonly exchangeOrderId: string | null
  readonly filled: BigDecimal.BigDecimal
  readonly cost: BigDecimal.BigDecimal
  readonly fees: ReadonlyArray<Fee> | null
  readonly message: string
  /** USD due for it. */
  readonly chargeUsd: BigDecimal.BigDecimal | null
}

/** Why an order is not, or was not, carried out. */
export interface Refusal {
  readonly errorType: ErrorType
  readonly message: string
}

const Rows = Schema.decodeUnknownEffect(Schema.Array(ExchangeOrder))
const encodeFees = Schema.encodeSync(Schema.fromJsonString(Schema.Array(Fee)))

export class ExchangeOrderStore extends Context.Service<ExchangeOrderStore, {
  /** Accepts a turn, unless its key names something; one of the same bot that waits to be decided is held in its favour. */
  readonly accept: (turn: NewTurn) => Effect.Effect<ExchangeOrder, IdempotencyKeys.KeyTaken | SqlError>
  /** Accepts a turn that a bot begins by itself; none when one waits to be decided. */
  readonly begin: (turn: Pick<NewTurn, "account" | "bot">) => Effect.Effect<Option.Option<ExchangeOrder>, SqlError>
  readonly find: (id: string) => Effect.Effect<Option.Option<ExchangeOrder>, SqlError>
  /** What a wallet's key names, and what was asked then; a request of another kind is null. */
  readonly known: (wallet: Address, idempotencyKey: string) => Effect.Effect<Option.Option<{ readonly id: string; readonly request: unknown }>, SqlError>
  /** Newest first, of one account or of all; `before` is the id of the last row of the page before. */
  readonly list: (query: {
    readonly wallet: Address
    readonly subaccount: string | undefined
    readonly pair: string | undefined
    readonly before: string | undefined
    readonly limit: number
  }) => Effect.Effect<ReadonlyArray<ExchangeOrder>, SqlError>
  /** An account's turns that are not over, oldest first. */
  readonly unfinished: (accountId: string) => Effect.Effect<ReadonlyArray<ExchangeOrder>, SqlError>
  /**
   * Commits the order of an accepted turn, and what the bot leaves alone from now on. None when the turn is not to be decided any more, the
   * bot has other terms than this revision's, an order of the account is under way, or a kill switch is on. Fails when the wallet's limits
   * forbid it: nothing is committed then.
   */
  readonly decide: (
    id: string,
    revision: number,
    decision: Extract<Decision, { readonly _tag: "order" }>
  ) => Effect.Effect<Option.Option<ExchangeOrder>, ExecutionFailure | SqlError>
  /**
   * Says that the order leaves now. None when a kill switch is on, or somebody else has said so: then it is theirs, and must not be sent.
   * Fails when the limits that stand now forbid it.
   */
  readonly sending: (id: string) => Effect.Effect<Option.Option<ExchangeOrder>, ExecutionFailure | SqlError>
  /** Seconds since `sending`, by the database's clock. */
  readonly secondsSinceSent: (id: string) => Effect.Effect<number, SqlError>
  /** Ends an order, once; `false` when it was over. What is due for it is booked with it. */
  readonly close: (id: string, closed: Closed) => Effect.Effect<boolean, SqlError>
  readonly end: (id: string, how: { readonly status: Extract<OrderStatus, "held" | "lost">; readonly message: string }) => Effect.Effect<boolean, SqlError>
  readonly refuse: (id: string, failure: Refusal) => Effect.Effect<boolean, SqlError>
  /** Refuses a decided order that has not been sent, and never will be; `false` when somebody has sent it. */
  readonly withdraw: (id: string, failure: Refusal) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/exchange/ExchangeOrderStore") {
  static readonly layer = Layer.effect(
    ExchangeOrderStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const limits = yield* KeyLimitStore
      const columns = sql.literal(`id, account_id as "accountId", bot_id as "botId", wallet, exchange, subaccount, pair, symbol, revision,
        idempotency_key as "idempotencyKey", status, side, amount::text as amount, limit_price::text as "limit", client_id as "clientId",
        exchange_order_id as "exchangeOrderId", filled::text as filled, cost::text as cost, fees, message, failure, charge_usd::text as "chargeUsd",
        sent_at as "sentAt", created_at as "createdAt", updated_at as "updatedAt"`)
      const decoded = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) => Effect.flatMap(rows, (found) => Effect.orDie(Rows(found)))
      const first = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) => Effect.map(decoded(rows), ([row]) => Option.fromNullishOr(row))
      const changed = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) => Effect.map(rows, ({ length }) => length > 0)
      const open = sql.literal("status in ('accepted', 'decided', 'sending')")

      const refused = (id: string, { errorType, message }: Refusal, standing: Statement.Fragment) =>
        changed(sql`update exchange_orders set status = 'refused', failure = ${JSON.stringify({ errorType, message })}::jsonb, message = ${message}, updated_at = now()
          where id = ${id} and ${standing} returning id`)

      const insert = ({ account, bot, idempotencyKey, request }: NewTurn) =>
        Effect.map(Uuid.v7, (id) =>
          sql`insert into exchange_orders ${
            sql.insert({
              ...{ id, account_id: account.id, bot_id: bot.id, wallet: account.wallet, exchange: account.exchange, subaccount: account.name },
              ...{ pair: bot.pair, symbol: bot.symbol, revision: bot.revision, idempotency_key: idempotencyKey },
              request: request === null ? null : JSON.stringify(request)
            })
          }`)

      return {
        accept: (turn) =>
          sql.withTransaction(Effect.gen(function*() {
            yield* sql`update exchange_orders set status = 'held', message = 'The bot was set to something else before this was decided; nothing was sent.', updated_at = now()
              where bot_id = ${turn.bot.id} and status = 'accepted'`
            const [order] = yield* decoded(sql`${yield* insert(turn)} returning ${columns}`)
            if (order !== undefined) return order
            const other = yield* IdempotencyKeys.named(sql, turn.account.wallet, turn.idempotencyKey)
            return yield* Option.match(other, {
              onNone: () => Effect.die(new Error("a turn that was accepted is not there")),
              onSome: (id) => new IdempotencyKeys.KeyTaken({ id })
            })
          })),
        begin: (turn) =>
          Effect.flatMap(insert({ ...turn, request: null, idempotencyKey: null }), (statement) => first(sql`${statement} on conflict do nothing returning ${columns}`)),
        find: (id) => first(sql`select ${columns} from exchange_orders where id = ${id}`),
        known: (wallet, idempotencyKey) =>
          Effect.map(
            sql<{ readonly id: string; readonly request: unknown }>`select k.id::text as id, o.request from idempotency_keys k
              left join exchange_orders o on o.id = k.id where k.wallet = ${wallet} and k.key = ${idempotencyKey}`,
            ([row]) => Option.fromNullishOr(row)
          ),
        list: ({ before, limit, pair, subaccount, wallet }) =>
          decoded(sql`select ${columns} from exchange_orders where ${
            sql.and([
              sql`wallet = ${wallet}`,
              ...(subaccount === undefined ? [] : [sql`subaccount = ${subaccount}`]),
              ...(pair === undefined ? [] : [sql`pair = ${pair}`]),
              ...(before === undefined ? [] : [sql`id < ${before}`])
            ])
          } order by id desc limit ${limit}`),
        unfinished: (accountId) => decoded(sql`select ${columns} from exchange_orders where account_id = ${accountId} and ${open} order by id`),
        decide: (id, revision, { amount, limit, reason, rest, side, usd }) =>
          sql.withTransaction(Effect.gen(function*() {
            const order = yield* first(sql`update exchange_orders o set status = 'decided', side = ${side}, amount = ${show(amount)}::numeric,
                limit_price = ${show(limit)}::numeric, usd = ${show(usd)}::numeric, client_id = ${clientIdOf(id)}, message = ${reason}, revision = ${revision}, updated_at = now()
              where id = ${id} and status = 'accepted'
                and exists (select 1 from exchange_bots b where b.id = o.bot_id and b.revision = ${revision} and b.active)
                and not exists (select 1 from exchange_orders u where u.account_id = o.account_id and u.status in ('decided', 'sending'))
                and ${unlessWalletStopped(sql, "o")}
              returning ${columns}`)
            if (Option.isSome(order)) {
              yield* limits.reserveOrder(id)
              yield* sql`update exchange_bots set rest = ${show(rest)}::numeric, owed = 0, updated_at = now() where id = ${order.value.botId}`
            }
            return order
          })),
        sending: (id) =>
          sql.withTransaction(Effect.gen(function*() {
            const order = yield* first(sql`update exchange_orders o set status = 'sending', sent_at = now(), updated_at = now()
              where id = ${id} and status = 'decided' and ${unlessWalletStopped(sql, "o")} returning ${columns}`)
            if (Option.isSome(order)) yield* limits.reserveOrder(id)
            return order
          })),
        secondsSinceSent: (id) =>
          Effect.map(
            sql<{ readonly age: number }>`select extract(epoch from now() - sent_at)::float8 as age from exchange_orders where id = ${id}`,
            ([row]) => row?.age ?? 0
          ),
        close: (id, { chargeUsd, cost, exchangeOrderId, fees, filled, message }) =>
          // Its charge waits for a price of the network it is paid on, as any other charge that stands in USD alone.
          changed(sql`with closed as (update exchange_orders set status = 'closed', exchange_order_id = ${exchangeOrderId}, filled = ${show(filled)}::numeric,
              cost = ${show(cost)}::numeric, fees = ${fees === null ? null : encodeFees(fees)}::jsonb, message = ${message},
              charge_usd = ${chargeUsd === null ? null : show(chargeUsd)}::numeric, updated_at = now()
            where id = ${id} and status = 'sending' returning id, wallet, account_id, charge_usd),
            charged as (insert into charges (id, reference, wallet, network, action, usd)
              select gen_random_uuid(), ${orderReference(id)}, c.wallet, a.payment_network, 'exchangeTrade', c.charge_usd
              from closed c join exchange_accounts a on a.id = c.account_id where c.charge_usd > 0
              on conflict (wallet, reference) do nothing)
            select id from closed`),
        end: (id, { message, status }) =>
          changed(sql`update exchange_orders set status = ${status}, message = ${message}, updated_at = now() where id = ${id} and ${open} returning id`),
        refuse: (id, failure) => refused(id, failure, open),
        withdraw: (id, failure) => refused(id, failure, sql.literal("status = 'decided'"))
      }
    })
  )
}
