/** A signal for several bots is accepted while no runner lives, and the server is killed right after its response. */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, wallet } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ProcessGroup from "@vault-trader/testing/harness/ProcessGroup"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base" as const

const fleet = ProcessGroup.layer({
  names: ["server", "runner-1"],
  networks: [network],
  env: { BOT_CHECK_SECONDS: "5", RPC_TIMEOUT_MS: "2000" }
})

layer(fleet, { timeout: 240_000, excludeTestServices: true })("a signal for several bots", (it) => {
  it.effect(
    "that was accepted trades each vault once, although every process is killed before the first trade",
    () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { start, the } = yield* ProcessGroup.ProcessGroup
        const devnet = yield* Devnet
        const by = yield* wallet
        const { apiKey } = by
        yield* Effect.orDie(devnet.faucet({ network, address: by.address, amountWei: 10n ** 18n }))
        const pools = yield* Effect.forEach(["one", "two", "three"], () =>
          Effect.gen(function*() {
            const pool = yield* OnChain.createVault(network, 1_000n)
            yield* Effect.orDie(devnet.setTrader({ network, pool, trader: by.address }))
            succeeded(yield* ask("/setBot", { json: { apiKey, network, pool, pair: "WETH-USDC", side: "hold" } }))
            return pool
          }))
        const made = succeeded(
          yield* ask("/createWebhookToken", { json: { apiKey, network, pool: pools[0]!, pair: "WETH-USDC" } })
        )
        succeeded(
          yield* ask("/setWebhookToken", {
            json: {
              apiKey,
              token_id: made["token_id"],
              bots: pools.map((pool) => ({ network, pool, pair: "WETH-USDC" }))
            }
          })
        )
        yield* until(
          "the turns of the bots that hold",
          Effect.map(rows("select 1 from intents where status in ('accepted', 'submitted')"), ({ length }) =>
            length === 0 ? true as const : undefined)
        )

        yield* the("runner-1").kill
        const answer = succeeded(yield* ask(String(made["path"]), { json: { side: "long" } }))
        assert.deepStrictEqual(
          (answer["results"] as ReadonlyArray<Fields>).map(({ state }) =>
            state
          ),
          ["accepted", "accepted", "accepted"]
        )
        yield* the("server").kill
        yield* start("server")
        yield* start("runner-1")

        yield* until(
          "a trade of each vault",
          Effect.map(
            Effect.forEach(pools, (pool) => OnChain.balanceOf(network, "USDC", pool)),
            (balances) => balances.every((balance) => balance === 0n) ? true as const : undefined
          )
        )
        const inbox = yield* until(
          "the trades' outcome in the inbox",
          Effect.map(ask("/getSignals", { query: { apiKey, token_id: String(made["token_id"]) } }), ({ fields }) => {
            const [signal] = fields["signals"] as ReadonlyArray<Fields>
            const results = (signal?.["results"] ?? []) as ReadonlyArray<Fields>
            return results.every(({ intent_status }) => intent_status === "success") ? results : undefined
          })
        )
        assert.deepStrictEqual(
          inbox.map(({ intent_id }) => intent_id),
          (answer["results"] as ReadonlyArray<Fields>).map(({ intent_id }) => intent_id)
        )
        assert.strictEqual(yield* OnChain.transactionCount(network, by.address), 3)
      }),
    240_000
  )
})
