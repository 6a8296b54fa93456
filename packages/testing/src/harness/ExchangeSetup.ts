/** A manager, a gas wallet and an account at the fake exchange, for tests of exchange bots. */
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import type { Account } from "@vault-trader/devnet/exchange/ExchangeLedger"
import * as Decimal from "@vault-trader/devnet/exchange/Decimal"
import * as Effect from "effect/Effect"
import { randomBytes } from "node:crypto"
import { succeeded } from "./Answers.ts"
import { type Answer, type Fields, Running, wallet } from "./Harness.ts"
import { person, proof } from "./Signing.ts"
import { until } from "./Until.ts"

/** A key of 64 characters, as the exchange issues them. */
const issued = Effect.sync(() => randomBytes(32).toString("hex"))

/** Opens an account at the fake exchange and returns the parameters that register it; nothing is registered yet. */
export const customer = (
  options: { readonly balances?: Readonly<Record<string, number>>; readonly mayWithdraw?: boolean } = {}
) =>
  Effect.gen(function*() {
    const { ask } = yield* Running
    const { exchange } = yield* Devnet
    const { balances = { USDT: 10_000 }, mayWithdraw = false } = options
    const [apiKey, secret] = [yield* issued, yield* issued]
    const there = exchange.books.open({ apiKey, secret, balances, mayWithdraw })
    const manager = yield* person
    const gas = yield* wallet
    const about = { gas_wallet_api_key: gas.apiKey, subaccount_name: "main" }
    const register = (changes: Fields = {}) =>
      Effect.gen(function*() {
        const { subaccount_name: other } = changes
        const named = typeof other === "string" ? other : about.subaccount_name
        const asked = { ...about, exchange: "binance", cex_api_key: apiKey, cex_secret: secret, ...changes }
        const proven = yield* proof(manager, "registerCEXSubaccount", named, asked)
        return yield* ask("/registerCEXSubaccount", { json: { ...proven, ...asked } })
      })
    return {
      ...{ there, manager, gas, about, register, apiKey, secret },
      set: (json: Fields = {}) =>
        ask("/setCEXSide", {
          json: { ...about, pair: "BTC-USDT", side: "long", max_usd: 1_000_000, share: 100, ...json }
        }),
      bots: Effect.map(ask("/getCEXSide", { query: about }), (answer) =>
        succeeded(answer)["bots"] as ReadonlyArray<Fields>),
      remove: Effect.gen(function*() {
        const proven = yield* proof(manager, "deleteCEXSubaccount", "main", { subaccount_name: "main" })
        return yield* ask("/deleteCEXSubaccount", { method: "DELETE", json: { ...proven, subaccount_name: "main" } })
      })
    }
  })

/** The same, with the account registered. */
export const registered = (options: Parameters<typeof customer>[0] = {}) =>
  Effect.gen(function*() {
    const made = yield* customer(options)
    const isBusy = (answer: Answer) => answer.body["error_type"] === "busy"
    // On a machine with other load the account's actor may move once, and the caller is asked to repeat the call.
    const answer = until("a registration", Effect.map(made.register(), (each) => isBusy(each) ? undefined : each))
    succeeded(yield* answer)
    return made
  })

/** Returns an account's balance at the exchange, free plus locked. */
export const holds = ({ balances }: Account, asset: string): string => {
  const { free, locked } = balances.get(asset) ?? { free: 0n, locked: 0n }
  return Decimal.show(free + locked)
}

/** Waits for the intent to end and returns it. */
export const outcome = (apiKey: string, intentId: unknown) =>
  Effect.flatMap(
    Running,
    ({ ask }) =>
      until(
        "the intent's outcome",
        Effect.map(ask("/getIntent", { query: { apiKey, intent_id: String(intentId) } }), ({ fields }) => {
          const intent = (fields["intent"] ?? {}) as Fields
          return intent["status"] === "success" || intent["status"] === "fail" ? intent : undefined
        })
      )
  )
