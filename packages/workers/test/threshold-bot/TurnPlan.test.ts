import { assert } from "@effect/vitest"
import { BotTradeRequest } from "@vault-trader/core/threshold-bot/ThresholdBot"
import { defaultFloor } from "@vault-trader/core/lending/Lending"
import * as BigDecimal from "effect/BigDecimal"
import * as Effect from "effect/Effect"
import { BotTrade } from "../../src/threshold-bot/BotTrade.ts"
import { trade } from "../../src/threshold-bot/TurnPlan.ts"
import { SliceSizer } from "../../src/trading/SliceSizer.ts"
import { ether, lending, lendingSuite } from "../lending/TestLending.ts"

const dollar = 10n ** 18n

/** A bot that lends and sells all WETH for USDC, in a vault that owes lenderA half a dollar in USDC. */
const scene = Effect.gen(function*() {
  const vault = yield* lending()
  yield* vault.does("lend", "WETH")
  yield* vault.does("borrow", "USDC", { amount: "0.5" })
  const [weth, usdc] = [vault.token("WETH"), vault.token("USDC")]
  const request = BotTradeRequest.make({
    botId: "bot",
    ...{ pair: "WETH-USDC", base: weth.address, quote: usdc.address, inverse: null, side: "neutral" },
    ...{ threshold: 0, share: 100, maxUsd: BigDecimal.fromStringUnsafe("1000000"), slippage: 3, maxImpact: 3 },
    ...{ platform: "uniswapV3", lending: true, paper: null }
  })
  const plan = Effect.gen(function*() {
    const supplied = (yield* vault.supplied("WETH")) as bigint
    const from = { token: weth, held: yield* vault.held("WETH"), supplied, price: 3000n * dollar }
    const to = { token: usdc, held: yield* vault.held("USDC"), supplied: 0n, price: dollar }
    const amount = from.held + supplied
    return yield* trade(yield* vault.bench, request, defaultFloor, {
      _tag: "trade",
      ...{ from, to, amount, usd18: amount * 3000n, reason: "It is on the wrong side." }
    })
  })
  return { ...vault, planned: Effect.provide(plan, SliceSizer.layer) }
})

lendingSuite("a turn of a bot that lends", (it) => {
  it.effect("repays dust of a debt, sells everything and supplies what it bought, in one transaction", () =>
    Effect.gen(function*() {
      const { chain, execute, held, owed, planned, supplied } = yield* scene
      const decision = yield* planned
      const { calls } = decision
      const worth = "worth" in decision ? decision.worth ?? 0n : 0n
      const action = BotTrade(defaultFloor, 15)
      assert.isTrue(calls.every((call) => action.decodeMovement(chain, call) !== undefined))
      assert.isTrue(worth > 60_000n * dollar, "what is sold, supplied and repaid")
      assert.isTrue((yield* execute(calls)).succeeded)
      assert.deepStrictEqual([yield* owed("USDC"), yield* supplied("WETH")], [0n, 0n])
      // Interest of the seconds between plan and execution stays in the vault.
      assert.isBelow(Number(yield* held("WETH")), 1e12)
      assert.isTrue(((yield* supplied("USDC")) as bigint) > 120_000n * 1_000_000n)
    }))

  it.effect("sells all but what secures dust that the vault cannot repay, and then holds", () =>
    Effect.gen(function*() {
      const { does, execute, owed, planned, supplied } = yield* scene
      yield* does("lend", "USDC", { lender: "lenderB" })
      const { calls, details } = yield* planned
      assert.strictEqual(details.action, "trade")
      assert.isTrue((yield* execute(calls)).succeeded)
      assert.isTrue(((yield* owed("USDC")) as bigint) > 0n)
      const kept = (yield* supplied("WETH")) as bigint
      assert.isTrue(kept > 0n && kept < ether / 1000n)
      // The USDC that it bought are in lenderA, so there is other collateral, and the rest can be taken.
      const next = yield* planned
      assert.include(["trade", "hold"], next.details.action)
    }))
})
