/** The rows of exchange accounts and their bots. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import type * as BigDecimal from "effect/BigDecimal"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import * as Uuid from "../storage/Uuid.ts"
import { breaker, ExchangeAccount, ExchangeBot, LastDecision, type Strategy } from "./ExchangeAccount.ts"
import { type Bracket, Exit } from "./ExchangeBracket.ts"
import { type ChangedBot, changeOf, setChange } from "./ExchangeBotAudit.ts"
import { show } from "./ExchangeDecision.ts"

/** An account to store. */
type NewAccount =
  & Pick<ExchangeAccount, "manager" | "exchange" | "name" | "wallet" | "paymentNetwork" | "settings">
  & {
    readonly ciphertext: string
  }

/** The settings of a bot that a caller can change. */
type Setting =
  & Pick<ExchangeBot, "accountId" | "pair" | "symbol" | "side" | "strategy" | "maxUsd" | "share">
  & Partial<Bracket>

/** The outcome of a bot's turn. */
interface Ended {
  readonly decision: LastDecision
  readonly orderId: string | null
  /**
   * A failed turn counts against the bot, except a failure that the bot did not cause (`neither`). A failed turn of an
   * exit (`retried`) does not pause it.
   */
  readonly counts: "succeeded" | "failed" | "retried" | "neither"
  /** The amount that its order should have moved and did not; null leaves the stored value unchanged. */
  readonly owed: BigDecimal.BigDecimal | null
}

const Accounts = Schema.decodeUnknownEffect(Schema.Array(ExchangeAccount))
const Bots = Schema.decodeUnknownEffect(Schema.Array(ExchangeBot))
const encodeExit = Schema.encodeSync(Schema.fromJsonString(Exit))
const encodeDecision = Schema.encodeSync(Schema.fromJsonString(LastDecision))

/** The columns of a bot, in the form that `ExchangeBot` decodes. */
const botColumns =
  `id, account_id as "accountId", pair, symbol, side, strategy, max_usd::text as "maxUsd", share, active, watching,
  paused_reason as "pausedReason",
  failures, revision, rest::text as rest, owed::text as owed, take_profit as "takeProfit",
  stop_loss as "stopLoss", exit, last_decision as "lastDecision", last_order as "lastOrder"`

/** Returns the first row. */
const first = <A>(found: Effect.Effect<ReadonlyArray<A>, SqlError>) =>
  Effect.map(found, ([row]) => Option.fromNullishOr(row))

const accountRows = (
  sql: SqlClient.SqlClient
): Pick<
  ExchangeStore["Service"],
  "put" | "find" | "ofWallet" | "ofManager" | "listOf" | "listOfManager" | "ciphertext" | "remove" | "due"
