/** Handlers of exchange accounts. Changes go to the account's actor; reads come from the database. */
import * as Audit from "@vault-trader/core/audit/Audit"
import { Caller, Manager, Principal } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import {
  accountViewOf,
  Credentials,
  type ExchangeAccount,
  ExchangeAccounts,
  idOf,
  viewOf
} from "@vault-trader/core/exchange/ExchangeAccount"
import { ExchangeApi } from "@vault-trader/core/exchange/ExchangeApi"
import { type ExchangeId, rules, defaultSlippage } from "@vault-trader/core/exchange/Exchanges"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Handlers from "../wire/Handlers.ts"
import { write, query } from "../gate/ActorCall.ts"
import { Directory } from "../gate/ServedNetworks.ts"
import { orderOf, setMessage } from "./ExchangeViews.ts"
import { repeats } from "./SideRepeats.ts"

const invalid = (message: string) => new ValidationFailure({ code: "1010", message })

/** Checks the form of credentials without calling the exchange. */
const checkForm = (exchange: ExchangeId, { apiKey, passphrase }: Credentials, testnet: boolean) => {
  const rule = rules[exchange]
  if (rule.passphrase && passphrase === null) {
    return invalid(`Missing required parameter: cex_passphrase; a key of ${exchange} comes with one`)
  }
  if (!rule.passphrase && passphrase !== null) {
    return invalid(`cex_passphrase: a key of ${exchange} has none; leave it out`)
  }
  if (!rule.key.test(Redacted.value(apiKey))) {
    return invalid(`cex_api_key: must be ${rule.keyIs}, as ${exchange} issues them`)
  }
  if (testnet && !rule.testnet) return invalid(`settings: ${exchange} has no test network; leave testnet out`)
  return Effect.void
}

const named = (found: Option.Option<ExchangeAccount>, name: string, owner: string) =>
  Option.match(found, {
    onNone: () => Effect.fail(invalid(`subaccount_name: the ${owner} has no sub-account ${name}`)),
    onSome: Effect.succeed
  })

/** Finds sub-accounts of the caller's wallet, and their actors. */
const ownAccounts = Effect.gen(function*() {
  const accounts = yield* ExchangeAccounts.client
  const store = yield* ExchangeStore
  /** Finds a sub-account of the caller's wallet; those of other wallets are not found. */
  const mine = (name: string) =>
    Effect.flatMap(
      Caller,
      ({ wallet }) => Effect.flatMap(query(store.ofWallet(wallet, name)), (found) => named(found, name, "key's wallet"))
    )
  const actorOf = ({ exchange, manager, name }: ExchangeAccount) => accounts(idOf(manager, exchange, name))
  return { mine, actorOf }
})

const subaccountHandlers = Handlers.part(
  ExchangeApi,
  Effect.gen(function*() {
    const accounts = yield* ExchangeAccounts.client
    const store = yield* ExchangeStore
    const directory = yield* Directory
    const { actorOf } = yield* ownAccounts
    return {
      registerCEXSubaccount: (params) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          if (params.payment_network === undefined && directory.namesRequired === true) {
            return yield* invalid("Missing required parameter: payment_network")
          }
          const settings = params.settings ?? { testnet: false, slippage: defaultSlippage }
          const credentials = Credentials.make({
            apiKey: params.cex_api_key,
            secret: params.cex_secret,
            passphrase: params.cex_passphrase ?? null
          })
          yield* checkForm(params.exchange, credentials, settings.testnet)
          const actor = accounts(idOf(params.manager, params.exchange, params.subaccount_name))
          const { account, balances } = yield* write(
            actor.register({
              wallet,
              credentials,
              settings,
              paymentNetwork: params.payment_network ?? directory.defaultNetwork,
              actor: yield* Audit.Actor
            }),
            "45 seconds"
          )
          const message = `${account.name} on ${account.exchange} is connected.`
          return { data: accountViewOf(account), balances, message }
        }),
      deleteCEXSubaccount: ({ subaccount_name }) =>
        Effect.gen(function*() {
          const manager = yield* Manager
          const account = yield* Effect.flatMap(query(store.ofManager(manager, subaccount_name)), (found) =>
            named(found, subaccount_name, "manager"))
          const removed = yield* write(actorOf(account).remove({ actor: yield* Audit.Actor }), "45 seconds")
          const message = removed.length === 0
            ? `Removed ${subaccount_name}; it had no bots.`
            : `Removed ${subaccount_name} and its bots of ${removed.join(", ")}.`
          return { removed, message }
        }),
      getAllCEXSubaccounts: () =>
        Effect.gen(function*() {
          const principal = yield* Principal
          const listed = principal._tag === "key"
            ? store.listOf(principal.caller.wallet)
            : store.listOfManager(principal.manager)
          const subaccounts = yield* query(Effect.flatMap(listed, (found) =>
            Effect.forEach(found, (account) =>
              Effect.map(store.bots(account.id), (bots) => ({ ...accountViewOf(account), bots: bots.map(viewOf) })))))
          return { subaccounts }
        })
    }
  })
)

