import { assert, layer } from "@effect/vitest"
import { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import { builtIn } from "../../src/Networks.ts"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"

const TestDevnet = Devnet.layer({ networks: ["base", "polygon"], heartbeat: false }).pipe(
  Layer.provide(FetchHttpClient.layer)
)
const slow = 240_000

/** A book as an entry of a NETWORKS_FILE. */
const encode = Schema.encodeSync(NetworkBook)

/** Runs a command of the operator with these networks configured. */
const command = (networks: unknown, ...words: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const home = yield* temporaryFolder
    const file = Path.join(home, "networks.json")
    Fs.writeFileSync(file, JSON.stringify(networks))
    return yield* ServiceProcess.toItsEnd({ NETWORKS_FILE: file, DATA_DIR: home }, "vault-trader", ...words)
  })

layer(TestDevnet, { excludeTestServices: true, timeout: slow })("vault-trader doctor", (it) => {
  it.effect("finds a usable network ready, names each contract, and exits with 0", () =>
    Effect.gen(function*() {
      const { books, file } = yield* Devnet
      const { code, stdout } = yield* command(books.map((book) => encode(book)), "doctor", "base")
      assert.strictEqual(code, 0, stdout)
      assert.include(stdout, "base (chain 8453)")
      assert.include(stdout, `ok       platform: factory ${file.networks.base?.factory}`)
      assert.match(stdout, /ok {7}1inch router: guarded/)
      assert.match(stdout, /ok {7}L1 data fee|warning {2}L1 data fee/)
      assert.notInclude(stdout, "polygon")
      assert.match(stdout, /Ready: 0 failures, \d+ warnings?\./)
    }), slow)

  it.effect(
    "fails for a factory without code, for another chain, and for a node that does not answer",
    () =>
      Effect.gen(function*() {
        const { books: [base], file } = yield* Devnet
        assert.isDefined(base)
        const url = file.networks.base?.rpcUrl ?? ""
        const other = file.networks.polygon?.rpcUrl ?? ""
        const empty = "0x00000000000000000000000000000000000000aa"
        const encoded = encode(base)

        const missing = yield* command([{ ...encoded, platformFactory: empty }], "doctor")
        assert.strictEqual(missing.code, 1)
        assert.match(missing.stdout, new RegExp(`FAILED {3}platform: there is no contract at ${empty}`))
        assert.match(missing.stderr, /Not ready: 1 failure/)

        const wrong = yield* command([{ ...encoded, rpcUrls: [url, other] }], "doctor")
        assert.strictEqual(wrong.code, 1)
        assert.match(wrong.stdout, /FAILED {3}endpoint [^:]+:\d+: serves chain 137, not 8453/)

        const silent = yield* command([{ ...encoded, rpcUrls: ["http://127.0.0.1:1"] }], "doctor")
        assert.strictEqual(silent.code, 1)
        assert.match(silent.stdout, /FAILED {3}node: no answer/)
      }),
    slow
  )

  it.effect("names a network that is not configured, and says what to configure", () =>
    Effect.gen(function*() {
      const { books: [base] } = yield* Devnet
      assert.isDefined(base)
      const other = yield* command([encode(base)], "doctor", "ethereum")
      assert.match(other.stderr, /not configured; configured: base/)
      const home = yield* temporaryFolder
      const none = yield* ServiceProcess.toItsEnd({ DATA_DIR: home }, "vault-trader", "doctor")
      assert.match(none.stderr, /No network is configured: set RPC_URL_<NETWORK> or NETWORKS_FILE/)
    }), slow)

  it.effect("prints the built-in networks, as entries that a NETWORKS_FILE takes", () =>
    Effect.gen(function*() {
      const home = yield* temporaryFolder
      const { stdout } = yield* ServiceProcess.toItsEnd({ DATA_DIR: home }, "vault-trader", "networks", "print", "base")
      assert.deepStrictEqual(JSON.parse(stdout), [JSON.parse(JSON.stringify(builtIn("base")))])
      const all = yield* ServiceProcess.toItsEnd({ DATA_DIR: home }, "vault-trader", "networks", "print")
      assert.lengthOf(JSON.parse(all.stdout) as ReadonlyArray<unknown>, 7)
    }), slow)
})