> => {
  const columns = sql.literal(
    `a.id, a.manager, a.exchange, a.name, a.wallet, a.payment_network as "paymentNetwork", a.settings,
    a.created_at as "createdAt"`
  )
  const accounts = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.flatMap(rows, (found) => Effect.orDie(Accounts(found)))

  return {
    put: ({ paymentNetwork, settings, ...account }) =>
      Effect.gen(function*() {
        const id = yield* Uuid.v7
        const row = { ...account, id, payment_network: paymentNetwork, settings: JSON.stringify(settings) }
        const { exchange, manager, name, wallet } = account
        yield* Audit.recorded(
          sql,
          sql`insert into exchange_accounts ${sql.insert(row)} on conflict do nothing returning id`,
          (rows) =>
            rows.map(() => ({
              action: "exchange.registered",
              subject: id,
              wallet,
              details: { manager, exchange, name, payment_network: paymentNetwork }
            }))
        )
        return yield* first(accounts(sql`select ${columns} from exchange_accounts a where id = ${id}`))
      }),
    find: (manager, exchange, name) =>
      first(
        accounts(
          sql`select ${columns} from exchange_accounts a
            where manager = ${manager} and exchange = ${exchange} and name = ${name}`
        )
      ),
    ofWallet: (wallet, name) =>
      first(accounts(sql`select ${columns} from exchange_accounts a where wallet = ${wallet} and name = ${name}`)),
    ofManager: (manager, name) =>
      first(
        accounts(sql`select ${columns} from exchange_accounts a where manager = ${manager} and name = ${name}`)
      ),
    listOf: (wallet) =>
      accounts(sql`select ${columns} from exchange_accounts a where wallet = ${wallet} order by name limit 1000`),
    listOfManager: (manager) =>
      accounts(sql`select ${columns} from exchange_accounts a where manager = ${manager} order by name limit 1000`),
    ciphertext: (id) =>
      Effect.map(
        sql<{ readonly ciphertext: string }>`select ciphertext from exchange_accounts where id = ${id}`,
        ([row]) => Option.map(Option.fromNullishOr(row), ({ ciphertext }) => ciphertext)
      ),
    remove: (id) =>
      Effect.asVoid(Audit.recorded(
        sql,
        sql<
          { readonly wallet: Address; readonly manager: Address; readonly exchange: string; readonly name: string }
        >`delete from exchange_accounts where id = ${id} returning wallet, manager, exchange, name`,
        (rows) => rows.map(({ wallet, ...details }) => ({ action: "exchange.deleted", subject: id, wallet, details }))
      )),
    due: (shard, shards) =>
      accounts(
        sql`select ${columns} from exchange_accounts a where abs(hashtext(a.id::text) % ${shards}) = ${shard} and (
          exists (select 1 from exchange_bots b
          where b.account_id = a.id and (b.watching or b.active and (b.side <> 'hold' or b.strategy <> 'custom'
            or b.take_profit is not null or b.stop_loss is not null)))
          or exists (select 1 from exchange_orders o
          where o.account_id = a.id and o.status in ('accepted', 'decided', 'sending')))
        order by a.id`
      )
  }
}

/** Builds what the statements about bots share. `before`: the columns that audit entries need. */
const makeBots = (sql: SqlClient.SqlClient) => {
  const botFields = sql.literal(botColumns)
  const bots = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.flatMap(rows, (found) => Effect.orDie(Bots(found)))
  const oneBot = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.flatMap(
      bots(rows),
      ([bot]) => bot === undefined ? Effect.die(new Error("an exchange bot is missing")) : Effect.succeed(bot)
    )

  /** Changes one bot and records it, if `changeOf` finds a change. */
  const changed = (
    rows: Effect.Effect<ReadonlyArray<ChangedBot>, SqlError>,
    changeOf: (row: ChangedBot) => Audit.Change | undefined
  ) => oneBot(Audit.recorded(sql, rows, (found) => found.flatMap((row) => changeOf(row) ?? [])))
  const before = sql.literal(
    `(select before.active from exchange_bots before where before.id = b.id) as "wasActive",
    (select before.revision from exchange_bots before where before.id = b.id) as "wasRevision",
    (select a.wallet from exchange_accounts a where a.id = b.account_id) as wallet,
    (select a.exchange || '/' || a.name from exchange_accounts a where a.id = b.account_id) as account`
  )
  return { before, botFields, bots, changed, oneBot }
}

