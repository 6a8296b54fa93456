/** Everything that can act for a wallet is shown to its owner, and to no stranger. */
import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { refused, succeeded } from "@vault-trader/testing/harness/Answers"
import { ended, opened, sessionOf, signedCalls } from "@vault-trader/testing/harness/ConsoleCalls"
import { type Fields, Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import { person, proof } from "@vault-trader/testing/harness/Signing"
import { until } from "@vault-trader/testing/harness/Until"

const send = (path: string, json: Fields) => Effect.flatMap(Running, ({ ask }) => ask(path, { json }))

type Rows = ReadonlyArray<Fields>

/** Delegates an account to a contract (EIP-7702) for the duration of the test. */
const delegated = (address: Address, delegate: Address) =>
  Effect.gen(function*() {
    const rpc = yield* (yield* Devnet).rpc("base")
    const set = (code: string) => Effect.orDie(rpc.request("anvil_setCode", [address, code], Schema.Unknown))
    yield* set(`0xef0100${delegate.slice(2)}`)
    yield* Effect.addFinalizer(() => set("0x"))
    return { remove: set("0x") }
  })

layer(running({ networks: ["base"] }), { timeout: 240_000, excludeTestServices: true })(
  "the authority over a wallet",
  (it) => {
    it.effect("is shown to its key, a manager and its private key: all of it, and no secret", () =>
      Effect.gen(function*() {
        const made = yield* trader()
        const { address, apiKey, network, pool, privateKey } = made
        const about = { apiKey, network, pool }
        const manager = yield* person
        const console = yield* opened(yield* sessionOf(manager))
        const signedCall = signedCalls(console, manager)
        ended(yield* signedCall({ action: "associateWallet", apiKey, privateKey, label: "momentum" }))
        const token = succeeded(yield* send("/createWebhookToken", { ...about, pair: "WETH-USDC", label: "daily" }))
        const hook = succeeded(yield* send("/setWebhook", { apiKey, url: "https://1.1.1.1/hook", events: ["gas.low"] }))
        const sub = succeeded(yield* send("/createSubKey", { apiKey, label: "agent" }))
        // The manager sets one bot in the console; the key sets the other.
        ended(yield* console("wallet.setBot", { wallet: address, network, pool, pair: "WETH-USDC", side: "hold" }))
        succeeded(yield* send("/setBot", { ...about, pair: "WBTC-USDC", side: "hold" }))
        const params = { wallet: address, max_usd_per_day: "1000" }
        succeeded(
          yield* send("/setKeyLimits", { ...params, ...(yield* proof(manager, "setKeyLimits", address, params)) })
        )
        succeeded(yield* send("/pauseBot", { ...about, pair: "WBTC-USDC", reason: "a drill" }))
        succeeded(yield* send("/pauseWallet", { apiKey, reason: "lunch" }))

        const byKey = yield* send("/getWalletAuthority", { apiKey })
        const shown = succeeded(byKey)
        assert.strictEqual(shown["address"], address)
        assert.strictEqual((shown["api_key"] as Fields)["last_four"], apiKey.slice(-4))
        assert.deepStrictEqual(
          (shown["managers"] as Rows).map((each) => [each["manager"], each["network"], each["label"]]),
          [[manager.address, null, "momentum"]]
        )
        assert.deepStrictEqual((shown["sessions"] as Rows).map((each) => [each["manager"], each["count"]]), [[
          manager.address,
          1
        ]])
        assert.deepStrictEqual((shown["webhook_tokens"] as Rows).map((each) => [each["token_id"], each["label"]]), [[
          token["token_id"],
          "daily"
        ]])
        assert.deepStrictEqual((shown["sub_keys"] as Rows).map((each) => [each["label"], each["scopes"]]), [[
          "agent",
          []
        ]])
        assert.deepStrictEqual((shown["webhooks"] as Rows).map((each) => each["webhook_id"]), [hook["webhook_id"]])
        assert.deepInclude(shown["limits"], { max_usd_per_day: "1000", set_by: manager.address })
        assert.deepStrictEqual(
          (shown["bots"] as Rows).map((each) => [each["pair"], each["gas_wallet"], each["set_by"]]),
          [["WBTC-USDC", address, null], ["WETH-USDC", address, manager.address]]
        )
        const [ofBot, ...others] = [...(shown["switches"] as Rows)].sort((a, b) =>
          String(a["scope"]).localeCompare(String(b["scope"]))
        )
        assert.deepInclude(ofBot, { reason: "a drill", by: "owner" })
        assert.match(String(ofBot?.["scope"]), new RegExp(`^bot/base/${pool}/0x[0-9a-f]{40}/0x[0-9a-f]{40}$`))
        assert.deepStrictEqual(others, [{ scope: `wallet/${address}`, reason: "lunch", by: "owner" }])
        assert.deepStrictEqual([shown["exchange_accounts"], shown["delegations"]], [[], []])
        for (const secret of [apiKey, privateKey, token["token"], hook["secret"], sub["apiKey"]]) {
          assert.notInclude(byKey.text, String(secret))
        }

        const asked = { wallet: address }
        const bySignature = succeeded(
          yield* send("/getWalletAuthority", {
            ...asked,
            ...(yield* proof(manager, "getWalletAuthority", address, asked))
          })
        )
        const byPrivateKey = succeeded(yield* send("/getWalletAuthority", { privateKey }))
        const inConsole = ended(yield* console("wallet.getWalletAuthority", asked)) as Fields
        for (const other of [bySignature, byPrivateKey, inConsole]) {
          for (const part of ["sub_keys", "webhook_tokens", "webhooks", "limits", "bots", "switches"]) {
            assert.deepStrictEqual(other[part], shown[part], part)
          }
        }

        // Every use is stored within a moment, without a write for each request.
        yield* until(
          "the last uses",
          Effect.map(send("/getWalletAuthority", { privateKey }), (answer) => {
            const now = succeeded(answer)
            const last = [now["api_key"], (now["managers"] as Rows)[0], (now["sessions"] as Rows)[0]] as Rows
            return last.every((each) => each["last_used_at"] !== null) ? true : undefined
          })
        )
      }))

    it.effect("is shown to no stranger, and not for a key, a signature or a private key of another wallet", () =>
      Effect.gen(function*() {
        const [mine, other] = [yield* wallet, yield* wallet]
        const stranger = yield* person
        refused(yield* send("/getWalletAuthority", {}), "1010", /^Missing required parameter: apiKey, or manager and/)
        refused(yield* send("/getWalletAuthority", { wallet: mine.address }), "1010", /^Missing required parameter/)
        refused(yield* send("/getWalletAuthority", { apiKey: crypto.randomUUID() }), "1002", /unknown or revoked/)
        refused(
          yield* send("/getWalletAuthority", { apiKey: other.apiKey, wallet: mine.address }),
          "1005",
          /^wallet: the key belongs to/
        )
        const asked = { wallet: mine.address }
        const proven = yield* proof(stranger, "getWalletAuthority", mine.address, asked)
        refused(yield* send("/getWalletAuthority", { ...asked, ...proven }), "1005", /is not in the list of/)
        refused(
          yield* send("/getWalletAuthority", { ...asked, privateKey: other.privateKey }),
          "1005",
          /^wallet: the other parameters are about/
        )
        const { ask } = yield* Running
        refused(
          yield* ask("/getWalletAuthority", { query: { privateKey: mine.privateKey } }),
          "1010",
          /^privateKey: must be sent in the request body/
        )
      }))

    it.effect("is given to no delegated account: it is neither imported nor associated, and a known one is shown as such", () =>
      Effect.gen(function*() {
        const delegate: Address = `0x${"ab".repeat(20)}`
        const foreign = generatePrivateKey()
        const foreignAddress = privateKeyToAddress(foreign).toLowerCase() as Address
        const { remove } = yield* delegated(foreignAddress, delegate)
        const code = new RegExp(
          `^privateKey: there is code at the address of ${foreignAddress} on base ` +
            `\\(delegated to ${delegate}, EIP-7702\\).*Nothing was imported`
        )
        refused(yield* send("/getNewApiKey", { privateKey: foreign }), "1010", code)
        assert.deepStrictEqual(yield* rows(`select 1 from gas_wallets where address = '${foreignAddress}'`), [])
        yield* remove
        succeeded(yield* send("/getNewApiKey", { privateKey: foreign }))

        const made = yield* wallet
        const manager = yield* person
        yield* delegated(made.address, delegate)
        const asked = { apiKey: made.apiKey, privateKey: made.privateKey }
        refused(
          yield* send("/associateGasWallet", {
            ...asked,
            ...(yield* proof(manager, "associateGasWallet", made.address, asked))
          }),
          "1010",
          /^apiKey: there is code at the address of .*Nothing was changed/
        )
        // The owner's rotation works all the same, and what the watch has found is shown.
        const rotated = succeeded(yield* send("/getNewApiKey", { privateKey: made.privateKey }))
        yield* rows(
          `insert into wallet_codes (network, wallet, code) values ('base', '${made.address}',
           '0xef0100${delegate.slice(2)}') on conflict (network, wallet) do update set code = excluded.code
           returning wallet`
        )
        const shown = succeeded(yield* send("/getWalletAuthority", { apiKey: rotated["apiKey"] }))
        assert.deepStrictEqual(
          (shown["delegations"] as Rows).map((each) => [each["network"], each["delegate"]]),
          [["base", delegate]]
        )
      }))

    it.effect("is ended by rotation except for what `keep` names", () =>
      Effect.gen(function*() {
        const made = yield* trader()
        const { apiKey, network, pool, privateKey } = made
        const manager = yield* person
        const console = yield* opened(yield* sessionOf(manager))
        ended(
          yield* signedCalls(console, manager)({ action: "associateWallet", apiKey, privateKey, label: null })
        )
        const token = succeeded(yield* send("/createWebhookToken", { apiKey, network, pool, pair: "WETH-USDC" }))
        const rotated = succeeded(yield* send("/getNewApiKey", { privateKey, keep: ["managers", "tokens"] }))
        assert.deepStrictEqual(rotated["ended"], {
          managers: [],
          sessions: 1,
          webhook_tokens: [],
          webhooks: [],
          channels: []
        })
        assert.deepStrictEqual(rotated["kept"], {
          managers: [manager.address],
          sessions: 0,
          webhook_tokens: [token["token_id"]],
          webhooks: [],
          channels: []
        })
        const shown = succeeded(yield* send("/getWalletAuthority", { apiKey: rotated["apiKey"] }))
        assert.lengthOf(shown["managers"] as Rows, 1)
        assert.lengthOf(shown["webhook_tokens"] as Rows, 1)
        assert.deepStrictEqual(shown["sessions"], [])
        const all = succeeded(yield* send("/getNewApiKey", { privateKey, keep: "false" }))
        assert.deepInclude(all["ended"], { managers: [manager.address] })
      }))
  }
)
