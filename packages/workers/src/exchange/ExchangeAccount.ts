/**
 * The ExchangeAccount actor: keeps an account and its bots' terms in rows, and checks them one check at a time. A
 * setting is committed, together with the turn it starts, before the response. Checks run on their own, and resume from
 * the rows after a restart.
 */
import * as Audit from "@vault-trader/core/audit/Audit"
import { show } from "@vault-trader/core/exchange/ExchangeDecision"
import { type Credentials, ExchangeAccounts } from "@vault-trader/core/exchange/ExchangeAccount"
import type { AccountSettings } from "@vault-trader/core/exchange/Exchanges"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { Ccxt } from "../ccxt/Ccxt.ts"
import { type ExchangeFailure, explainFailure } from "../ccxt/ExchangeFailure.ts"
import * as AccountConnection from "./AccountConnection.ts"
import * as BotSettings from "./BotSettings.ts"
import * as CheckSchedule from "./CheckSchedule.ts"
import { CredentialsCipher } from "./CredentialsCipher.ts"
import { persist } from "./Persist.ts"

const invalid = (message: string) => new ValidationFailure({ code: "1010", message })

/** How long a removal waits for an order with an unknown outcome. */
const removalTimeout = "15 seconds"

/** Converts a failure of the credentials to a validation failure of their parameter. */
const credentialsFailure = (failure: ExchangeFailure) =>
  failure._tag === "ExchangeRefused" && failure.kind === "credentials"
    ? invalid(`cex_api_key: ${failure.exchange} refuses the credentials: ${failure.reason}`)
    : explainFailure(failure)

interface Registration {
  readonly credentials: Credentials
  readonly paymentNetwork: Network
  readonly settings: AccountSettings
  readonly wallet: Address
}

/** Builds `register`: stores a new account once the exchange has accepted its credentials. */
const makeRegister = (
  { exchange, manager, name, record }: AccountConnection.AccountName,
  connection: AccountConnection.AccountConnection
) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const cipher = yield* CredentialsCipher
    const ccxt = yield* Ccxt

    return ({ credentials, paymentNetwork, settings, wallet }: Registration) =>
      Effect.gen(function*() {
        const taken = invalid(
          `subaccount_name: ${name} is taken; choose another name, or delete that sub-account first`
        )
        const [sameWallet, sameManager] = yield* persist(
          Effect.all([store.ofWallet(wallet, name), store.ofManager(manager, name)])
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
        const ciphertext = yield* cipher.seal(record, credentials)
        const account = yield* persist(
          store.put({ manager: manager, exchange, name, wallet, paymentNetwork, settings, ciphertext })
        )
        if (Option.isNone(account)) return yield* taken
        yield* connection.open(account.value, credentials)
        return {
          account: account.value,
          balances: [...balances].map(([asset, free]) => ({ asset, free: show(free) }))
        }
      }).pipe(Effect.withSpan("ExchangeAccount.register", { attributes: { exchange } }))
  })

/** Builds `remove`: deactivates the bots, waits for open orders, then deletes the account with its credentials. */
const makeRemove = (
  { exchange, name }: AccountConnection.AccountName,
  connection: AccountConnection.AccountConnection,
  checks: CheckSchedule.CheckSchedule
) =>
  Effect.map(Effect.all([ExchangeStore, ExchangeOrderStore]), ([store, orders]) =>
    Effect.gen(function*() {
      const { account, check } = yield* connection.current
      const bots = yield* persist(store.bots(account.id))
      yield* persist(Effect.forEach(bots, (bot) => store.deactivate(bot.id), { discard: true }))
      // Without the credentials, the outcome of an open order could never be found out.
      yield* Effect.ignore(Effect.timeout(checks.exclusively(check), removalTimeout))
      const unresolved = (yield* persist(orders.unfinished(account.id))).filter(({ status }) => status !== "accepted")
      if (unresolved.length > 0) {
        return yield* explain({ _tag: "OrderOutcomePending", account: name, exchange }, "stated")
      }
      yield* persist(store.remove(account.id))
      connection.close()
      return bots.map((bot) => bot.pair)
    }))

export const ExchangeAccountLive = ExchangeAccounts.toLayer(
  Effect.gen(function*() {
    const account = AccountConnection.parseName((yield* Entity.CurrentAddress).entityId)
    const connection = yield* AccountConnection.make(account)
    const checks = yield* CheckSchedule.make(connection)
    const register = yield* makeRegister(account, connection)
    const bots = yield* BotSettings.make(account, connection, checks)
    const remove = yield* makeRemove(account, connection, checks)

    return {
      register: ({ payload }) => Audit.by(payload.actor)(register(payload)),
      setSide: ({ payload }) => Audit.by(payload.actor)(bots.setSide(payload)),
      setStrategy: ({ payload }) => Audit.by(payload.actor)(bots.setStrategy(payload)),
      deactivate: ({ payload }) => Audit.by(payload.actor)(bots.deactivate(payload)),
      removeBot: ({ payload }) => Audit.by(payload.actor)(bots.removeBot(payload)),
      remove: ({ payload }) => Audit.by(payload.actor)(remove),
      wake: () => Effect.andThen(Effect.asVoid(connection.current), checks.schedule)
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
)
