/** A wallet's key that is used outside the service while its lane is idle. */
import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import { createWalletClient, http, parseGwei } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { base } from "viem/chains"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, rows, running, trader } from "@vault-trader/testing/harness/Harness"
import { receiver } from "@vault-trader/testing/harness/Receiver"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"

/** Selects the alerts about transactions: the gas of a foreign one is also a `balance_drain`. */
const foreignIn = (messages: ReadonlyArray<{ readonly body: string }>) =>
  messages.map(({ body }) => (JSON.parse(body) as { readonly data: Fields }).data).filter((data) =>
    data["kind"] === "foreign_transaction"
  )

layer(running({ env: { WEBHOOKS_TO_LOOPBACK: "on", GAS_CHECK_SECONDS: "1" } }), {
  timeout: 240_000,
  excludeTestServices: true
})("a key that is used elsewhere", (it) => {
  it.effect("raises an alert for every transaction that the service did not sign, and none for its own", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { messages, url } = yield* receiver
      const { address, apiKey, pool, privateKey } = yield* trader({ network })
      succeeded(yield* ask("/setWebhook", { json: { apiKey, url, events: ["wallet.alert"] } }))
      succeeded(yield* ask("/approve", { json: { apiKey, network, pool, asset: "USDC" } }))
      succeeded(yield* ask("/vaultTrade", { query: { apiKey, network, pool, from: "USDC", to: "WETH", amount: "5" } }))
      const baseline = (nonce: number) =>
        until(
          `the baseline ${nonce}`,
          Effect.map(
            rows(`select nonce::int as nonce from nonce_baselines
        where network = '${network}' and wallet = '${address}'`),
            ([row]) => row?.["nonce"] === nonce ? nonce : undefined
          )
        )
      yield* baseline(2)
      assert.lengthOf(messages, 0)

      const { file } = yield* Devnet
      const client = createWalletClient({
        account: privateKeyToAccount(`0x${privateKey}`),
        chain: base,
        transport: http(file.networks[network]!.rpcUrl)
      })
      const first = yield* Effect.promise(() =>
        client.sendTransaction({
          to: address,
          value: 0n,
          gas: 21_000n,
          maxFeePerGas: parseGwei("10"),
          maxPriorityFeePerGas: 1n
        })
      )
      yield* baseline(3)
      const alert = yield* until("the alert", Effect.sync(() => foreignIn(messages)[0]))
      assert.deepInclude(alert, { network, gasWallet: address, nonce: "2", tx_hash: first })

      // The service continues after it, and its own transaction raises no alert.
      succeeded(yield* ask("/vaultTrade", { query: { apiKey, network, pool, from: "USDC", to: "WETH", amount: "6" } }))
      yield* baseline(4)
      // The next foreign transaction, which the lane's own next one hides from a check of the counts alone.
      const second = yield* Effect.promise(() =>
        client.sendTransaction({
          to: address,
          value: 0n,
          gas: 21_000n,
          maxFeePerGas: parseGwei("10"),
          maxPriorityFeePerGas: 1n
        })
      )
      succeeded(yield* ask("/vaultTrade", { query: { apiKey, network, pool, from: "USDC", to: "WETH", amount: "7" } }))
      yield* baseline(6)
      yield* until("the second alert", Effect.sync(() => foreignIn(messages)[1]))
      assert.deepStrictEqual(foreignIn(messages).map((data) => data["tx_hash"]), [first, second])
    }))
})
