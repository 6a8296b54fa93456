import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { privateKeyToAddress } from "viem/accounts"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { receiver } from "@vault-trader/testing/harness/Receiver"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
const ether = 10n ** 18n

const setBalance = (address: Address, wei: bigint) =>
  Effect.flatMap(
    Devnet,
    (devnet) => Effect.orDie(Effect.flatMap(devnet.rpc(network), (rpc) => rpc.setBalance(address, wei)))
  )
const balance = (address: Address) =>
  Effect.flatMap(Devnet, (devnet) => Effect.orDie(Effect.flatMap(devnet.rpc(network), (rpc) => rpc.balance(address))))
/** Waits until the service has checked and stored this. */
const noted = (wallet: Address, wei: bigint, low: boolean) =>
  until(
    `the service to note ${wei}`,
    Effect.map(rows(`select 1 from gas_levels where wallet = '${wallet}' and wei = ${wei} and low = ${low}`), ([row]) =>
      row)
  )

layer(running({ env: { WEBHOOKS_TO_LOOPBACK: "on", LOW_GAS: "5usd,polygon=2", GAS_CHECK_SECONDS: "1" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("low gas", (it) => {
  it.effect("is reported when a wallet's balance falls below the threshold, once until it was refilled, where the wallet is used", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { messages, url } = yield* receiver
      const { address, apiKey, pool } = yield* trader()
      succeeded(yield* ask("/setWebhook", { json: { apiKey, url, events: ["gas.low"] } }))
      succeeded(yield* ask("/linkGasWallet", { json: { apiKey, network, pool } }))
      yield* noted(address, ether, false)
      yield* setBalance(address, ether / 10_000n)
      yield* noted(address, ether / 10_000n, true)
      yield* setBalance(address, ether / 10_001n)
      yield* noted(address, ether / 10_001n, true)
      yield* setBalance(address, ether)
      yield* noted(address, ether, false)
      yield* setBalance(address, 0n)
      yield* noted(address, 0n, true)
      yield* until("two messages", Effect.sync(() => messages.length >= 2 ? messages : undefined))
      assert.deepStrictEqual(messages.map(({ body }) => (JSON.parse(body) as { readonly type: string }).type), [
        "gas.low",
        "gas.low"
      ])
      const { data } = JSON.parse(messages.find(({ body }) => body.includes("0.0001"))!.body) as {
        readonly data: Fields
      }
      assert.deepInclude(data, { network, gasWallet: address, balance: "0.0001", token: "ETH", threshold: "5usd" })
      assert.isBelow(Number(data["balance_usd"]), 5)
      assert.deepStrictEqual(yield* rows(`select count(*)::int as n from top_ups`), [{ n: 0 }])
    }))
})

const funderKey = "7".repeat(64)
const poorKey = "8".repeat(64)
const [funder, poor] = [funderKey, poorKey].map((key) => privateKeyToAddress(`0x${key}`).toLowerCase() as Address) as [
  Address,
  Address
]
const topUps = {
  TOP_UP_FUNDER: funder,
  TOP_UP_WALLETS: `${network}/${poor}`,
  TOP_UP_AMOUNT: "20usd",
  TOP_UP_MAX_USD_PER_DAY: "50"
}

layer(running({ env: { ...topUps, LOW_GAS: "5usd", GAS_CHECK_SECONDS: "1" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("top-ups", (it) => {
  it.effect("refill the wallets that are named, and no other, from the funder's own lane, once for one shortage", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      yield* setBalance(funder, 10n * ether)
      for (const privateKey of [funderKey, poorKey]) succeeded(yield* ask("/getNewApiKey", { json: { privateKey } }))
      const first = yield* until("the first refill", Effect.map(balance(poor), (wei) => wei > 0n ? wei : undefined))
      const [row] = yield* rows(
        "select t.wei::text as wei, t.usd18::text as usd18, s.wallet as funder from top_ups t join submissions s " +
          "on s.key = t.id || '/topup'"
      )
      assert.deepStrictEqual(row, { wei: first.toString(), usd18: row!["usd18"], funder })
      assert.closeTo(Number(BigInt(String(row!["usd18"])) / 10n ** 12n) / 1e6, 20, 0.01)
      assert.strictEqual(yield* OnChain.transactionCount(network, funder), 1)

      const { address: stranger } = yield* wallet
      yield* setBalance(stranger, 1n)
      // Low again at once: a repeated refill could be drained in the same way, so it waits for a while.
      yield* setBalance(poor, 1n)
      yield* noted(poor, 1n, true)
      yield* setBalance(poor, 2n)
      yield* noted(poor, 2n, true)
      assert.strictEqual(yield* OnChain.transactionCount(network, funder), 1)
      assert.strictEqual(yield* balance(stranger), 1n)
    }))
})
