import { assert, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { buildConsole } from "../../../../scripts/console.mjs"
import { browser } from "@vault-trader/testing/harness/Browser"
import { act } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, running } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"

await buildConsole()

layer(running({ networks: ["base"], devnetWallet: true }), { timeout: 240_000, excludeTestServices: true })(
  "the devnet's wallet",
  (it) => {
    it.effect("signs the devnet's manager in to the console, in a browser that has no wallet, when the person says yes", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const { file } = yield* Devnet
        const chromium = yield* browser
        const page = yield* Effect.promise(() => chromium.newPage())
        const asked: Array<string> = []
        let agrees = false
        page.on("dialog", (dialog) => {
          asked.push(dialog.message())
          void (agrees ? dialog.accept() : dialog.dismiss())
        })
        yield* act(async () => {
          await page.goto(`${baseUrl}/console`)
          await page.getByRole("button", { name: "Sign in with Devnet Wallet" }).click()
          await page.getByText("You declined in the wallet. Nothing was done.").waitFor()
        })
        assert.include(asked.at(-1) ?? "", "Sign this message?\n\n127.0.0.1:")
        agrees = true
        yield* act(async () => {
          await page.getByRole("button", { name: "Sign in with Devnet Wallet" }).click()
          await page.getByRole("heading", { name: "First steps" }).waitFor()
        })
        const session = yield* Effect.promise(() =>
          page.evaluate(() => fetch("/console/session").then((answer) => answer.json()))
        )
        assert.strictEqual((session as { readonly manager: string }).manager, file.manager.address)
      }))

    it.effect("sends what it was asked to on the chain, and says why when it does not", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const devnet = yield* Devnet
        const { address } = devnet.file.manager
        const to = "0x00000000000000000000000000000000000a11ce"
        const request = (method: string, params: ReadonlyArray<unknown>, chainId = 8453, origin = baseUrl) =>
          Effect.map(
            ask("/console/devnet-wallet", { json: { chainId, method, params }, headers: { origin } }),
            ({ body, status }) => ({ status, body })
          )
        assert.deepStrictEqual((yield* request("eth_accounts", [])).body, { result: [address] })
        const sent = yield* request("eth_sendTransaction", [{ from: address, to, value: "0xde0b6b3a7640000" }])
        const hash = String(sent.body["result"])
        assert.match(hash, /^0x[0-9a-f]{64}$/)
        // anvil returns the hash before the block that holds the transaction is mined.
        const rpc = yield* Effect.orDie(devnet.rpc("base"))
        yield* until("the receipt", Effect.map(Effect.orDie(rpc.receipt(hash as `0x${string}`)), Option.getOrUndefined))
        assert.strictEqual(yield* Effect.orDie(devnet.balance({ network: "base", address: to })), 10n ** 18n)
        const refusedWith = (answer: { readonly body: Readonly<Record<string, unknown>> }) =>
          (answer.body["error"] as { readonly code: number }).code
        assert.strictEqual(refusedWith(yield* request("wallet_switchEthereumChain", [{ chainId: "0x1" }])), 4902)
        assert.strictEqual(refusedWith(yield* request("eth_sendTransaction", [{ from: to, to: address }])), 4100)
        assert.strictEqual(refusedWith(yield* request("eth_sendTransaction", [{ to: "nobody" }])), -32602)
        assert.strictEqual(refusedWith(yield* request("eth_sign", [address, "0x00"])), 4200)
        assert.strictEqual(refusedWith(yield* request("anvil_setBalance", [address, "0x0"])), 4200)
      }))

    it.effect("answers pages of its own origin on its own machine only", () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const json = { chainId: 8453, method: "personal_sign", params: ["0x00"] }
        assert.strictEqual((yield* ask("/console/devnet-wallet", { json })).status, 403)
        assert.strictEqual(
          (yield* ask("/console/devnet-wallet", { json, headers: { origin: "https://evil.example" } })).status,
          403
        )
        assert.strictEqual(
          (yield* ask("/console/devnet-wallet", { json: { method: 1 }, headers: { origin: baseUrl } })).status,
          400
        )
        assert.include((yield* ask("/console")).text, "devnet-wallet.js")
      }))
  }
)

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })(
  "a service without the devnet's wallet",
  (it) => {
    it.effect("has no trace of it", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        assert.notInclude((yield* ask("/console")).text, "devnet-wallet.js")
        assert.strictEqual((yield* ask("/console/devnet-wallet.js")).status, 404)
      }))
  }
)
