import { assert, layer } from "@effect/vitest"
import { format } from "@vault-trader/core/chain/Quantity"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as NodeFront from "@vault-trader/testing/harness/NodeFront"
import { until } from "@vault-trader/testing/harness/Until"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { pad, toHex } from "viem"

const network = "optimism"
const oracle = "0x420000000000000000000000000000000000000f"

/** The fee that every receipt reports, and the fee that the oracle returns for any transaction; wei. */
const paid = 1_000_000_000_000_000n
const asked = 4_000_000_000_000_000n

/** The code of a contract that returns this number to every call: PUSH32, PUSH0, MSTORE, PUSH1 32, PUSH0, RETURN. */
const returning = (value: bigint) => `0x7f${pad(toHex(value), { size: 32 }).slice(2)}5f5260205ff3`

/** The devnet's chain as an OP-stack network: its receipts report the L1 data fee. */
const service = running({
  networks: [network],
  books: (books) =>
    Effect.map(
      NodeFront.listen(async ({ calls, forward }) => {
        const reply = await forward()
        return calls.some(({ method }) => method === "eth_getTransactionReceipt")
          ? { ...reply, text: reply.text.replaceAll(`"gasUsed":`, `"l1Fee":"${toHex(paid)}","gasUsed":`) }
          : reply
      }),
      ({ inFront }) => inFront("service", books)
    )
})

layer(service, { timeout: 120_000, excludeTestServices: true })("the L1 data fee", (it) => {
  it.effect("is part of a plan's and an outcome's gas_cost, and of the balance that a trade needs", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { address, apiKey, pool } = yield* trader({ network })
      const rpc = yield* Effect.orDie(Effect.flatMap(Devnet, (devnet) => devnet.rpc(network)))
      const setOracle = (fee: bigint) =>
        Effect.orDie(rpc.request("anvil_setCode", [oracle, returning(fee)], Schema.Unknown))
      const code = yield* Effect.orDie(rpc.code(oracle))
      yield* Effect.addFinalizer(() => Effect.orDie(rpc.request("anvil_setCode", [oracle, code], Schema.Unknown)))
      const query = { apiKey, network, pool, from: "USDC", to: "WETH", amount: "10" }

      const plan = Effect.map(
        ask("/vaultTrade", { query: { ...query, dryRun: "true" } }),
        (answer) => succeeded(answer)["plan"] as Fields
      )
      /** The cost of a plan once the new fee is known: an older one is used for some seconds. */
      const plannedAbove = (ether: number) =>
        until(
          `a plan that costs more than ${ether} ETH`,
          Effect.map(plan, (fields) => {
            const cost = Number(String(fields["gas_cost"]).split(" ")[0])
            return cost >= ether ? cost : undefined
          })
        )

      yield* setOracle(asked)
      // 0.004 ETH and a quarter, and the gas.
      assert.isBelow(yield* plannedAbove(0.005), 0.1)

      const answer = succeeded(yield* ask("/vaultTrade", { query }))
      const { effectiveGasPrice, gasUsed } = yield* OnChain.receipt(network, answer["tx_hash"])
      assert.strictEqual(answer["gas_cost"], format(gasUsed * effectiveGasPrice + paid, 18))

      // The wallet could pay the gas of thousands of trades, but not this data fee.
      yield* setOracle(10n ** 24n)
      yield* plannedAbove(1_000_000)
      const count = yield* OnChain.transactionCount(network, address)
      const refused = yield* ask("/vaultTrade", { query })
      assert.deepStrictEqual([refused.fields["status_code"], refused.fields["error_type"]], [
        "2001",
        "insufficient_gas"
      ])
      assert.strictEqual(yield* OnChain.transactionCount(network, address), count)
    }))
})
