import { assert, it, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { Fault } from "../src/test-chain/NodeFault.ts"
import { VaultTraderTest } from "../src/VaultTraderTest.ts"
import { buysTheDip } from "./example/BuyTheDip.ts"
import { keepsItsSide } from "./example/ThresholdBot.ts"

const read = (path: string) => Fs.readFileSync(new URL(path, import.meta.url), "utf8")

layer(VaultTraderTest.layer())("a strategy in process", (it) => {
  it.effect("buys when the price has fallen below its limit", () => buysTheDip)

  it.effect("keeps its side with a threshold bot", () => keepsItsSide)

  it.effect("sends exactly one transaction when a node swallows its first broadcast", () =>
    Effect.gen(function*() {
      const { advance, call, fault, transactionCount, vault } = yield* VaultTraderTest
      const { apiKey, network, pool, wallet } = yield* vault({ USDC: "10000" })
      let broadcasts = 0
      yield* fault({
        method: "eth_sendRawTransaction",
        when: () => broadcasts++ === 0,
        fault: Fault.Swallow()
      })
      const trade = yield* call("vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: 1000 })
      assert.strictEqual(trade["status"], "success")
      assert.isAbove(broadcasts, 1, "the transaction was sent again")
      yield* advance("3 minutes")
      assert.strictEqual(yield* transactionCount(wallet), 1)
    }))

  it.effect("trades while its node answers with errors", () =>
    Effect.gen(function*() {
      const { call, fault, transactionCount, vault } = yield* VaultTraderTest
      const { apiKey, network, pool, wallet } = yield* vault({ USDC: "10000" })
      yield* fault({ fault: Fault.Http({ status: 503 }), times: 3 })
      const trade = yield* call("vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: 1000 })
      assert.strictEqual(trade["status"], "success")
      assert.strictEqual(yield* transactionCount(wallet), 1)
    }))

  it.effect("fails with the code and message of a refusal", () =>
    Effect.gen(function*() {
      const { call, vault } = yield* VaultTraderTest
      const { apiKey, network, pool } = yield* vault({ USDC: "10" })
      const trade = (from: string) =>
        Effect.flip(call("vaultTrade", { apiKey, network, pool, from, to: "WETH", amount: 1000 }))
      assert.deepInclude(yield* trade("USDC"), { httpStatus: 400, errorType: "insufficient_balance" })
      assert.deepInclude(yield* trade("NOTHING"), { httpStatus: 200, code: "1010", errorType: undefined })
      assert.deepInclude(yield* Effect.flip(call("noSuchEndpoint")), { httpStatus: 404, code: undefined })
    }))
})

layer(VaultTraderTest.layer({ seed: 2 }))("a service with another seed", (it) => {
  it.effect("has its own database and chain, and answers several calls at once", () =>
    Effect.gen(function*() {
      const { call, transactionCount, vault } = yield* VaultTraderTest
      const vaults = yield* Effect.forEach([1, 2, 3], () => vault({ USDC: "10000" }))
      const trades = yield* Effect.forEach(
        vaults,
        ({ apiKey, network, pool }) =>
          call("vaultTrade", { apiKey, network, pool, from: "USDC", to: "WETH", amount: 1000 }),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(trades.map(({ status }) => status), ["success", "success", "success"])
      for (const { wallet } of vaults) assert.strictEqual(yield* transactionCount(wallet), 1)
    }))
})

it("the README shows the example that runs", () => {
  const example = read("example/BuyTheDip.ts").replace(
    "../../src/VaultTraderTest.ts",
    "@vault-trader/testing/VaultTraderTest"
  )
  assert.include(read("../README.md"), `\`\`\`ts\n${example}\`\`\``)
})
