/** A strategy, and its test: buy WETH for 1,000 USDC when its price is below a limit, once. */
import { assert } from "@effect/vitest"
import { VaultTraderTest } from "../../src/VaultTraderTest.ts"
import * as Effect from "effect/Effect"

interface Vault {
  readonly apiKey: string
  readonly network: string
  readonly pool: string
}

/** Returns the amount and price of each asset of a vault, by symbol. */
const holdings = ({ apiKey, network, pool }: Vault) =>
  Effect.gen(function*() {
    const { call } = yield* VaultTraderTest
    const { composition } = yield* call("poolComposition", { apiKey, network, pool })
    const lines = composition as ReadonlyArray<{ symbol: string; amount: string; price: number }>
    return new Map(lines.map(({ amount, price, symbol }) => [symbol, { amount: Number(amount), price }]))
  })

/** Makes one decision: returns the id of the trade's intent, or undefined when the price is not below the limit. */
const decide = (vault: Vault, limit: number) =>
  Effect.gen(function*() {
    const { call } = yield* VaultTraderTest
    const weth = (yield* holdings(vault)).get("WETH")
    if (weth === undefined || weth.price >= limit) return undefined
    const { apiKey, network, pool } = vault
    const trade = yield* call("vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: 1000 })
    return String(trade["intent_id"])
  })

/** Tests the strategy on whichever service is provided. */
export const buysTheDip = Effect.gen(function*() {
  const service = yield* VaultTraderTest
  const vault = yield* service.vault({ USDC: "10000", WETH: "1" })
  yield* service.setPrice("WETH", 3000)
  assert.isUndefined(yield* decide(vault, 2600), "the price is above the limit")

  yield* service.setPrice("WETH", 2500)
  yield* service.advance("2 seconds")
  const id = yield* decide(vault, 2600)
  assert.isDefined(id)

  const { intent } = yield* service.call("getIntent", { apiKey: vault.apiKey, intent_id: id })
  assert.deepInclude(intent, { endpoint: "vaultTrade", status: "success", failure: null })
  const after = yield* holdings(vault)
  assert.strictEqual(after.get("USDC")?.amount, 9000)
  assert.closeTo(after.get("WETH")?.amount ?? 0, 1.4, 0.01)
  assert.strictEqual(yield* service.transactionCount(vault.wallet), 1)
})
