/** Idle wallets whose key is used elsewhere or whose balance falls without a transaction of the service. */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { createWalletClient, http, parseGwei } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { base } from "viem/chains"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { type Fields, Running, rows, running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { receiver } from "@vault-trader/testing/harness/Receiver"
import { RpcHold } from "@vault-trader/testing/harness/RpcHold"
import { until } from "@vault-trader/testing/harness/Until"

const network = "base"
const ether = 10n ** 18n
const elsewhere: Address = `0x${"e1".repeat(20)}`

const env = {
  WEBHOOKS_TO_LOOPBACK: "on",
  GAS_CHECK_SECONDS: "1",
  PAUSE_ON_ALERT: "balance_drain, foreign_transaction"
}

/** Waits until a balance of the wallet in a later block is stored, with this transaction count. */
const observed = (wallet: Address, nonce: number) =>
  Effect.gen(function*() {
    const select = `select block::int as block from balance_observations where network = '${network}'
      and wallet = '${wallet}' and nonce = ${nonce} and next_block is null`
    const first = yield* until("an observation", Effect.map(rows(select), ([row]) => row))
    yield* until(
      "a later observation",
      Effect.map(rows(`${select} and block > ${String(first["block"])}`), ([row]) => row)
    )
  })

const switchOf = (wallet: Address) =>
  rows(`select reason, set_by as by from kill_switches where scope = 'wallet/${wallet}'`)

const alertsIn = (messages: ReadonlyArray<{ readonly body: string }>, kind: string) =>
  messages.map(({ body }) => (JSON.parse(body) as { readonly data: Fields }).data).filter((data) =>
    data["kind"] === kind
  )

const service = running({
  env,
  books: (books) => Effect.map(RpcHold, ({ inFront }) => inFront("service", books))
}).pipe(Layer.provideMerge(RpcHold.layer))

layer(service, { timeout: 240_000, excludeTestServices: true })("an idle wallet", (it) => {
  it.effect("is paused, with an alert, when its key is used elsewhere or its balance falls", () =>
    Effect.gen(function*() {
      const { ask } = yield* Running
      const { messages, url } = yield* receiver
      const { file } = yield* Devnet
      const rpc = yield* Effect.orDie((yield* Devnet).rpc(network))
      yield* Effect.forkScoped(Effect.forever(Effect.delay(Effect.ignore(rpc.mine), "300 millis")))
      const used = yield* trader({ network, pool: yield* OnChain.createVault(network, 100n) })
      const drained = yield* trader({ network, pool: yield* OnChain.createVault(network, 100n) })
      const calm = yield* trader({ network, pool: yield* OnChain.createVault(network, 100n) })
      for (const { apiKey, pool } of [used, drained, calm]) {
        succeeded(yield* ask("/setWebhook", { json: { apiKey, url, events: ["wallet.alert"] } }))
        succeeded(yield* ask("/approve", { json: { apiKey, network, pool, asset: "USDC" } }))
      }
      yield* Effect.forEach([used, drained, calm], ({ address }) => observed(address, 1))
      assert.lengthOf(messages, 0)

      const client = createWalletClient({
        account: privateKeyToAccount(`0x${used.privateKey}`),
        chain: base,
        transport: http(file.networks[network]!.rpcUrl)
      })
      const hash = yield* Effect.promise(() =>
        client.sendTransaction({
          to: elsewhere,
          value: ether / 10n,
          gas: 21_000n,
          maxFeePerGas: parseGwei("10"),
          maxPriorityFeePerGas: 1n
        })
      )
      const foreign = yield* until(
        "the alert of the foreign transaction",
        Effect.sync(() => alertsIn(messages, "foreign_transaction")[0])
      )
      assert.deepInclude(foreign, { network, gasWallet: used.address, nonce: "1", tx_hash: hash })
      assert.match(String(foreign["message"]), /Signing is stopped for the wallet on all networks\.$/)
      const [first] = yield* switchOf(used.address)
      assert.match(String(first?.["reason"]), /^alert (foreign_transaction|balance_drain): /)
      assert.strictEqual(first?.["by"], "operator")

      // A delegate moves native token without a transaction of the wallet. Anvil changes the newest block's state, which
      // must not be one that the service has observed already: it asks nothing meanwhile.
      const before = yield* Effect.orDie(rpc.balance(drained.address))
      const { hold } = yield* RpcHold
      const { release } = yield* hold({ network, when: (_, moment) => Effect.succeed(moment === "before the node") })
      yield* Effect.orDie(Effect.andThen(rpc.mine, rpc.setBalance(drained.address, before - ether / 4n)))
      yield* release
      const drain = yield* until(
        "the alert of the drain",
        Effect.sync(() => alertsIn(messages, "balance_drain").find((data) => data["gasWallet"] === drained.address))
      )
      assert.deepInclude(drain, { network, fallen_wei: (ether / 4n).toString() })
      assert.lengthOf(yield* switchOf(drained.address), 1)
      const refused = yield* ask("/approve", {
        json: { apiKey: drained.apiKey, network, pool: drained.pool, asset: "WETH" }
      })
      assert.strictEqual(refused.fields["status"], "fail", refused.text)
      assert.match(String(refused.fields["message"]), /alert balance_drain/)

      // Another wallet is neither paused nor reported.
      succeeded(yield* ask("/approve", { json: { apiKey: calm.apiKey, network, pool: calm.pool, asset: "WETH" } }))
      yield* observed(calm.address, 2)
      assert.lengthOf(yield* switchOf(calm.address), 0)
      assert.notInclude(messages.map(({ body }) => body).join(), calm.address)
    }))
})
