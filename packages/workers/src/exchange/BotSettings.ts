/** Sets the bots of an account. A setting is committed, together with the turn it starts, before the response. */
import * as Audit from "@vault-trader/core/audit/Audit"
import type { Address } from "@vault-trader/core/chain/Address"
import {
  BotSet,
  type ExchangeAccount,
  type ExchangeBot,
  type Strategy
} from "@vault-trader/core/exchange/ExchangeAccount"
import { hasBracket } from "@vault-trader/core/exchange/ExchangeBracket"
import { minOrderUsd, show, type Side } from "@vault-trader/core/exchange/ExchangeDecision"
import { requestOf, sameRequest } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { type ExchangeId, pairOf, symbolOf } from "@vault-trader/core/exchange/Exchanges"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { type ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { KeyTaken } from "@vault-trader/core/storage/IdempotencyKeys"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import type { AccountClient, Market } from "../ccxt/ExchangeClient.ts"
import { explainFailure } from "../ccxt/ExchangeFailure.ts"
import { marketOf } from "../market-data/Market.ts"
import * as AccountCheck from "./AccountCheck.ts"
import type { AccountConnection, AccountName } from "./AccountConnection.ts"
import type { CheckSchedule } from "./CheckSchedule.ts"
import { persist } from "./Persist.ts"

/** A bot, and the wallet that claims its account. */
interface BotAddress {
  readonly wallet: Address
  readonly pair: string
}

interface SideSetting extends BotAddress {
  readonly side: Side
  readonly strategy: Strategy
  readonly maxUsd: BigDecimal.BigDecimal
  /** Percentage of the balance. */
  readonly share: number
  readonly takeProfit?: number | null | undefined
  readonly stopLoss?: number | null | undefined
  readonly idempotencyKey: string | null
}

const invalid = (message: string) => new ValidationFailure({ code: "1010", message })

/** A strategy would buy again at once what a bracket has sold. */
const notWithStrategy = (strategy: Strategy) =>
  invalid(`strategy: a bot with take_profit or stop_loss keeps the side it is set to; it cannot follow ${strategy}`)

const conflict = (earlier: string) =>
  invalid(`idempotency_key: was used for another request (intent ${earlier}); use a new key for a new request`)

/** Refuses a `max_usd` below the exchange's minimum order value. */
const checkMaxUsd = (exchange: ExchangeId, client: AccountClient, market: Market, maxUsd: BigDecimal.BigDecimal) =>
  Effect.gen(function*() {
    const sight = yield* Effect.mapError(AccountCheck.sightOf(client, market, new Map()), explainFailure)
    if (Option.isNone(sight)) {
      return yield* new ValidationFailure({
        code: "1003",
        message: `pair: ${exchange} has no price of ${market.quote} in US dollars, so max_usd cannot be applied there`
      })
    }
    const minUsd = minOrderUsd(market, sight.value)
    if (!BigDecimal.isLessThan(maxUsd, minUsd)) return
    return yield* invalid(
      `max_usd: an order of ${pairOf(market.symbol)} on ${exchange} is worth at least $${
        show(BigDecimal.scale(minUsd, 2))
      }, more than the given $${show(maxUsd)}`
    )
  })

/** Finds the account's bot of a pair; fails with 1003 when it has none. */
const findBot = (
  store: ExchangeStore["Service"],
  account: ExchangeAccount,
  pair: string
): Effect.Effect<ExchangeBot, ValidationFailure | ExecutionFailure> =>
  Effect.flatMap(persist(store.bots(account.id)), (bots) => {
    const bot = bots.find((each) => each.pair === pairOf(pair))
    const has = bots.length === 0 ? "no bots" : `bots of ${bots.map((each) => each.pair).join(", ")}`
    return bot === undefined
      ? Effect.fail(
        new ValidationFailure({
          code: "1003",
          message: `pair: ${account.name} has no bot of ${pairOf(pair)}; it has ${has}`
        })
      )
      : Effect.succeed(bot)
  })

/** Builds `setSide`: stores the bot's terms and accepts its turn, in one database transaction. */
const makeSetSide = ({ exchange, name }: AccountName, connection: AccountConnection, checks: CheckSchedule) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const store = yield* ExchangeStore
    const orders = yield* ExchangeOrderStore

    return (
      { idempotencyKey, maxUsd, pair, share, side, stopLoss = null, strategy, takeProfit = null, wallet }: SideSetting
    ) =>
      Effect.gen(function*() {
        const { account, client } = yield* connection.ofWallet(wallet)
        const request = requestOf({ subaccount: name, pair, side, strategy, share, maxUsd, takeProfit, stopLoss })
        /** The response to a request whose idempotency key was used before. */
        const repeated = Effect.gen(function*() {
          const known = idempotencyKey === null
            ? Option.none()
            : yield* persist(orders.findByIdempotencyKey(wallet, idempotencyKey))
          if (Option.isNone(known)) return undefined
          if (!sameRequest(known.value.request, request)) return yield* conflict(known.value.id)
          return BotSet.make({ bot: yield* findBot(store, account, pair), intentId: known.value.id })
        })
        const earlier = yield* repeated
        if (earlier !== undefined) return earlier
        if (strategy !== "custom" && hasBracket({ takeProfit, stopLoss })) return yield* notWithStrategy(strategy)
        const market = yield* marketOf(client, exchange, pair)
        yield* checkMaxUsd(exchange, client, market, maxUsd)
        const set = yield* persist(
          Audit.transaction(
            sql,
            Effect.gen(function*() {
              const bot = yield* store.setBot({
                accountId: account.id,
                pair: pairOf(pair),
                symbol: symbolOf(pair),
                side,
                strategy,
                maxUsd,
                share,
                takeProfit,
                stopLoss
              })
              // When a turn with the same terms is in progress, returns that turn.
              const inProgress = (yield* orders.unfinished(account.id)).find((order) =>
                order.botId === bot.id && order.revision === bot.revision
              )
              const turn = inProgress !== undefined && idempotencyKey === null
                ? inProgress
                : yield* orders.accept({ account, bot, request, idempotencyKey })
              return BotSet.make({ bot, intentId: turn.id })
            })
          ).pipe(Effect.catchTag("KeyTaken", (taken) => Effect.succeed(taken)))
        )
        // Another request used the key in the meantime: nothing of this one was committed.
        if (set instanceof KeyTaken) return (yield* repeated) ?? (yield* conflict(set.id))
        yield* checks.schedule
        return set
      }).pipe(Effect.withSpan("ExchangeAccount.setSide", { attributes: { exchange } }))
  })

export const make = (accountName: AccountName, connection: AccountConnection, checks: CheckSchedule) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    return {
      setSide: yield* makeSetSide(accountName, connection, checks),
      setStrategy: ({ pair, strategy, wallet }: BotAddress & { readonly strategy: Strategy }) =>
        Effect.gen(function*() {
          const { account } = yield* connection.ofWallet(wallet)
          const found = yield* findBot(store, account, pair)
          if (strategy !== "custom" && hasBracket(found)) return yield* notWithStrategy(strategy)
          const bot = yield* persist(store.setStrategy(found.id, strategy))
          yield* checks.schedule
          return bot
        }),
      deactivate: ({ pair, wallet }: BotAddress) =>
        Effect.gen(function*() {
          const { account } = yield* connection.ofWallet(wallet)
          return yield* persist(store.deactivate((yield* findBot(store, account, pair)).id))
        }),
      removeBot: ({ pair, wallet }: BotAddress) =>
        Effect.gen(function*() {
          const { account } = yield* connection.ofWallet(wallet)
          const bot = yield* findBot(store, account, pair)
          yield* persist(store.removeBot(bot.id))
          yield* checks.schedule
          return bot
        })
    }
  })
