/**
 * The ExchangeAccount actor: keeps an account and its bots' terms in rows, and checks them one check at a time. A
 * setting is committed, together with the turn it starts, before the response. Checks run on their own, and resume from
 * the rows after a restart.
 */
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Address } from "@vault-trader/core/chain/Address"
import { leastUsd, show } from "@vault-trader/core/exchange/ExchangeDecision"
import {
  BotSet,
  type Credentials,
  type ExchangeAccount,
  ExchangeAccounts,
  type ExchangeBot
} from "@vault-trader/core/exchange/ExchangeAccount"
import { ExchangeId, pairOf, symbolOf } from "@vault-trader/core/exchange/Exchanges"
import { requestOf, sameRequest } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { KeyTaken } from "@vault-trader/core/storage/IdempotencyKeys"
import * as BigDecimal from "effect/BigDecimal"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as SqlClient from "effect/sql/SqlClient"
import { Ccxt } from "../ccxt/Ccxt.ts"
import type { AccountClient, Market } from "../ccxt/ExchangeClient.ts"
import { type ExchangeFailure, told } from "../ccxt/ExchangeFailure.ts"
import { retryForever } from "../actor/Retry.ts"
import { marketOf } from "../market-data/Market.ts"
import { CredentialsCipher } from "./CredentialsCipher.ts"
import * as AccountCheck from "./AccountCheck.ts"

const invalid = (message: string) => new ValidationFailure({ code: "1010", message })

const outcomeUnknown = new ExecutionFailure({
  errorType: "busy",
  message:
    "The database does not respond, so it is unknown whether anything was changed. Call getCEXSide, or repeat the request."
})
/** Retries a database operation for at most five seconds, because a caller waits for it. */
const persist = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, ExecutionFailure, R> =>
  Effect.timeoutOrElse(retryForever(effect), { duration: "5 seconds", orElse: () => Effect.fail(outcomeUnknown) })

/** How long a removal waits for an order with an unknown outcome. */
const removalTimeout = "15 seconds"

/** Converts a failure of the credentials to a validation failure of their parameter. */
const credentialsFailure = (failure: ExchangeFailure) =>
  failure._tag === "ExchangeRefused" && failure.kind === "credentials"
    ? invalid(`cex_api_key: ${failure.exchange} refuses the credentials: ${failure.reason}`)
    : told(failure)

