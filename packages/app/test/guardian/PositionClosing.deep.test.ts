/** The loss breaker closes what a vault has lent, owes and provides to pools. */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, rows, Running, running, trader, yieldVault } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"

const network = "base"

const moveTo = (usd: number) =>
  Effect.flatMap(Devnet, (devnet) => Effect.orDie(movePrices(devnet, [{ network, symbol: "WETH", usd }])))

layer(running({ env: { GUARDIAN_CHECK_SECONDS: "1" } }), { timeout: 180_000, excludeTestServices: true })(
  "the loss breaker",
  (it) => {
    it.effect("closes what the vault has lent, owes and provides to pools, then sells its tokens, step by step", () =>
      Effect.gen(function*() {
        yield* moveTo(2500)
        const { ask } = yield* Running
        const pool = yield* yieldVault(network)
        const { address, apiKey } = yield* trader({ pool })
        const call = (path: string, json: Fields) =>
          Effect.map(ask(path, { json: { apiKey, network, pool, ...json } }), succeeded)
        yield* call("/lend", { asset: "WETH", share: 50 })
        yield* call("/lend", { asset: "USDC", share: 20, lender: "lenderB" })
        yield* call("/borrow", { asset: "DAI", share: 20 })
        yield* call("/vaultTrade", { from: "DAI", to: "USDC", share: 100, slippage: 2 })
        yield* call("/addLiquidity", { asset1: "WETH", asset2: "USDC", input_asset: "USDC", amount: 500 })
        const terms = { kind: "loss_breaker", max_total_loss: 3, close_into: "USDC", slippage: 3 }
        const set = yield* call("/setGuardian", terms)
        assert.deepInclude(set["data"] as Fields, { close_positions: true })
        const own = yield* call("/getWalletAuthority", {})
        assert.deepInclude((own["guardians"] as ReadonlyArray<Fields>)[0], {
          may: ["stop_bots", "sell", "repay", "unlend", "remove_liquidity"]
        })
        const guardian = Effect.map(
          call("/getGuardians", {}),
          ({ guardians }) => (guardians as ReadonlyArray<Fields>)[0] ?? {}
        )
        // The peak is a price that two readings in a row have reached, each of a later block.
        const rpc = yield* Effect.flatMap(Devnet, (devnet) => Effect.orDie(devnet.rpc(network)))
        yield* until(
          "the peak",
          Effect.andThen(
            Effect.orDie(rpc.mine),
            Effect.map(
              rows("select 1 from vault_guardians where memory ->> 'peak18' is not null"),
              ({ length }) => length > 0 ? true as const : undefined
            )
          )
        )
        const sent = yield* OnChain.transactionCount(network, address)
        yield* moveTo(2000)
        const closed = yield* until(
          "the vault to be closed",
          Effect.map(guardian, (found) => (found["data"] as Fields)["state"] === "tripped" ? found : undefined)
        )
        const actions = (closed["actions"] as ReadonlyArray<Fields>).toReversed()
        assert.deepStrictEqual(actions.filter(({ state }) => state !== "succeeded"), [])
        const names = actions.map(({ action }) => String(action))
        assert.strictEqual(names[0], "remove")
        assert.includeMembers(names, ["repay", "unlend", "sell"])
        assert.isBelow(names.lastIndexOf("repay"), names.lastIndexOf("unlend"))
        assert.strictEqual(yield* OnChain.transactionCount(network, address), sent + actions.length)
        const { composition } = yield* call("/poolComposition", {})
        const left = (composition as ReadonlyArray<Fields>).filter(({ symbol, value_usd }) =>
          symbol !== "USDC" && Number(value_usd) >= 1
        )
        assert.deepStrictEqual(left, [])
        yield* call("/resumeBot", {})
        yield* call("/deleteGuardian", { kind: "loss_breaker" })
      }))
  }
)
