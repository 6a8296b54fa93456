/**
 * The fixture of a run of exchange bots: wallets with accounts at the fake exchange, and credentials sealed as in
 * production.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { Credentials, idOf } from "@vault-trader/core/exchange/ExchangeAccount"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KeyLimits } from "@vault-trader/core/gas-wallet/KeyLimits"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import type { Account } from "@vault-trader/devnet/exchange/ExchangeLedger"
import type { ExchangeControl } from "@vault-trader/devnet/exchange/ExchangeControl"
import { CredentialsCipher } from "@vault-trader/workers/exchange/CredentialsCipher"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import type * as SqlClient from "effect/sql/SqlClient"
import type { SeededRandom } from "@vault-trader/app/SeededRandom"
import { kek } from "../Runner.ts"

export interface Customer {
  /** Entity id of the account's actor. */
  readonly id: string
  readonly wallet: Address
  readonly there: Account
  /** Sums of the owner's deposits minus withdrawals, in hundred-millionths of the asset. */
  readonly moved: Map<string, bigint>
}

/** Initial holdings of an account. */
export const initialHoldings = { USDT: "10000", BTC: "0.1", ETH: "0" } as const
/** USD a wallet may sell a day, in runs with a limit. */
export const usdPerDay = 40_000

const hex = (digits: string, length: number) => digits.repeat(length).slice(0, length)
const stores = Layer.mergeAll(
  GasWalletStore.layer,
  ExchangeStore.layer,
  KeyLimitStore.layer,
  CredentialsCipher.layer(kek)
)

const customer = (control: ExchangeControl, wallet: Address, name: string, mark: string) =>
  Effect.gen(function*() {
    const [apiKey, secret] = [hex(`${mark}a1`, 64), hex(`${mark}b2`, 64)]
    const there = control.books.open({
      apiKey,
      secret,
      balances: Object.fromEntries(Object.entries(initialHoldings).map(([asset, amount]) => [asset, Number(amount)]))
    })
    const manager: Address = `0x${hex(`${mark}c`, 40)}`
    const id = idOf(manager, "binance", name)
    const credentials = Credentials.make({
      apiKey: Redacted.make(apiKey),
      secret: Redacted.make(secret),
      passphrase: null
    })
    const ciphertext = yield* (yield* CredentialsCipher).seal(id, credentials)
    yield* (yield* ExchangeStore).put({
      manager,
      exchange: "binance",
      name,
      wallet,
      paymentNetwork: "base",
      settings: { testnet: false, slippage: 0.5 },
      ciphertext
    })
    return { id, wallet, there, moved: new Map() } satisfies Customer
  })

/**
 * Builds one or two wallets with one to three accounts in total. In every third run a wallet's daily sales are limited.
 */
export const make = (
  seed: number,
  chance: SeededRandom,
  control: ExchangeControl
): Effect.Effect<ReadonlyArray<Customer>, never, SqlClient.SqlClient> =>
  Effect.gen(function*() {
    const wallets = Array.from({ length: 1 + chance.below(2) }, (_, index): Address => `0x${hex(`${index + 1}e`, 40)}`)
    for (const wallet of wallets) {
      yield* (yield* GasWalletStore).put({ address: wallet, ciphertext: "ciphertext" })
      if (seed % 3 === 0) {
        yield* (yield* KeyLimitStore).change(
          wallet,
          (now) => KeyLimits.make({ ...now, maxUsd18PerDay: BigInt(usdPerDay) * 10n ** 18n })
        )
      }
    }
    return yield* Effect.forEach(
      Array.from({ length: 1 + chance.below(3) }, (_, index) => index),
      (index) => customer(control, wallets[index % wallets.length] ?? wallets[0]!, `account${index}`, `${index + 3}`)
    )
  }).pipe(Effect.provide(stores), Effect.orDie)
