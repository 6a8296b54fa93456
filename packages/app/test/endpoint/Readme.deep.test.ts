/** The README's three lines for each way to call the service, run as they are written, against a service. */
import { assert, layer } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { Running, running, temporaryFolder, trader } from "@vault-trader/testing/harness/Harness"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)
const root = Path.join(import.meta.dirname, "../../../..")
const readme = Fs.readFileSync(Path.join(root, "README.md"), "utf8")
const network = "base"
const service = "http://127.0.0.1:8080"

/** Returns the only block of a language that has these words. */
const blockOf = (language: string, words: string): string => {
  const blocks = Array.from(readme.matchAll(/^```(\w+)\n([^]*?)^```$/gm), ([, name, code = ""]) => ({ name, code }))
    .filter(({ code, name }) => name === language && code.includes(words))
  assert.strictEqual(blocks.length, 1, `${language}: ${words}`)
  const { code = "" } = blocks[0] ?? {}
  assert.strictEqual(code.trim().split("\n").length, 3, code)
  return code
}

const has = (command: string, ...words: ReadonlyArray<string>) => run(command, [...words]).then(() => true, () => false)
const hasPython = await has("python3", "-c", "import sys; assert sys.version_info >= (3, 11)")
if (!hasPython) console.warn("Python 3.11 is not on this machine: the README's lines of Python are not run here.")
const hasR = await has("Rscript", "-e", "library(httr2); library(jsonlite); library(openssl)")
if (!hasR) console.warn("R with httr2 is not on this machine: the README's lines of R are not run here.")

/** `npx vault-trader` as in this clone, from any folder. */
const npx = `npx() { shift; "${process.execPath}" "${root}/packages/app/vault-trader.mjs" "$@"; }`

/** A new trader, and how to run a program with its key, its vault and this service in place of the README's. */
const scene = Effect.gen(function*() {
  const { baseUrl } = yield* Running
  const by = yield* trader({ network })
  const folder = yield* temporaryFolder
  const env = { PATH: process.env["PATH"] ?? "", HOME: folder, VAULT_TRADER_URL: baseUrl, PORT: new URL(baseUrl).port }
  return {
    ...by,
    env,
    folder,
    filled: (code: string) =>
      code.replaceAll(service, baseUrl).replaceAll("API_KEY\n", `${by.apiKey}\n`)
        .replaceAll("API_KEY >", `${by.apiKey} >`).replaceAll("VAULT ", `${by.pool} `),
    execute: (command: string, ...args: ReadonlyArray<string>) =>
      Effect.map(Effect.promise(() => run(command, [...args], { cwd: folder, env })), ({ stdout }) => stdout)
  }
})

/** Runs a program, which must sell this many USDC of the vault in one transaction of its wallet. */
const sells = <A, E, R>(
  by: { readonly address: string; readonly pool: string },
  usdc: bigint,
  program: Effect.Effect<A, E, R>
) =>
  Effect.gen(function*() {
    const before = yield* OnChain.balanceOf(network, "USDC", by.pool as `0x${string}`)
    const answer = yield* program
    assert.strictEqual(
      before - (yield* OnChain.balanceOf(network, "USDC", by.pool as `0x${string}`)),
      usdc * 1_000_000n
    )
    assert.strictEqual(yield* OnChain.transactionCount(network, by.address as `0x${string}`), 1)
    return answer
  })

layer(running(), { timeout: 240_000, excludeTestServices: true })("the README's three lines", (it) => {
  it.effect("of TypeScript trade", () =>
    Effect.gen(function*() {
      const { apiKey, execute, filled, ...by } = yield* scene
      const code = `import { VaultTrader } from "${root}/packages/client/src/VaultTrader.ts"
        const [apiKey, pool] = ${JSON.stringify([apiKey, by.pool])}
        ${filled(blockOf("ts", "new VaultTrader("))}
        console.log(bought.symbol, tx_hash)`
      const said = yield* sells(by, 1000n, execute(process.execPath, "--input-type=module-typescript", "-e", code))
      assert.match(said, /^WETH 0x[0-9a-f]{64}$/m)
    }), 240_000)

  it.effect.skipIf(!hasPython)("of Python trade", () =>
    Effect.gen(function*() {
      const { apiKey, execute, filled, ...by } = yield* scene
      const code = `import sys; sys.path.insert(0, "${root}/clients/python")\nfrom vault_trader import VaultTrader\n` +
        `api_key, pool = ${JSON.stringify(apiKey)}, ${JSON.stringify(by.pool)}\n` +
        filled(blockOf("python", "VaultTrader("))
      assert.include(yield* sells(by, 1000n, execute("python3", "-B", "-c", code)), "WETH")
    }), 240_000)

  it.effect.skipIf(!hasR)("of R trade", () =>
    Effect.gen(function*() {
      const { apiKey, execute, filled, folder, ...by } = yield* scene
      yield* execute("R", "CMD", "INSTALL", `--library=${folder}`, Path.join(root, "clients/r"))
      const code = `library(vaulttrader, lib.loc = "${folder}")\napi_key <- ${JSON.stringify(apiKey)}\n` +
        `pool <- ${JSON.stringify(by.pool)}\n${filled(blockOf("r", "vault_trader("))}`
      assert.include(yield* sells(by, 1000n, execute("Rscript", "--vanilla", "-e", code)), "WETH")
    }), 240_000)

  it.effect("of the command plan a trade, and make it", () =>
    Effect.gen(function*() {
      const { execute, filled, ...by } = yield* scene
      const script = `set -euo pipefail\n${npx}\n${filled(blockOf("sh", "vault-trader trade"))}`
      const said = yield* sells(by, 100n, execute("bash", "-c", script))
      assert.match(said, /Sold 100 USDC/)
    }), 240_000)

  it.effect("of an agent serve tools that trade, and only in the assets that they name", () =>
    Effect.gen(function*() {
      const { env, filled, folder, ...by } = yield* scene
      const script = `set -euo pipefail\n${npx}\n${filled(blockOf("sh", "vault-trader mcp"))}`
      const client = new Client({ name: "test", version: "1" })
      yield* Effect.acquireRelease(
        Effect.promise(() =>
          client.connect(new StdioClientTransport({ command: "bash", args: ["-c", script], env, cwd: folder }), {
            timeout: 120_000
          })
        ),
        () => Effect.promise(() => client.close())
      )
      const call = (args: Readonly<Record<string, string>>) =>
        Effect.map(
          Effect.promise(() =>
            client.callTool(
              { name: "vaultTrade", arguments: { network, pool: by.pool, from: "USDC", amount: "5", ...args } },
              undefined,
              { timeout: 120_000 }
            )
          ),
          ({ structuredContent }) => structuredContent as Readonly<Record<string, unknown>>
        )
      const refused = yield* call({ to: "DAI" })
      assert.deepStrictEqual([refused["code"], refused["status"]], ["refused_here", "fail"])
      assert.match(String(refused["message"]), /--assets/)
      const planned = yield* call({ to: "WETH" })
      assert.strictEqual(planned["status"], "confirmation_required")
      const done = yield* sells(by, 5n, call({ to: "WETH", confirmation: String(planned["confirmation"]) }))
      assert.strictEqual(done["status"], "success")
    }), 240_000)
})