const botSettings = (
  sql: SqlClient.SqlClient
): Pick<ExchangeStore["Service"], "bots" | "setBot" | "setStrategy" | "deactivate" | "pause" | "removeBot"> => {
  const { before, botFields, bots, changed } = makeBots(sql)
  return {
    bots: (accountId) =>
      bots(sql`select ${botFields} from exchange_bots where account_id = ${accountId} order by pair`),
    setBot: ({ accountId, maxUsd, stopLoss = null, takeProfit = null, ...setting }) =>
      Effect.gen(function*() {
        const row = {
          ...{ ...setting, id: yield* Uuid.v7, account_id: accountId, max_usd: show(maxUsd) },
          ...{ take_profit: takeProfit, stop_loss: stopLoss }
        }
        const differs = sql.literal(
          "((b.side, b.strategy, b.max_usd, b.share, b.active, b.take_profit, b.stop_loss) is distinct from " +
            "(excluded.side, excluded.strategy, excluded.max_usd, excluded.share, true, excluded.take_profit, " +
            "excluded.stop_loss) or coalesce((b.exit->>'ended')::boolean, false))"
        )
        return yield* changed(
          sql<ChangedBot>`insert into exchange_bots as b ${sql.insert(row)}
          on conflict (account_id, symbol) do update
          set side = excluded.side, strategy = excluded.strategy, max_usd = excluded.max_usd,
            share = excluded.share, take_profit = excluded.take_profit, stop_loss = excluded.stop_loss,
            exit = case when ${differs} then null else b.exit end, active = true, watching = false, paused_reason = null,
            failures = 0, updated_at = now(),
            revision = b.revision + case when ${differs} then 1 else 0 end,
            rest = case when ${differs} then 0 else b.rest end, owed = case when ${differs} then 0 else b.owed end
          -- A query of a statement reads the rows from before it.
          returning ${botFields}, ${before}`,
          setChange
        )
      }),
    setStrategy: (id, strategy) =>
      changed(
        sql<ChangedBot>`update exchange_bots b set strategy = ${strategy}, active = true, watching = false,
          paused_reason = null,
          failures = 0, revision = revision + 1, updated_at = now() where id = ${id} returning ${botFields}, ${before}`,
        setChange
      ),
    deactivate: (id) =>
      changed(
        sql<ChangedBot>`update exchange_bots b set active = false, watching = false, updated_at = now() where id = ${id}
          returning ${botFields}, ${before}`,
        (row) => row.wasActive === true ? changeOf("bot.paused", row) : undefined
      ),
    pause: (id, reason) =>
      changed(
        sql<
          ChangedBot
        >`update exchange_bots b set active = false, watching = false, paused_reason = ${reason}, revision = revision + 1,
          updated_at = now() where id = ${id} returning ${botFields}, ${before}`,
        (row) => row.wasActive === true ? changeOf("bot.paused", row, { reason }) : undefined
      ),
    removeBot: (id) =>
      Effect.asVoid(Audit.recorded(
        sql,
        sql<ChangedBot>`delete from exchange_bots b where id = ${id} returning ${botFields}, ${before}`,
        (rows) => rows.map((row) => changeOf("bot.deleted", row))
      ))
  }
}

const botExits = (sql: SqlClient.SqlClient): Pick<ExchangeStore["Service"], "beginExit" | "endExit"> => {
  const { botFields, bots } = makeBots(sql)
  return {
    beginExit: ({ id, revision }, exit) =>
      first(bots(
        sql`update exchange_bots set side = 'neutral', revision = revision + 1, rest = 0, owed = 0, failures = 0, exit = ${
          encodeExit({ ...exit, revision: revision + 1, ended: false })
        }::jsonb, updated_at = now()
          where id = ${id} and revision = ${revision} and (active or watching) and exit is null returning ${botFields}`
      )),
    endExit: ({ id, revision }) =>
      Effect.asVoid(
        sql`update exchange_bots set exit = exit || '{"ended": true}', updated_at = now()
          where id = ${id} and revision = ${revision} and exit is not null`
      )
  }
}

const botTurns = (sql: SqlClient.SqlClient): Pick<ExchangeStore["Service"], "turn" | "recordEnd"> => {
  const { before, botFields, oneBot } = makeBots(sql)
  return {
    turn: (id, side) =>
      oneBot(
        sql`update exchange_bots
          set side = ${side}, revision = revision + 1, rest = 0, owed = 0, updated_at = now() where id = ${id}
          returning ${botFields}`
      ),
    recordEnd: (id, { counts, decision, orderId, owed }) => {
      const pauses = sql`(${counts} = 'failed' and failures + 1 >= ${breaker})`
      const hasBracket = sql.literal("((take_profit is not null or stop_loss is not null) and side <> 'neutral')")
      const ended = sql<ChangedBot>`update exchange_bots b set last_decision = ${
        encodeDecision(decision)
      }::jsonb, last_order = coalesce(${orderId}::uuid, last_order),
          owed = coalesce(${owed === null ? null : show(owed)}::numeric, owed),
          failures = case ${counts} when 'succeeded' then 0 when 'failed' then failures + 1
            when 'retried' then failures + 1 else failures end,
          active = active and not ${pauses},
          watching = watching or active and ${pauses} and ${hasBracket} and exit is null,
          paused_reason = case when ${pauses}
            then ${`It failed ${breaker} times in a row; set it again to resume it. `}::text
            || case when ${hasBracket} then 'Its take-profit and stop-loss are still watched. ' else '' end
            || ${`Last failure: ${decision.reason}`}::text else paused_reason end,
          updated_at = now()
        where id = ${id} returning ${botFields}, ${before}`
      // Only a failure can pause a bot: other turns have nothing to record.
      return Effect.asVoid(
        counts !== "failed" ? ended : Audit.recorded(
          sql,
          ended,
          (rows) =>
            rows.filter(({ active, wasActive }) => wasActive === true && !active).map((row) =>
              changeOf("bot.paused", row, { reason: row.pausedReason })
            )
        )
      )
    }
  }
}

