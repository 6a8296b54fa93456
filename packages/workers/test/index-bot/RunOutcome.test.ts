import { assert, describe, it } from "@effect/vitest"
import { Token } from "@vault-trader/core/chain/Token"
import { ExecutionFailure, type Failure, ValidationFailure } from "@vault-trader/core/failure/Failure"
import { IndexRun, type LegOutcome, type RunLeg } from "@vault-trader/core/index-bot/IndexRun"
import * as RunOutcome from "../../src/index-bot/RunOutcome.ts"

const usdc = Token.make({ address: `0x${"1".repeat(40)}`, symbol: "USDC", decimals: 6 })
const weth = Token.make({ address: `0x${"2".repeat(40)}`, symbol: "WETH", decimals: 18 })
const usd = 10n ** 18n

const made: LegOutcome = {
  status: "succeeded",
  txHash: null,
  message: "Sold.",
  failure: null,
  sold: null,
  bought: null
}
const broken = (failure: Failure): LegOutcome => ({ ...made, status: "failed", message: failure.message, failure })
const noRoute = new ExecutionFailure({ errorType: "no_route", message: "No venue." })
const paused = new ExecutionFailure({ errorType: "paused", message: "Signing is stopped." })

const runOf = (...outcomes: ReadonlyArray<LegOutcome>): IndexRun => {
  const legs = outcomes.map((outcome): RunLeg => ({
    ...{
      side: "buy",
      asset: weth,
      from: usdc,
      to: weth,
      amount: 1n,
      minOut: 1n,
      usd18: 5n * usd,
      slippage: 1,
      platform: "auto",
      partial: true,
      intentId: null
    },
    outcome
  }))
  return IndexRun.make({
    ...{
      id: "r",
      network: "base",
      pool: weth.address,
      wallet: usdc.address,
      keyId: "k",
      reason: "scheduled",
      quote: usdc,
      force: false,
      paper: false
    },
    ...{
      cap18: 100n * usd,
      spent18: 5n * usd,
      state: "running",
      planned: null,
      totalUsd18: null,
      legs,
      message: null,
      failure: null
    },
    startedAt: new Date(0),
    endedAt: null
  })
}

describe("a run of an index", () => {
  it("is done when none of its trades failed, and says what it made", () => {
    assert.deepStrictEqual(RunOutcome.endFinished(runOf(made)), {
      state: "done",
      message: "Made 1 trade worth $5.00.",
      failure: null,
      counts: false
    })
    assert.deepInclude(RunOutcome.endFinished(runOf()), { state: "done" })
  })

  it("is failed when one did, names it, and reports the others too", () => {
    assert.deepStrictEqual(RunOutcome.endFinished(runOf(made, broken(noRoute))), {
      state: "failed",
      message: "Made 1 trade worth $5.00. The buy of WETH failed: No venue.",
      failure: null,
      counts: true
    })
  })

  it("counts against its bot unless the failure is not the bot's", () => {
    const trader = new ValidationFailure({ code: "1006", message: "apiKey: not the trader." })
    assert.deepStrictEqual(
      [noRoute, trader, paused].map((failure) => RunOutcome.endFinished(runOf(broken(failure))).counts),
      [
        true,
        true,
        false
      ]
    )
    const down = new ExecutionFailure({ errorType: "rpc_unavailable", message: "No node." })
    assert.deepInclude(RunOutcome.endUnplannable(runOf(made), down), {
      state: "failed",
      counts: false,
      failure: down,
      message: "Made 1 trade worth $5.00. No node."
    })
    assert.isTrue(RunOutcome.endUnplannable(runOf(broken(noRoute)), down).counts)
  })

  it("does not count against its bot while the value of an asset is unknown, and says that nothing was sent only where nothing was", () => {
    const unknown = new ExecutionFailure({ errorType: "price_unavailable", message: "WBTC has no price." })
    assert.deepInclude(RunOutcome.endUnplannable(runOf(), unknown), {
      counts: false,
      message: "WBTC has no price. Nothing was sent."
    })
    assert.deepInclude(RunOutcome.endUnplannable(runOf(made), unknown), {
      counts: false,
      message: "Made 1 trade worth $5.00. WBTC has no price."
    })
    assert.isFalse(RunOutcome.endFinished(runOf(broken(unknown))).counts)
  })

  it("that was cut short by disabling its bot says so", () => {
    assert.deepInclude(RunOutcome.endDisabled(runOf(made)), {
      state: "done",
      message: "Made 1 trade worth $5.00. The bot was disabled; the run was not completed."
    })
  })

  it("on paper reports what it would have traded", () => {
    assert.strictEqual(
      RunOutcome.endFinished(runOf({ ...made, status: "paper" })).message,
      "On paper: 1 trade worth $5.00; nothing was sent."
    )
  })
})
