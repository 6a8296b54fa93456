import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { demoVault, type Fields, rows, Running, running, temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"

const network = "base"

/** Runs the command as its users do, in a process of its own, against this test's service. */
const vaultTrader = (home: string) =>
  Effect.map(
    Running,
    ({ baseUrl }) => (...words: ReadonlyArray<string>) =>
      ServiceProcess.toItsEnd({ XDG_CONFIG_HOME: home, VAULT_TRADER_URL: baseUrl }, "vault-trader", ...words)
  )

layer(running(), { timeout: 120_000, excludeTestServices: true })("the commands of a caller", (it) => {
  it.effect(
    "create a wallet, show a trade, make it, and read it back; exit codes say how each ended",
    () =>
      Effect.gen(function*() {
        const home = yield* temporaryFolder
        const run = yield* vaultTrader(home)
        const json = (...words: ReadonlyArray<string>) =>
          Effect.map(run(...words, "--json"), ({ code, stderr, stdout }) => {
            assert.strictEqual(code, 0, stderr)
            return JSON.parse(stdout) as Fields
          })

        const created = yield* json("create-wallet")
        const [address, apiKey] = [String(created["address"]) as Address, String(created["apiKey"])]
        const { baseUrl } = yield* Running
        const devnet = yield* Devnet
        const pool = yield* demoVault(network)
        yield* Effect.orDie(devnet.faucet({ network, address, amountWei: 10n ** 18n }))
        yield* Effect.orDie(devnet.setTrader({ network, pool, trader: address }))
        const file = Path.join(home, "key")
        Fs.writeFileSync(file, apiKey, { mode: 0o600 })
        const profile = ["--network", network, "--pool", pool, "--api-key-file", file]
        const added = yield* run("profile", "add", "main", "--url", baseUrl, ...profile)
        assert.strictEqual(added.code, 0, added.stderr)

        const trade = ["trade", "--from", "USDC", "--to", "WETH", "--amount", "1000"]
        const before = yield* OnChain.balanceOf(network, "USDC", pool)
        const planned = yield* json(...trade, "--dry-run")
        assert.deepInclude(planned, { status: "success", dryRun: true, tx_hash: null })
        assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", pool), before)

        const made = yield* json(...trade, "--idempotency-key", "one")
        const again = yield* json(...trade, "--idempotency-key", "one")
        assert.deepInclude(made["sold"] as Fields, { amount: "1000", symbol: "USDC" })
        assert.deepStrictEqual([again["intent_id"], again["tx_hash"]], [made["intent_id"], made["tx_hash"]])
        assert.strictEqual(before - (yield* OnChain.balanceOf(network, "USDC", pool)), 1_000_000_000n)
        assert.deepStrictEqual(yield* rows("select count(*)::int as n from intents where endpoint = 'vaultTrade'"), [{
          n: 1
        }])

        const intent = yield* run("intent", "--intent-id", String(made["intent_id"]))
        assert.strictEqual(intent.code, 0, intent.stderr)
        assert.include(intent.stdout, String(made["tx_hash"]))
        const composition = yield* run("composition")
        assert.match(composition.stdout, /\n +99000 {2}|USDC/)

        const refused = yield* run(...trade, "--slippage", "50")
        assert.deepStrictEqual([refused.code, refused.stdout], [1, ""])
        assert.match(refused.stderr, /fail \(1010\): .*slippage/)
        const unusable = yield* run("trade", "--from", "USDC")
        assert.deepStrictEqual([unusable.code, unusable.stdout], [2, ""])
        assert.match(unusable.stderr, /^Missing: --to\.\n/)
        const nowhere = `http://127.0.0.1:${yield* ServiceProcess.freePort}`
        const unreachable = yield* ServiceProcess.toItsEnd({ VAULT_TRADER_URL: nowhere }, "vault-trader", "all-actions")
        assert.deepStrictEqual([unreachable.code, unreachable.stdout], [4, ""])

        const said = [added, intent, composition, refused, unusable].map(({ stderr, stdout }) => stdout + stderr).join()
        assert.notInclude(said, apiKey)
      }),
    120_000
  )
})
