/** Connects an account to its exchange. Its rows decide which account that is and with which credentials. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Credentials, ExchangeAccount } from "@vault-trader/core/exchange/ExchangeAccount"
import { ExchangeId } from "@vault-trader/core/exchange/Exchanges"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { Ccxt } from "../ccxt/Ccxt.ts"
import type { AccountClient } from "../ccxt/ExchangeClient.ts"
import type { ExchangeFailure } from "../ccxt/ExchangeFailure.ts"
import * as AccountCheck from "./AccountCheck.ts"
import { CredentialsCipher } from "./CredentialsCipher.ts"
import { persist } from "./Persist.ts"

/** The parts of an account actor's id. `record` is the whole id, to which the credentials' ciphertext is bound. */
export interface AccountName {
  readonly record: string
  readonly manager: Address
  readonly exchange: ExchangeId
  readonly name: string
}

export const parseName = (record: string): AccountName => {
  const [manager = "", id = "", ...names] = record.split("/")
  return {
    record,
    manager: manager as Address,
    exchange: Schema.decodeUnknownSync(ExchangeId)(id),
    name: names.join("/")
  }
}

/** An account with its client and its check. */
interface OpenAccount {
  readonly account: ExchangeAccount
  readonly client: AccountClient
  readonly check: Effect.Effect<void, ExchangeFailure>
}

export const make = ({ exchange, manager, name, record }: AccountName) =>
  Effect.gen(function*() {
    const store = yield* ExchangeStore
    const cipher = yield* CredentialsCipher
    const ccxt = yield* Ccxt
    const context = yield* Effect.context<AccountCheck.Needs>()
    let opened: OpenAccount | undefined

    const notFound = new ValidationFailure({
      code: "1010",
      message: `subaccount_name: there is no sub-account ${name}`
    })

    /** Connects with these credentials and makes the account the open one. */
    const open = (account: ExchangeAccount, credentials: Credentials) =>
      Effect.gen(function*() {
        const client = yield* ccxt.holder({ exchange, testnet: account.settings.testnet, credentials })
        const { check } = yield* Effect.provide(AccountCheck.make(account, client), context)
        opened = { account, client, check: Effect.provide(check, context) }
        return opened
      })

    /**
     * Returns the account according to its rows. A new account of the same name has other credentials, so the client is
     * rebuilt.
     */
    const current = Effect.gen(function*() {
      const found = yield* persist(store.find(manager, exchange, name))
      if (Option.isNone(found)) {
        opened = undefined
        return yield* notFound
      }
      if (opened !== undefined && opened.account.id === found.value.id) return opened
      const ciphertext = yield* persist(store.ciphertext(found.value.id))
      if (Option.isNone(ciphertext)) return yield* notFound
      return yield* open(found.value, yield* Effect.orDie(cipher.open(record, ciphertext.value)))
    })

    /**
     * Returns the account if it belongs to the wallet. Another wallet's account looks the same as one that does not
     * exist.
     */
    const ofWallet = (wallet: Address) =>
      Effect.flatMap(current, (each) => each.account.wallet === wallet ? Effect.succeed(each) : Effect.fail(notFound))

    return {
      current,
      ofWallet,
      open,
      /** Drops the open account. Synchronous, so that it cannot be interrupted. */
      close: () => {
        opened = undefined
      }
    }
  })
export type AccountConnection = Effect.Success<ReturnType<typeof make>>
