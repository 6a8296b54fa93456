/** An account at a centralized exchange and its bots: rows, views, and the account actor's protocol. */
import * as Entity from "effect/cluster/Entity"
import * as Rpc from "effect/rpc/Rpc"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { Actor } from "../audit/AuditEntry.ts"
import { Address } from "../chain/Address.ts"
import { Network } from "../chain/Network.ts"
import { Failure } from "../failure/Failure.ts"
import { Exit, hasBracket } from "./ExchangeBracket.ts"
import { Side } from "./ExchangeDecision.ts"
import { AccountSettings, ExchangeId } from "./Exchanges.ts"

/**
 * `custom`: setCEXSide sets the side. `trend`: long while the last daily candle closed above the mean of the last 50,
 * else neutral.
 */
export const strategies = ["custom", "trend"] as const
export const Strategy = Schema.Literals(strategies)
export type Strategy = typeof Strategy.Type

/** An account's row without its credentials, which only the account's actor reads. */
export const ExchangeAccount = Schema.Struct({
  id: Schema.String,
  manager: Address,
  exchange: ExchangeId,
  name: Schema.String,
  /** The gas wallet whose key sets the account's bots, and which is billed. */
  wallet: Address,
  paymentNetwork: Network,
  settings: AccountSettings,
  createdAt: Schema.Date
}).annotate({ identifier: "ExchangeAccount" })
export type ExchangeAccount = typeof ExchangeAccount.Type

/** The outcome of a bot's last check. */
export const LastDecision = Schema.Struct({
  action: Schema.Literals(["hold", "order", "failed"]),
  reason: Schema.String,
  /** ISO 8601. */
  at: Schema.String
})
export type LastDecision = typeof LastDecision.Type

/** A field that a bot of an older runner does not have. */
const added = <S extends Schema.Top>(schema: S) =>
  Schema.NullOr(schema).pipe(Schema.withDecodingDefaultType(Effect.succeed(null)))

