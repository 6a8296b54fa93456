/**
 * The ExchangeAccount actor: keeps an account and the terms of its bots in rows, and looks after them one look at a time. A setting is
 * committed, with the turn it begins, before it is answered; looks go on by themselves, and after a restart from the rows.
 */
import { ExecutionFailure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Address } from "@vault-trader/core/chain/Address"
import { leastUsd, show } from "@vault-trader/core/exchange/ExchangeDecision"
import { BotSet, type Credentials, type ExchangeAccount, ExchangeAccounts, type ExchangeBot } from "@vault-trader/core/exchange/ExchangeAccount"
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

const doubtful = new ExecutionFailure({
  errorType: "busy",
  message: "The database does not answer, so it is not known whether anything was changed. Ask getCEXSide, or repeat the request."
})
/** What a caller waits for: not for as long as a look would. */
const kept = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, ExecutionFailure, R> =>
  Effect.timeoutOrElse(retryForever(effect), { duration: "5 seconds", orElse: () => Effect.fail(doubtful) })

/** How long a removal waits for an order whose fate is not known. */
const patienceWithOrders = "15 seconds"

/** What is wrong with credentials, told as the parameter they are. */
const refusedCredentials = (failure: ExchangeFailure) =>
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
    /** One look at a time; settings wait for none of them. */
    const looking = yield* Semaphore.make(1)
    let waiting = false
    let open: { readonly account: ExchangeAccount; readonly client: AccountClient; readonly look: Effect.Effect<void, ExchangeFailure> } | undefined

    const gone = invalid(`subaccount_name: there is no sub-account ${name}`)

    const opened = (account: ExchangeAccount, credentials: Credentials) =>
      Effect.gen(function*() {
        const client = yield* ccxt.holder({ exchange, testnet: account.settings.testnet, credentials })
        const { look } = yield* Effect.provide(AccountCheck.make(account, client), context)
        return { account, client, look: Effect.provide(look, context) }
      })

    /** The account as its rows have it; another one of the same name has other credentials. */
    const current = Effect.gen(function*() {
      const found = yield* kept(store.find(manager as Address, exchange, name))
      if (Option.isNone(found)) {
        open = undefined
        return yield* gone
      }
      if (open !== undefined && open.account.id === found.value.id) return open
      const ciphertext = yield* kept(store.ciphertext(found.value.id))
      if (Option.isNone(ciphertext)) return yield* gone
      open = yield* opened(found.value, yield* Effect.orDie(box.open(record, ciphertext.value)))
      return open
    })

    /** Of the wallet whose key it is; somebody else's is told apart from none by nobody. */
    const mine = (wallet: Address) => Effect.flatMap(current, (each) => each.account.wallet === wallet ? Effect.succeed(each) : Effect.fail(gone))

    /** Another look soon; one that waits already will see what is new. */
    const look = Effect.suspend(() => {
      if (waiting) return Effect.void
      waiting = true
      return Effect.flatMap(Effect.sync(() => { waiting = false }), () => Effect.flatMap(current, (each) => each.look)).pipe(
        looking.withPermits(1),
        Effect.catchTag("ExchangeUnavailable", ({ reason }) => Effect.logDebug(`an exchange is looked at again later: ${reason}`)),
        Effect.catchCause((cause) => Effect.logWarning("a look at an exchange account failed", cause)),
        Effect.ensuring(Effect.sync(() => { waiting = false })),
        Effect.forkIn(scope),
        Effect.asVoid
      )
    })

    const botOf = (account: ExchangeAccount, pair: string): Effect.Effect<ExchangeBot, ValidationFailure | ExecutionFailure> =>
      Effect.flatMap(kept(store.bots(account.id)), (bots) => {
        const bot = bots.find((each) => each.pair === pairOf(pair))
        const has = bots.length === 0 ? "no bots" : `bots of ${bots.map((each) => each.pair).join(", ")}`
        return bot === undefined ? Effect.fail(new ValidationFailure({ code: "1003", message: `pair: ${name} has no bot of ${pairOf(pair)}; it has ${has}` })) : Effect.succeed(bot)
      })

    /** What an order there is worth at least must be allowed. */
    const worthwhile = (client: AccountClient, market: Market, maxUsd: BigDecimal.BigDecimal) =>
      Effect.gen(function*() {
        const sight = yield* Effect.mapError(AccountCheck.sightOf(client, market, new Map()), told)
        if (Option.isNone(sight)) {
          return yield* new ValidationFailure({ code: "1003", message: `pair: ${exchange} has no price of ${market.quote} in US dollars, so max_usd means nothing there` })
        }
        const least = leastUsd(market, sight.value)
        if (!BigDecimal.isLessThan(maxUsd, least)) return
        return yield* invalid(`max_usd: an order of ${pairOf(market.symbol)} on ${exchange} is worth at least $${show(BigDecimal.scale(least, 2))}, and $${show(maxUsd)} is given`)
      })

    const conflict = (earlier: string) =>
      invalid(`idempotency_key: was used for another request (intent ${earlier}); use a new key for a new request`)

    return {
      register: ({ payload: { credentials, paymentNetwork, settings, wallet } }) =>
        Effect.gen(function*() {
          const taken = invalid(`subaccount_name: ${name} is taken; choose another name, or delete that sub-account first`)
          const [ofWallet, ofManager] = yield* kept(Effect.all([store.ofWallet(wallet, name), store.ofManager(manager as Address, name)]))
          if (Option.isSome(ofWallet) || Option.isSome(ofManager)) return yield* taken
          const client = yield* ccxt.holder({ exchange, testnet: settings.testnet, credentials })
          const balances = yield* Effect.mapError(client.balances, refusedCredentials)
          const mayWithdraw = yield* Effect.mapError(client.mayWithdraw, refusedCredentials)
          if (Option.getOrElse(mayWithdraw, () => false)) {
            return yield* invalid(`cex_api_key: the key may withdraw from ${exchange}; make one that may trade and nothing else`)
          }
          const ciphertext = yield* box.seal(record, credentials)
          const account = yield* kept(store.put({ manager: manager as Address, exchange, name, wallet, paymentNetwork, settings, ciphertext }))
          if (Option.isNone(account)) return yield* taken
          open = yield* opened(account.value, credentials)
          return { account: account.value, balances: [...balances].map(([asset, free]) => ({ asset, free: show(free) })) }
        }).pipe(Effect.withSpan("ExchangeAccount.register", { attributes: { exchange } })),
      setSide: ({ payload: { idempotencyKey, maxUsd, pair, share, side, strategy, wallet } }) =>
        Effect.gen(function*() {
          const { account, client } = yield* mine(wallet)
          const request = requestOf({ subaccount: name, pair, side, strategy, share, maxUsd })
          /** What a request under a used key is told. */
          const repeated = Effect.gen(function*() {
            const known = idempotencyKey === null ? Option.none() : yield* kept(orders.known(wallet, idempotencyKey))
            if (Option.isNone(known)) return undefined
            if (!sameRequest(known.value.request, request)) return yield* conflict(known.value.id)
            return BotSet.make({ bot: yield* botOf(account, pair), intentId: known.value.id })
          })
          const earlier = yield* repeated
          if (earlier !== undefined) return earlier
          const market = yield* marketOf(client, exchange, pair)
          yield* worthwhile(client, market, maxUsd)
          const set = yield* kept(sql.withTransaction(Effect.gen(function*() {
            const bot = yield* store.setBot({ accountId: account.id, pair: pairOf(pair), symbol: symbolOf(pair), side, strategy, maxUsd, share })
            // The same terms while their turn is under way: that turn is the answer.
            const under = (yield* orders.unfinished(account.id)).find((order) => order.botId === bot.id && order.revision === bot.revision)
            const turn = under !== undefined && idempotencyKey === null ? under : yield* orders.accept({ account, bot, request, idempotencyKey })
            return BotSet.make({ bot, intentId: turn.id })
          })).pipe(Effect.catchTag("KeyTaken", (taken) => Effect.succeed(taken))))
          // Another request took the key meanwhile: nothing of this one was kept.
          if (set instanceof KeyTaken) return (yield* repeated) ?? (yield* conflict(set.id))
          yield* look
          return set
        }).pipe(Effect.withSpan("ExchangeAccount.setSide", { attributes: { exchange } })),
      setStrategy: ({ payload: { pair, strategy, wallet } }) =>
        Effect.gen(function*() {
          const { account } = yield* mine(wallet)
          const bot = yield* kept(store.setStrategy((yield* botOf(account, pair)).id, strategy))
          yield* look
          return bot
        }),
      deactivate: ({ payload: { pair, wallet } }) =>
        Effect.gen(function*() {
          const { account } = yield* mine(wallet)
          return yield* kept(store.deactivate((yield* botOf(account, pair)).id))
        }),
      removeBot: ({ payload: { pair, wallet } }) =>
        Effect.gen(function*() {
          const { account } = yield* mine(wallet)
          const bot = yield* botOf(account, pair)
          yield* kept(store.removeBot(bot.id))
          yield* look
          return bot
        }),
      remove: () =>
        Effect.gen(function*() {
          const { account, look: settle } = yield* current
          const bots = yield* kept(store.bots(account.id))
          yield* kept(Effect.forEach(bots, (bot) => store.deactivate(bot.id), { discard: true }))
          // Whoever forgets the credentials while an order's fate is not known will never learn it.
          yield* Effect.ignore(Effect.timeout(looking.withPermits(1)(settle), patienceWithOrders))
          const left = (yield* kept(orders.unfinished(account.id))).filter(({ status }) => status !== "accepted")
          if (left.length > 0) {
            return yield* new ExecutionFailure({
              errorType: "busy",
              message: `The bots of ${name} are deactivated, but ${exchange} has not told yet what became of an order; try again in a minute.`
            })
          }
          yield* kept(store.remove(account.id))
          open = undefined
          return bots.map((bot) => bot.pair)
        }),
      wake: () => Effect.andThen(Effect.asVoid(current), look)
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
)
