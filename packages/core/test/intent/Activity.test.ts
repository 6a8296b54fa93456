import { assert, describe, it } from "@effect/vitest"
import * as BigDecimal from "effect/BigDecimal"
import { csv } from "../../src/billing/Csv.ts"
import { ExecutionFailure } from "../../src/failure/Failure.ts"
import { ExchangeOrder } from "../../src/exchange/ExchangeOrder.ts"
import { columns, entryOf, entryOfOrder, type IntentRow, rowOf } from "../../src/intent/Activity.ts"
import { Failed, Succeeded } from "../../src/intent/Intent.ts"

const address = "0x5c4e1dbaf5b2a90e0b40a1d0a6e5a1b5d9a0c1f2"
const hash = `0x${"ab".repeat(32)}` as const
const at = new Date("2026-11-20T10:00:00.000Z")
const row: IntentRow = {
  ...{
    id: "01936f5a-0000-7000-8000-000000000000",
    wallet: address,
    endpoint: "vaultTrade",
    network: "polygon",
    pool: address,
    pair: null,
    side: null
  },
  ...{
    status: "accepted",
    txHash: null,
    outcome: null,
    chargeUsd: null,
    submission: null,
    waitingForGas: null,
    createdAt: at,
    updatedAt: at
  }
}
const usdc = { asset: address, symbol: "USDC", amount: "1000", raw: "1000000000" }
const weth = { asset: address, symbol: "WETH", amount: "0.332", raw: "332000000000000000" }

const order = (fields: Partial<Parameters<typeof ExchangeOrder.make>[0]>) =>
  ExchangeOrder.make({
    ...{
      id: row.id,
      accountId: "a",
      botId: "b",
      wallet: address,
      exchange: "binance",
      subaccount: "main",
      pair: "BTC-USDT",
      symbol: "BTC/USDT",
      revision: 1,
      idempotencyKey: null
    },
    ...{
      status: "accepted",
      side: null,
      amount: null,
      limit: null,
      clientId: null,
      exchangeOrderId: null,
      filled: null,
      cost: null,
      fees: null,
      message: null,
      failure: null
    },
    ...{ chargeUsd: null, sentAt: null, createdAt: at, updatedAt: at },
    ...fields
  })

describe("the activity", () => {
  it("derives a request's status from the ledger and its transaction", () => {
    const status = (fields: Partial<IntentRow>) => entryOf({ ...row, ...fields }).status
    assert.strictEqual(status({}), "queued")
    assert.strictEqual(status({ submission: "queued" }), "queued")
    assert.strictEqual(status({ status: "submitted", submission: "signed", waitingForGas: false }), "sent")
    assert.strictEqual(status({ status: "submitted", submission: "signed", waitingForGas: true }), "waiting")
    assert.strictEqual(status({ status: "submitted", submission: "mined" }), "mined")
    const outcome = Succeeded.make({ txHash: hash, message: "", result: {} })
    assert.strictEqual(status({ status: "succeeded", outcome, submission: "mined" }), "mined")
    assert.strictEqual(status({ status: "succeeded", outcome, submission: "final" }), "final")
    // Retention removes old transactions but keeps their outcomes.
    assert.strictEqual(status({ status: "succeeded", outcome }), "final")
  })

  it("shows the amounts moved, and the gas cost in the network's native token", () => {
    const result = { venue: "uniswapV3", sold: usdc, bought: weth, supplied: weth, gas_cost: "0.01", charge_usd: 0.1 }
    const entry = entryOf({
      ...row,
      status: "succeeded",
      txHash: hash,
      outcome: Succeeded.make({ txHash: hash, message: "Sold.", result }),
      chargeUsd: 0.1,
      pair: "WETH-USDC",
      side: "long"
    })
    assert.deepInclude(entry, {
      out: [{ amount: "1000", symbol: "USDC" }],
      in: [{ amount: "0.332", symbol: "WETH" }],
      venue: "uniswapV3",
      gas: { amount: "0.01", symbol: "POL" },
      charge_usd: 0.1,
      bot: "WETH-USDC · long"
    })
    const lent = entryOf({
      ...row,
      status: "succeeded",
      outcome: Succeeded.make({ txHash: hash, message: "", result: { lender: "lenderA", supplied: usdc } })
    })
    assert.deepInclude(lent, { out: [{ amount: "1000", symbol: "USDC" }], in: [], venue: "lenderA" })
  })

  it("says for every failure whether funds moved and what the next step is", () => {
    const failure = new ExecutionFailure({ errorType: "slippage_exceeded", message: "The price moved." })
    const refused = entryOf({ ...row, status: "failed", outcome: Failed.make({ txHash: null, failure }) })
    assert.strictEqual(refused.failure?.code, "2004")
    assert.match(refused.failure?.funds ?? "", /^No funds moved: nothing was sent/)
    assert.match(refused.failure?.next ?? "", /more slippage/)
    const reverted = entryOf({
      ...row,
      status: "failed",
      outcome: Failed.make({ txHash: hash, failure, gasCost: "0.002" })
    })
    assert.match(reverted.failure?.funds ?? "", /transaction reverted; only its gas was spent/)
    assert.deepStrictEqual(reverted.gas, { amount: "0.002", symbol: "POL" })
  })

  it("shows exchange orders in the same form, with the filled amounts by side", () => {
    const decimal = BigDecimal.fromStringUnsafe
    const bought = entryOfOrder(
      order({
        status: "closed",
        side: "buy",
        filled: decimal("0.01"),
        cost: decimal("600.12"),
        message: "Bought.",
        chargeUsd: decimal("0.1")
      })
    )
    assert.deepInclude(bought, {
      status: "final",
      out: [{ amount: "600.12", symbol: "USDT" }],
      in: [{ amount: "0.01", symbol: "BTC" }],
      exchange: "binance/main",
      charge_usd: 0.1,
      failure: null
    })
    assert.deepStrictEqual(
      entryOfOrder(order({ status: "closed", side: "sell", filled: decimal("0"), cost: decimal("0") })).out,
      []
    )
    assert.strictEqual(entryOfOrder(order({ status: "sending" })).status, "sent")
    assert.match(entryOfOrder(order({ status: "lost" })).failure?.funds ?? "", /nothing was traded/)
  })

  it("exports a table in which no cell can be read as a formula", () => {
    const failure = new ExecutionFailure({ errorType: "transaction_reverted", message: "=1+1, \"quoted\"" })
    const [, line] = csv(columns, [
      rowOf(entryOf({ ...row, status: "failed", outcome: Failed.make({ txHash: null, failure }) }))
    ]).split("\r\n")
    assert.include(line ?? "", "\"'=1+1, \"\"quoted\"\"\",2005")
  })
})
