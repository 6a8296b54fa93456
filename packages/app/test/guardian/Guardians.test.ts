import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { movePrices } from "@vault-trader/devnet/devnet/MarketMaker"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, running, trader, yieldVault } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"

const network = "base"

/** Moves WETH's price at the oracles and in the pools. */
const moveTo = (usd: number) =>
  Effect.flatMap(Devnet, (devnet) => Effect.orDie(movePrices(devnet, [{ network, symbol: "WETH", usd }])))

layer(running({ env: { GUARDIAN_CHECK_SECONDS: "1" } }), { timeout: 180_000, excludeTestServices: true })(
  "guardians",
  (it) => {
    it.effect("a health factor below the floor is raised to its target, with what the vault holds and then its collateral", () =>
      Effect.gen(function*() {
        yield* moveTo(2500)
        const { ask } = yield* Running
        const pool = yield* yieldVault(network)
        const { address, apiKey } = yield* trader({ pool })
        const about = { apiKey, network, pool }
        const call = (path: string, json: Fields) => Effect.map(ask(path, { json: { ...about, ...json } }), succeeded)
        const factor = Effect.map(
          call("/getHealthFactor", {}),
          ({ data }) => Number((data as Fields)["healthFactor"])
        )
        const guardian = Effect.map(
          call("/getGuardians", {}),
          ({ guardians }) => (guardians as ReadonlyArray<Fields>)[0] ?? {}
        )
        yield* call("/lend", { asset: "WETH", share: 100 })
        yield* call("/borrow", { asset: "USDC", share: 60 })
        const before = yield* factor
        // Most of what was borrowed is spent, so that collateral must be sold as well.
        yield* call("/vaultTrade", { from: "USDC", to: "DAI", share: 99.5, slippage: 2 })
        const terms = { kind: "health_factor", floor: (before - 0.1).toFixed(3), target: (before + 0.1).toFixed(3) }
        const dry = yield* call("/setGuardian", { ...terms, slippage: 3, dryRun: true })
        assert.deepInclude(dry["plan"] as Fields, { step: "wait" })
        assert.match(String((dry["plan"] as Fields)["action"]), /^repay .* USDC$/)
        const set = yield* call("/setGuardian", { ...terms, slippage: 3 })
        assert.deepInclude(set["data"] as Fields, { state: "armed", kind: "health_factor" })
        const sent = yield* OnChain.transactionCount(network, address)
        yield* moveTo(2200)
        const cleared = yield* until(
          "the repair",
          Effect.map(
            guardian,
            (found) =>
              (found["data"] as Fields | undefined)?.["state"] === "armed" &&
                (found["events"] as ReadonlyArray<Fields>)[0]?.["kind"] === "cleared"
                ? found
                : undefined
          )
        )
        assert.isAtLeast(yield* factor, Number(terms.target))
        assert.isAtMost(yield* factor, Number(terms.target) + 0.1)
        const actions = (cleared["actions"] as ReadonlyArray<Fields>).toReversed()
        assert.deepStrictEqual(
          new Set(actions.map(({ action }) => action)),
          new Set(["repay", "withdraw", "sell"])
        )
        assert.isTrue(actions.every(({ state }) => state === "succeeded"))
        assert.strictEqual(yield* OnChain.transactionCount(network, address), sent + actions.length)
        yield* call("/deleteGuardian", { kind: "health_factor" })
        yield* moveTo(3000)
      }))

    it.effect("an oracle guardian reads the platform's own feeds and lets trades pass; a breaker reads the share price", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const { apiKey, pool } = yield* trader({ network })
        const call = (path: string, json: Fields) =>
          Effect.map(ask(path, { json: { apiKey, network, pool, ...json } }), succeeded)
        const oracle = yield* call("/setGuardian", { kind: "oracle", max_age: "1d", max_depeg: 2 })
        assert.deepInclude(oracle["plan"] as Fields, { step: "wait" })
        yield* call("/vaultTrade", { from: "USDC", to: "WETH", amount: "10", slippage: 2 })
        const breaker = yield* call("/setGuardian", { kind: "loss_breaker", max_daily_loss: 5, dryRun: true })
        assert.match(String((breaker["plan"] as Fields)["reading"]), /^A share is worth \$/)
        const own = yield* call("/getWalletAuthority", {})
        const [held] = own["guardians"] as ReadonlyArray<Fields>
        assert.deepInclude(held, { kind: "oracle", may: ["hold_trades"], failures: 0 })
        assert.match(String(held?.["state"]), /^(armed|tripped)$/)
        assert.isNotEmpty(held?.["reason"])
      }))
  }
)