const sideHandlers = Handlers.part(
  ExchangeApi,
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const { actorOf, mine } = yield* ownAccounts
    const repeated = yield* repeats
    return {
      setCEXSide: (params) =>
        Effect.gen(function*() {
          const { repeats: id, wallet } = yield* Caller
          if (id !== undefined) return yield* repeated(id, params)
          const account = yield* mine(params.subaccount_name)
          const { bot, intentId } = yield* write(
            actorOf(account).setSide({
              ...{ wallet, pair: params.pair, side: params.side, strategy: params.strategy ?? "custom" },
              ...{ maxUsd: params.max_usd, share: params.share, idempotencyKey: params.idempotency_key ?? null },
              ...{ takeProfit: params.take_profit ?? null, stopLoss: params.stop_loss ?? null },
              actor: yield* Audit.Actor
            })
          )
          return {
            intent_id: intentId,
            tx_hash: null,
            message: setMessage(bot),
            data: viewOf(bot)
          }
        }),
      getCEXSide: ({ pair, subaccount_name }) =>
        Effect.gen(function*() {
          const account = yield* mine(subaccount_name)
          const bots = yield* query(store.bots(account.id))
          const matching = pair === undefined ? bots : bots.filter((bot) => bot.pair === pair)
          if (pair !== undefined && matching.length === 0) {
            const has = bots.length === 0 ? "no bots" : `bots of ${bots.map((bot) => bot.pair).join(", ")}`
            return yield* new ValidationFailure({
              code: "1003",
              message: `pair: ${subaccount_name} has no bot of ${pair}; it has ${has}`
            })
          }
          return { bots: matching.map(viewOf) }
        })
    }
  })
)

const botHandlers = Handlers.part(
  ExchangeApi,
  Effect.gen(function*() {
    const { actorOf, mine } = yield* ownAccounts
    return {
      setCEXStrategy: ({ pair, strategy, subaccount_name }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const account = yield* mine(subaccount_name)
          const bot = yield* write(actorOf(account).setStrategy({ wallet, pair, strategy, actor: yield* Audit.Actor }))
          const message = strategy === "custom"
            ? `The bot of ${bot.pair} stays on the side set by setCEXSide.`
            : `The bot of ${bot.pair} follows ${strategy}.`
          return { data: viewOf(bot), message }
        }),
      deactivateCEXBot: ({ pair, subaccount_name }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const account = yield* mine(subaccount_name)
          const bot = yield* write(actorOf(account).deactivate({ wallet, pair, actor: yield* Audit.Actor }))
          return {
            data: viewOf(bot),
            message: `The bot of ${bot.pair} is deactivated; setCEXSide brings it back.`
          }
        }),
      deleteCEXBot: ({ pair, subaccount_name }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const account = yield* mine(subaccount_name)
          const bot = yield* write(actorOf(account).removeBot({ wallet, pair, actor: yield* Audit.Actor }))
          return { removed: [bot.pair], message: `Removed the bot of ${bot.pair}.` }
        })
    }
  })
)

const orderHandlers = Handlers.part(
  ExchangeApi,
  Effect.gen(function*() {
    const orders = yield* ExchangeOrderStore
    return {
      getCEXOrders: ({ cursor, limit = 20, pair, subaccount_name }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          // Orders of deleted accounts stay in the ledger and are still listed.
          const rows = yield* query(
            orders.list({ wallet, subaccount: subaccount_name, pair, before: cursor, limit: limit + 1 })
          )
          const page = rows.slice(0, limit)
          return {
            orders: page.map(orderOf),
            cursor: rows.length > limit ? page.at(-1)?.id ?? null : null
          }
        })
    }
  })
)

export const ExchangeApiLive = Handlers.layer(
  ExchangeApi,
  Effect.gen(function*() {
    return {
      ...(yield* subaccountHandlers),
      ...(yield* sideHandlers),
      ...(yield* botHandlers),
      ...(yield* orderHandlers)
    }
  })
).pipe(Layer.provide([ExchangeStore.layer, Layer.provide(ExchangeOrderStore.layer, KeyLimitStore.layer)]))