/** A bot's row. */
export const ExchangeBot = Schema.Struct({
  id: Schema.String,
  accountId: Schema.String,
  /** The pair as `BTC-USDT`; `symbol` is the same pair in ccxt's notation. */
  pair: Schema.String,
  symbol: Schema.String,
  side: Side,
  strategy: Strategy,
  maxUsd: Schema.BigDecimalFromString,
  share: Schema.Number,
  active: Schema.Boolean,
  /** True: the bot paused itself after failures, and its bracket is watched nevertheless. */
  watching: Schema.Boolean.pipe(Schema.withDecodingDefaultType(Effect.succeed(false))),
  pausedReason: Schema.NullOr(Schema.String),
  failures: Schema.Int,
  revision: Schema.Int,
  /**
   * `rest`: the balance that the last decision left unchanged. `owed`: the amount that its order should have moved and
   * did not.
   */
  rest: Schema.BigDecimalFromString,
  owed: Schema.BigDecimalFromString,
  /** Percent of the entry price, above and below it. */
  takeProfit: added(Schema.Number),
  stopLoss: added(Schema.Number),
  /** The bracket's trigger, until the bot is set again. */
  exit: added(Exit),
  lastDecision: Schema.NullOr(LastDecision),
  lastOrder: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ExchangeBot" })
export type ExchangeBot = typeof ExchangeBot.Type

/** Checks whether anything of a bot is to be looked after: its side, or the bracket of one that paused itself. */
export const isWatched = ({ active, watching }: Pick<ExchangeBot, "active" | "watching">): boolean => active || watching

/** The number of consecutive failed turns after which a bot pauses itself. */
export const breaker = 3

/** A triggered bracket in responses. Prices are in the quote, the amount is in the base. */
export const ExitView = Schema.Struct({
  state: Schema.Literals(["closing", "closed"]),
  condition: Exit.fields.condition,
  entry_price: Schema.String,
  price: Schema.String,
  amount: Schema.String,
  at: Schema.String
})

/** A bot in responses. */
export const ExchangeBotView = Schema.Struct({
  pair: Schema.String,
  side: Side,
  strategy: Strategy,
  max_usd: Schema.Number,
  share: Schema.Number,
  take_profit: Schema.NullOr(Schema.Number),
  stop_loss: Schema.NullOr(Schema.Number),
  exit: Schema.NullOr(ExitView),
  active: Schema.Boolean,
  paused_reason: Schema.NullOr(Schema.String),
  last_decision: Schema.NullOr(LastDecision),
  last_intent_id: Schema.NullOr(Schema.String)
})
export type ExchangeBotView = typeof ExchangeBotView.Type

export const viewOf = (bot: ExchangeBot): ExchangeBotView => ({
  pair: bot.pair,
  side: bot.side,
  strategy: bot.strategy,
  max_usd: BigDecimal.toNumberUnsafe(bot.maxUsd),
  share: bot.share,
  take_profit: bot.takeProfit,
  stop_loss: bot.stopLoss,
  exit: bot.exit === null ? null : {
    state: bot.exit.ended ? "closed" : "closing",
    condition: bot.exit.condition,
    entry_price: bot.exit.entry,
    price: bot.exit.price,
    amount: bot.exit.amount,
    at: bot.exit.at
  },
  active: bot.active && (bot.side !== "hold" || bot.strategy !== "custom" || hasBracket(bot)),
  paused_reason: bot.pausedReason,
  last_decision: bot.lastDecision,
  last_intent_id: bot.lastOrder
})

/** An account in responses. */
export const ExchangeAccountView = Schema.Struct({
  subaccount_name: Schema.String,
  exchange: ExchangeId,
  manager: Address,
  gas_wallet: Address,
  payment_network: Network,
  settings: AccountSettings,
  created_at: Schema.String
})

export const accountViewOf = (
  { createdAt, exchange, manager, name, paymentNetwork, settings, wallet }: ExchangeAccount
) => ({
  subaccount_name: name,
  exchange,
  manager,
  gas_wallet: wallet,
  payment_network: paymentNetwork,
  settings,
  created_at: createdAt.toISOString()
})

/** A customer's API credentials at an exchange. Never persisted in plain text. */
export const Credentials = Schema.Struct({
  apiKey: Schema.RedactedFromValue(Schema.String),
  secret: Schema.RedactedFromValue(Schema.String),
  passphrase: Schema.NullOr(Schema.RedactedFromValue(Schema.String))
}).annotate({ identifier: "Credentials" })
export type Credentials = typeof Credentials.Type

/** A free balance as an exact decimal. */
export const Balance = Schema.Struct({ asset: Schema.String, free: Schema.String })

export const BotSet = Schema.Struct({ bot: ExchangeBot, intentId: Schema.String }).annotate({
  identifier: "ExchangeBotSet"
})
export type BotSet = typeof BotSet.Type

/** `actor`: who changes the bot, for the audit log; without it the service itself. */
const about = { wallet: Address, pair: Schema.String, actor: Schema.optional(Actor) }

/**
 * The ExchangeAccount actor's protocol: one exchange account, one order at a time. Entity id:
 * `manager/exchange/subaccount`. Its messages are not persisted on purpose: storage would keep their payload in plain
 * text.
 */
export const ExchangeAccounts = Entity.make("ExchangeAccount", [
  /** Stores the account after the exchange has accepted its credentials; returns its balances. */
  Rpc.make("register", {
    payload: {
      wallet: Address,
      paymentNetwork: Network,
      settings: AccountSettings,
      credentials: Credentials,
      actor: Schema.optional(Actor)
    },
    success: Schema.Struct({ account: ExchangeAccount, balances: Schema.Array(Balance) }),
    error: Failure
  }),
  /** Stores the bot's terms and starts a turn. */
  Rpc.make("setSide", {
    payload: {
      ...about,
      side: Side,
      strategy: Strategy,
      maxUsd: Schema.BigDecimalFromString,
      share: Schema.Number,
      takeProfit: Schema.optional(Schema.NullOr(Schema.Number)),
      stopLoss: Schema.optional(Schema.NullOr(Schema.Number)),
      idempotencyKey: Schema.NullOr(Schema.String)
    },
    success: BotSet,
    error: Failure
  }),
  Rpc.make("setStrategy", { payload: { ...about, strategy: Strategy }, success: ExchangeBot, error: Failure }),
  /** Deactivates a bot and keeps its configuration. */
  Rpc.make("deactivate", { payload: about, success: ExchangeBot, error: Failure }),
  /** Removes a bot. An order in progress is tracked until it is final. */
  Rpc.make("removeBot", { payload: about, success: ExchangeBot, error: Failure }),
  /**
   * Removes the account, its credentials and its bots; returns the bots' pairs. Fails while an order's outcome is
   * unknown.
   */
  Rpc.make("remove", {
    payload: { actor: Schema.optional(Actor) },
    success: Schema.Array(Schema.String),
    error: Failure
  }),
  /** Checks unfinished orders and active bots. */
  Rpc.make("wake", { error: Failure })
])

export const idOf = (manager: Address, exchange: ExchangeId, name: string): string => `${manager}/${exchange}/${name}`