export const ExchangeAccountLive = ExchangeAccounts.toLayer(
  Effect.gen(function*() {
    const record = (yield* Entity.CurrentAddress).entityId
    const [manager = "", id = "", ...names] = record.split("/")
    const exchange = Schema.decodeUnknownSync(ExchangeId)(id)
    const name = names.join("/")
    const sql = yield* SqlClient.SqlClient
    const store = yield* ExchangeStore
    const orders = yield* ExchangeOrderStore
    const box = yield* CredentialsCipher
    const ccxt = yield* Ccxt
    const scope = yield* Effect.scope
    const context = yield* Effect.context<AccountCheck.Needs>()
    /** Allows one check at a time. Settings do not wait for it. */
    const checking = yield* Semaphore.make(1)
    let isScheduled = false
    let open: {
      readonly account: ExchangeAccount
      readonly client: AccountClient
      readonly look: Effect.Effect<void, ExchangeFailure>
    } | undefined

    const notFound = invalid(`subaccount_name: there is no sub-account ${name}`)

    const connect = (account: ExchangeAccount, credentials: Credentials) =>
      Effect.gen(function*() {
        const client = yield* ccxt.holder({ exchange, testnet: account.settings.testnet, credentials })
        const { look } = yield* Effect.provide(AccountCheck.make(account, client), context)
        return { account, client, look: Effect.provide(look, context) }
      })

    /**
     * Returns the account according to its rows. A new account of the same name has other credentials, so the client is
     * rebuilt.
     */
    const current = Effect.gen(function*() {
      const found = yield* persist(store.find(manager as Address, exchange, name))
      if (Option.isNone(found)) {
        open = undefined
        return yield* notFound
      }
      if (open !== undefined && open.account.id === found.value.id) return open
      const ciphertext = yield* persist(store.ciphertext(found.value.id))
      if (Option.isNone(ciphertext)) return yield* notFound
      open = yield* connect(found.value, yield* Effect.orDie(box.open(record, ciphertext.value)))
      return open
    })

    /**
     * Returns the account if it belongs to the wallet. Another wallet's account looks the same as one that does not
     * exist.
     */
    const ofWallet = (wallet: Address) =>
      Effect.flatMap(current, (each) => each.account.wallet === wallet ? Effect.succeed(each) : Effect.fail(notFound))

    /** Schedules a check. One that is already scheduled will see the new state. */
    const look = Effect.suspend(() => {
      if (isScheduled) return Effect.void
      isScheduled = true
      return Effect.flatMap(
        Effect.sync(() => {
          isScheduled = false
        }),
        () => Effect.flatMap(current, (each) => each.look)
      ).pipe(
        checking.withPermits(1),
        Effect.catchTag(
          "ExchangeUnavailable",
          ({ reason }) => Effect.logDebug(`an exchange account will be checked again later: ${reason}`)
        ),
        Effect.catchCause((cause) => Effect.logWarning("a check of an exchange account failed", cause)),
        Effect.ensuring(Effect.sync(() => {
          isScheduled = false
        })),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })

    const botOf = (
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
              message: `pair: ${name} has no bot of ${pairOf(pair)}; it has ${has}`
            })
          )
          : Effect.succeed(bot)
      })

    /** Refuses a `max_usd` below the exchange's minimum order value. */
    const checkMaxUsd = (client: AccountClient, market: Market, maxUsd: BigDecimal.BigDecimal) =>
      Effect.gen(function*() {
        const sight = yield* Effect.mapError(AccountCheck.sightOf(client, market, new Map()), told)
        if (Option.isNone(sight)) {
          return yield* new ValidationFailure({
            code: "1003",
            message:
              `pair: ${exchange} has no price of ${market.quote} in US dollars, so max_usd cannot be applied there`
          })
        }
        const least = leastUsd(market, sight.value)
        if (!BigDecimal.isLessThan(maxUsd, least)) return
        return yield* invalid(
          `max_usd: an order of ${pairOf(market.symbol)} on ${exchange} is worth at least $${
            show(BigDecimal.scale(least, 2))
          }, more than the given $${show(maxUsd)}`
        )
      })

    const conflict = (earlier: string) =>
      invalid(`idempotency_key: was used for another request (intent ${earlier}); use a new key for a new request`)

    return {
      register: ({ payload: { credentials, paymentNetwork, settings, wallet } }) =>
        Effect.gen(function*() {
          const taken = invalid(
            `subaccount_name: ${name} is taken; choose another name, or delete that sub-account first`
          )
          const [sameWallet, sameManager] = yield* persist(
            Effect.all([store.ofWallet(wallet, name), store.ofManager(manager as Address, name)])
          )
          if (Option.isSome(sameWallet) || Option.isSome(sameManager)) return yield* taken
          const client = yield* ccxt.holder({ exchange, testnet: settings.testnet, credentials })
          const balances = yield* Effect.mapError(client.balances, credentialsFailure)
          const mayWithdraw = yield* Effect.mapError(client.mayWithdraw, credentialsFailure)
          if (Option.getOrElse(mayWithdraw, () => false)) {
            return yield* invalid(
              `cex_api_key: the key may withdraw from ${exchange}; make one that may trade and nothing else`
            )
          }
          const ciphertext = yield* box.seal(record, credentials)
          const account = yield* persist(
            store.put({ manager: manager as Address, exchange, name, wallet, paymentNetwork, settings, ciphertext })
          )
          if (Option.isNone(account)) return yield* taken
          open = yield* connect(account.value, credentials)
          return {
            account: account.value,
            balances: [...balances].map(([asset, free]) => ({ asset, free: show(free) }))
          }
        }).pipe(Effect.withSpan("ExchangeAccount.register", { attributes: { exchange } })),
      setSide: ({ payload: { idempotencyKey, maxUsd, pair, share, side, strategy, wallet } }) =>
        Effect.gen(function*() {
          const { account, client } = yield* ofWallet(wallet)
          const request = requestOf({ subaccount: name, pair, side, strategy, share, maxUsd })
          /** The response to a request whose idempotency key was used before. */
          const repeated = Effect.gen(function*() {
            const known = idempotencyKey === null ? Option.none() : yield* persist(orders.known(wallet, idempotencyKey))
            if (Option.isNone(known)) return undefined
            if (!sameRequest(known.value.request, request)) return yield* conflict(known.value.id)
            return BotSet.make({ bot: yield* botOf(account, pair), intentId: known.value.id })
          })
          const earlier = yield* repeated
          if (earlier !== undefined) return earlier
          const market = yield* marketOf(client, exchange, pair)
          yield* checkMaxUsd(client, market, maxUsd)
          const set = yield* persist(
            sql.withTransaction(Effect.gen(function*() {
              const bot = yield* store.setBot({
                accountId: account.id,
                pair: pairOf(pair),
                symbol: symbolOf(pair),
                side,
                strategy,
                maxUsd,
                share
              })
              // When a turn with the same terms is in progress, returns that turn.
              const inProgress = (yield* orders.unfinished(account.id)).find((order) =>
                order.botId === bot.id && order.revision === bot.revision
              )
              const turn = inProgress !== undefined && idempotencyKey === null
                ? inProgress
                : yield* orders.accept({ account, bot, request, idempotencyKey })
              return BotSet.make({ bot, intentId: turn.id })
            })).pipe(Effect.catchTag("KeyTaken", (taken) => Effect.succeed(taken)))
          )
          // Another request used the key in the meantime: nothing of this one was committed.
          if (set instanceof KeyTaken) return (yield* repeated) ?? (yield* conflict(set.id))
          yield* look
          return set
        }).pipe(Effect.withSpan("ExchangeAccount.setSide", { attributes: { exchange } })),
      setStrategy: ({ payload: { pair, strategy, wallet } }) =>
        Effect.gen(function*() {
          const { account } = yield* ofWallet(wallet)
          const bot = yield* persist(store.setStrategy((yield* botOf(account, pair)).id, strategy))
          yield* look
          return bot
        }),
      deactivate: ({ payload: { pair, wallet } }) =>
        Effect.gen(function*() {
          const { account } = yield* ofWallet(wallet)
          return yield* persist(store.deactivate((yield* botOf(account, pair)).id))
        }),
      removeBot: ({ payload: { pair, wallet } }) =>
        Effect.gen(function*() {
          const { account } = yield* ofWallet(wallet)
          const bot = yield* botOf(account, pair)
          yield* persist(store.removeBot(bot.id))
          yield* look
          return bot
        }),
      remove: () =>
        Effect.gen(function*() {
          const { account, look: settle } = yield* current
          const bots = yield* persist(store.bots(account.id))
          yield* persist(Effect.forEach(bots, (bot) => store.deactivate(bot.id), { discard: true }))
          // Without the credentials, the outcome of an open order could never be found out.
          yield* Effect.ignore(Effect.timeout(checking.withPermits(1)(settle), removalTimeout))
          const unresolved = (yield* persist(orders.unfinished(account.id))).filter(({ status }) =>
            status !== "accepted"
          )
          if (unresolved.length > 0) {
            return yield* new ExecutionFailure({
              errorType: "busy",
              message:
                `The bots of ${name} are deactivated, but ${exchange} has not reported the outcome of an order yet; try again in a minute.`
            })
          }
          yield* persist(store.remove(account.id))
          open = undefined
          return bots.map((bot) => bot.pair)
        }),
      wake: () => Effect.andThen(Effect.asVoid(current), look)
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
)
