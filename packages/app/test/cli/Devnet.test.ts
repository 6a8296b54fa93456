import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { DevnetFile } from "@vault-trader/devnet/devnet/DevnetFile"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { Running, running, temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"

const network = "base"
const stranger = `0x${"ab".repeat(20)}` as const

const fileFor = (dataDir: string) =>
  Effect.gen(function*() {
    const { file } = yield* Devnet
    const text = yield* Effect.orDie(Schema.encodeEffect(Schema.fromJsonString(DevnetFile))(file))
    Fs.writeFileSync(Path.join(dataDir, "devnet.json"), text)
  })

/** Runs `vault-trader devnet …` as the author of a program does, against this test's devnet. */
const devnet = (...words: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const { dataDir } = yield* Running
    yield* fileFor(dataDir)
    return yield* ServiceProcess.toItsEnd({ DATA_DIR: dataDir }, "devnet", ...words)
  })

const done = ({ code, stderr, stdout }: ServiceProcess.Ended) => {
  assert.deepStrictEqual([code, stderr], [0, ""])
  return stdout
}

const refused = (code: number, sentence: RegExp) => (ended: ServiceProcess.Ended) => {
  assert.deepStrictEqual([ended.code, ended.stdout], [code, ""])
  assert.match(ended.stderr, sentence)
  assert.match(ended.stderr, /^[^\n]+\n$/)
}

layer(running({ networks: [network] }), { timeout: 120_000, excludeTestServices: true })(
  "vault-trader devnet",
  (it) => {
    it.effect("takes a program's author from a new gas wallet to a trade of their own", () =>
      Effect.gen(function*() {
        const { ask } = yield* Running
        const pool = (yield* Devnet).file.networks[network]!.vaults[0]!.pool
        const wallet = succeeded(yield* ask("/createGasWallet"))
        const address = String(wallet["address"]) as Address
        assert.strictEqual(done(yield* devnet("fund", address)), `${address} has 1 ETH more on base.\n`)
        assert.strictEqual(
          done(yield* devnet("set-trader", pool, address)),
          `${address} is now the trader of ${pool} on base.\n`
        )
        const query = { apiKey: String(wallet["apiKey"]), network, pool, from: "USDC", to: "WETH", amount: "1000" }
        const trade = succeeded(yield* ask("/vaultTrade", { query }))
        assert.match(String(trade["tx_hash"]), /^0x[0-9a-f]{64}$/)
      }))

    it.effect("gives a vault USDC, and an account what is asked for", () =>
      Effect.gen(function*() {
        const pool = (yield* Devnet).file.networks[network]!.vaults[0]!.pool
        const before = yield* OnChain.balanceOf(network, "USDC", pool)
        assert.strictEqual(done(yield* devnet("fund", pool, network)), `${pool} has 10000 USDC more on base.\n`)
        assert.strictEqual((yield* OnChain.balanceOf(network, "USDC", pool)) - before, 10_000_000_000n)
        assert.strictEqual(
          done(yield* devnet("fund", stranger, network, "--gas", "0.5", "--usdc", "2.5")),
          `${stranger} has 0.5 ETH more on base.\n${stranger} has 2.5 USDC more on base.\n`
        )
        assert.strictEqual(yield* OnChain.balanceOf(network, "USDC", stranger), 2_500_000n)
      }))

    it.effect("says in one sentence what cannot be used", () =>
      Effect.gen(function*() {
        refused(2, /^address: expected an address, not '0x12'\./)(yield* devnet("fund", "0x12"))
        refused(2, /^network: expected a network \(.*base.*\), not 'mars'\./)(yield* devnet("fund", stranger, "mars"))
        refused(2, /^--usdc: expected an amount above 0, as 2\.5, not '0'\./)(
          yield* devnet("fund", stranger, "--usdc", "0")
        )
        refused(1, /^The devnet has no network polygon\.\n$/)(yield* devnet("fund", stranger, "polygon"))
        refused(1, /^0x(ab){20} is not a vault of the devnet on base; the demo's vaults there are 0x[0-9a-f]{40}/)(
          yield* devnet("set-trader", stranger, stranger)
        )
        const other = yield* Effect.orDie(
          Effect.flatMap(Devnet, ({ createVault }) => createVault({ network, name: "Other", manager: stranger }))
        )
        refused(
          1,
          /^The vault 0x[0-9a-f]{40} is managed by 0x(ab){20}, not by the devnet's manager 0x[0-9a-f]{40}\.\n$/
        )(
          yield* devnet("set-trader", other.pool, stranger)
        )
      }))

    it.effect("says that no devnet was started, or that it has stopped", () =>
      Effect.gen(function*() {
        const folder = yield* temporaryFolder
        const fund = ServiceProcess.toItsEnd({ DATA_DIR: folder }, "devnet", "fund", stranger)
        refused(1, /^There is no devnet at .*devnet\.json; run npm start first/)(yield* fund)
        yield* fileFor(folder)
        const file = Path.join(folder, "devnet.json")
        const port = yield* ServiceProcess.freePort
        Fs.writeFileSync(
          file,
          Fs.readFileSync(file, "utf8").replaceAll(/"rpcUrl":"[^"]+"/g, `"rpcUrl":"http://127.0.0.1:${port}"`)
        )
        refused(1, /^The devnet of .*devnet\.json is not running; run npm start first\.\n$/)(yield* fund)
      }).pipe(Effect.scoped))
  }
)
