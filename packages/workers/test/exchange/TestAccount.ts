/**
 * The real actor of an exchange account, over a real database and the fake exchange, through the real ccxt; tests kill
 * and restart it.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import { Credentials, ExchangeAccounts, idOf } from "@vault-trader/core/exchange/ExchangeAccount"
import { isOver } from "@vault-trader/core/exchange/ExchangeOrder"
import { ExchangeOrderStore } from "@vault-trader/core/exchange/ExchangeOrderStore"
import { ExchangeStore } from "@vault-trader/core/exchange/ExchangeStore"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { KeyLimitStore } from "@vault-trader/core/gas-wallet/KeyLimitStore"
import type { Account } from "@vault-trader/devnet/exchange/ExchangeLedger"
import type { ExchangeControl } from "@vault-trader/devnet/exchange/ExchangeControl"
import * as FakeExchange from "@vault-trader/devnet/exchange/FakeExchange"
import * as Holdings from "@vault-trader/devnet/exchange/Holdings"
import * as Cause from "effect/Cause"
import * as Entity from "effect/cluster/Entity"
import * as ShardingConfig from "effect/cluster/ShardingConfig"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { randomBytes } from "node:crypto"
import { Prices } from "../../src/billing/Prices.ts"
import { Ccxt } from "../../src/ccxt/Ccxt.ts"
import { CredentialsCipher } from "../../src/exchange/CredentialsCipher.ts"
import { ExchangeAccountLive } from "../../src/exchange/ExchangeAccount.ts"
import { Database } from "../gas-wallet/TestLane.ts"

/** Short timeouts for requests and order ages, in milliseconds. */
export const timeoutMillis = 1000
export const windowMillis = 2000

/** The fake exchange of a test file. */
export class Fake
  extends Context.Service<Fake, FakeExchange.FakeExchange>()("vault-trader/workers/test/exchange/Fake")
{
  static readonly layer = Layer.effect(Fake, FakeExchange.start())
}

const kek = { version: 1, key: Redacted.make(randomBytes(32).toString("hex")) }

const Exchanges = Layer.unwrap(
  Effect.map(Fake, ({ urls }) => Ccxt.layer({ urls, timeoutMillis, windowMillis, paceMillis: 1 }))
)

/** Prices of orders only; the actor never needs native token prices. */
const PricesHere = Layer.succeed(Prices, {
  usd: () => 0.1,
  native: () => Effect.succeedNone,
  usable: () => Effect.succeedNone,
  readings: () => Effect.die(new Error("an exchange's actor reads no token's price")),
  charge: () => Effect.die(new Error("an exchange's charge stands in USD first"))
})

/** The database, the fake exchange and the actor's services. */
export const Stage = Layer.mergeAll(
  ExchangeStore.layer,
  ExchangeOrderStore.layer.pipe(Layer.provide(KeyLimitStore.layer)),
  KeyLimitStore.layer,
  KillSwitch.layer,
  ApiKeyStore.layer,
  GasWalletStore.layer,
  CredentialsCipher.layer(kek),
  Exchanges,
  PricesHere,
  ShardingConfig.layer({ shardsPerGroup: 1 })
).pipe(Layer.provideMerge(Layer.merge(Database, Fake.layer)), Layer.orDie)

const hex = (bytes: number) => randomBytes(bytes).toString("hex")

/** Runs the actor until the scope closes, at any point of its work. */
export const life = (id: string) =>
  Effect.flatMap(Entity.makeTestClient(ExchangeAccounts, ExchangeAccountLive), (client) => client(id))

export interface Customer {
  readonly id: string
  readonly wallet: Address
  readonly there: Account
  readonly desk: ExchangeControl
  readonly credentials: Credentials
  readonly account: {
    readonly wallet: Address
    readonly paymentNetwork: "base"
    readonly settings: { readonly testnet: false; readonly slippage: 0.5 }
  }
}

/** A wallet with an account at the exchange. */
export const customer = (
  balances: Readonly<Record<string, number>>
): Effect.Effect<Customer, never, Fake | GasWalletStore> =>
  Effect.gen(function*() {
    const { desk } = yield* Fake
    const wallets = yield* GasWalletStore
    const wallet: Address = `0x${hex(20)}`
    yield* Effect.orDie(wallets.put({ address: wallet, ciphertext: "ciphertext" }))
    const [apiKey, secret] = [hex(32), hex(32)]
    const there = desk.books.open({ apiKey, secret, balances })
    const credentials = Credentials.make({
      apiKey: Redacted.make(apiKey),
      secret: Redacted.make(secret),
      passphrase: null
    })
    const settings = { testnet: false, slippage: 0.5 } as const
    return {
      id: idOf(`0x${hex(20)}`, "binance", "main"),
      wallet,
      there,
      desk,
      credentials,
      account: { wallet, paymentNetwork: "base", settings }
    }
  })

/** Retries like a caller after a "try again" response. */
export const persisting = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.retry(effect, {
    while: (failure) => failure instanceof ExecutionFailure && failure.errorType === "exchange_error"
  })

/** Waits for the turn to end and returns it. */
export const over = (intentId: string) => {
  const look: Effect.Effect<void, never, ExchangeOrderStore> = Effect.gen(function*() {
    const found = yield* Effect.orDie((yield* ExchangeOrderStore).find(intentId))
    if (Option.isSome(found) && isOver(found.value.status)) return
    yield* Effect.sleep("20 millis")
    return yield* look
  })
  return Effect.timeoutOrElse(look, {
    duration: "3 minutes",
    orElse: () => Effect.failCause(Cause.die(new Error(`the turn ${intentId} does not end`)))
  })
}

/** Returns the account's balances according to the ledger, from the initial ones; exact decimals. */
export const implied = (wallet: Address, first: Readonly<Record<string, number>>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* Effect.orDie(
      sql<
        Holdings.Executed
      >`select side, pair, filled::text, cost::text, fees from exchange_orders
        where wallet = ${wallet} and status = 'closed'`
    )
    return Holdings.implied(
      Object.fromEntries(Object.entries(first).map(([asset, amount]) => [asset, String(amount)])),
      rows
    )
  })

/** Returns the account's balances at the exchange. */
export const held = ({ there }: Pick<Customer, "there">) => Holdings.held(there)