export class ExchangeStore extends Context.Service<ExchangeStore, {
  /** Stores an account. None when the wallet or the manager already has one of that name. */
  readonly put: (account: NewAccount) => Effect.Effect<Option.Option<ExchangeAccount>, SqlError>
  readonly find: (
    manager: Address,
    exchange: string,
    name: string
  ) => Effect.Effect<Option.Option<ExchangeAccount>, SqlError>
  readonly ofWallet: (wallet: Address, name: string) => Effect.Effect<Option.Option<ExchangeAccount>, SqlError>
  readonly ofManager: (manager: Address, name: string) => Effect.Effect<Option.Option<ExchangeAccount>, SqlError>
  readonly listOf: (wallet: Address) => Effect.Effect<ReadonlyArray<ExchangeAccount>, SqlError>
  /** Lists the accounts that a manager registered, of all wallets. */
  readonly listOfManager: (manager: Address) => Effect.Effect<ReadonlyArray<ExchangeAccount>, SqlError>
  /** Reads the account's encrypted credentials, for its actor. */
  readonly ciphertext: (id: string) => Effect.Effect<Option.Option<string>, SqlError>
  /** Deletes an account, its credentials and its bots. */
  readonly remove: (id: string) => Effect.Effect<void, SqlError>
  readonly bots: (accountId: string) => Effect.Effect<ReadonlyArray<ExchangeBot>, SqlError>
  /**
   * Sets and activates a bot. Different terms are a new revision. Run it in the same transaction as the turn it starts.
   */
  readonly setBot: (setting: Setting) => Effect.Effect<ExchangeBot, SqlError>
  readonly setStrategy: (id: string, strategy: Strategy) => Effect.Effect<ExchangeBot, SqlError>
  /** Stores the side that a strategy chose, as a new revision. */
  readonly turn: (id: string, side: ExchangeBot["side"]) => Effect.Effect<ExchangeBot, SqlError>
  /**
   * Commits that a bot's bracket is triggered: its side is neutral from then on. None when the bot was set again or
   * stopped in the meantime.
   */
  readonly beginExit: (
    bot: Pick<ExchangeBot, "id" | "revision">,
    exit: Omit<Exit, "revision" | "ended">
  ) => Effect.Effect<Option.Option<ExchangeBot>, SqlError>
  /** Records that nothing is left to sell of an exit. */
  readonly endExit: (bot: Pick<ExchangeBot, "id" | "revision">) => Effect.Effect<void, SqlError>
  readonly deactivate: (id: string) => Effect.Effect<ExchangeBot, SqlError>
  /** Pauses a bot until it is set again, and says why. Nothing that was decided for it before is sent. */
  readonly pause: (id: string, reason: string) => Effect.Effect<ExchangeBot, SqlError>
  readonly removeBot: (id: string) => Effect.Effect<void, SqlError>
  readonly recordEnd: (id: string, how: Ended) => Effect.Effect<void, SqlError>
  /** Lists the accounts of one shard that have bots to look after or unfinished orders. */
  readonly due: (shard: number, shards: number) => Effect.Effect<ReadonlyArray<ExchangeAccount>, SqlError>
}>()("vault-trader/core/exchange/ExchangeStore") {
  static readonly layer = Layer.effect(
    ExchangeStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      ...accountRows(sql),
      ...botSettings(sql),
      ...botExits(sql),
      ...botTurns(sql)
    }))
  )
}
