/** The client libraries against a running service: the packed package, retries over a lost connection, Python, R. */
import { assert, layer } from "@effect/vitest"
import type { Hash } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { browser } from "@vault-trader/testing/harness/Browser"
import { ledger, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import { RpcHold, sends } from "@vault-trader/testing/harness/RpcHold"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { VaultTrader, VaultTraderError } from "../src/VaultTrader.ts"
import { build, execute, inTemporaryFolder, packageFolder, tool } from "./Build.ts"
import { droppingProxy } from "./DroppingProxy.ts"

const network = "base"
const slow = 600_000

/** The client's test in Python needs this version or a newer one. */
const hasPython = await execute("python3", ["-c", "import sys; assert sys.version_info >= (3, 11)"]).then(
  () => true,
  () => false
)
if (!hasPython) console.warn("Python 3.11 is not on this machine: the Python client is not tested here.")

/** R is not an npm package: `.ci/run` installs it where possible. */
const hasR = await execute("Rscript", ["-e", "library(httr2); library(jsonlite); library(openssl)"]).then(
  () => true,
  () => false
)
if (!hasR) console.warn("R with httr2 is not on this machine: the R client is not tested here.")

/** Bun, of which npm has the program itself. */
const bun = tool(`@oven/bun-${process.platform}-${process.arch}/bin/bun`)
const hasBun = Fs.existsSync(bun)
if (!hasBun) console.warn("Bun is not on this machine: the TypeScript client is tested in Node and a browser only.")

const held = running({
  env: { WAIT_SECONDS: "10" },
  books: (books) => Effect.map(RpcHold, ({ inFront }) => inFront("service", books))
}).pipe(Layer.provideMerge(RpcHold.layer))

/** A program of a user of the package. */
const program = `
import { VaultTrader, VaultTraderError } from "@vault-trader/client"
const { KEY: apiKey, POOL: pool, URL: url } = process.env
const client = new VaultTrader({ url, apiKey })
const request = { network: "base", pool, from: "USDC", to: "DAI", amount: "1" }
const { composition } = await client.poolComposition({ network: "base", pool })
const { plan } = await client.vaultTrade({ ...request, dryRun: true })
const outcome = await (await client.vaultTrade(request)).outcome({ timeoutMillis: 60_000 })
const failure = await client.vaultTrade({ ...request, amount: "0" }).catch((error) => error)
console.log(JSON.stringify({
  assets: composition.map(({ symbol }) => symbol),
  planned: plan.venue,
  sold: outcome.sold.amount,
  tx_hash: outcome.tx_hash,
  code: failure instanceof VaultTraderError ? failure.code : null
}))
console.log(client, String(failure))
`

/** The same for a page, which loads the package from its own origin. A text: the test's compiler would change it. */
const inPage = (settings: { readonly apiKey: string; readonly pool: string; readonly url: string }) =>
  `(async () => {
  const { apiKey, pool, url } = ${JSON.stringify(settings)}
  const { VaultTrader } = await import(url + "/packed/VaultTrader.js")
  const client = new VaultTrader({ url, apiKey })
  const trade = await client.vaultTrade({ network: "base", pool, from: "USDC", to: "DAI", amount: "1" })
  const { sold, tx_hash } = await trade.outcome()
  return { sold: sold.amount, hash: tx_hash }
})()`

/** Type-checks the examples of the documents in a project that has the package. */
const checkExamples = (project: string) => {
  const documents = ["README.md", "../../docs/clients.md"].map((path) => Path.join(packageFolder, path))
  const files = documents.flatMap((document, index) => {
    const examples = Array.from(
      Fs.readFileSync(document, "utf8").matchAll(/^```ts\n([^]*?)^```$/gm),
      ([, code]) => code
    )
    assert.isNotEmpty(examples, document)
    return examples.map((code, at) => {
      const file = `example-${index}-${at}.ts`
      Fs.writeFileSync(Path.join(project, file), `declare const process: { env: Record<string, string> }\n${code}`)
      return file
    })
  })
  const flags = [
    "--noEmit",
    "--strict",
    "--module",
    "nodenext",
    "--target",
    "es2022",
    "--lib",
    "es2022,dom"
  ]
  const { stdout } = spawnSync(process.execPath, [tool("typescript/bin/tsc"), ...flags, ...files], { cwd: project })
  assert.strictEqual(String(stdout), "")
}

layer(held, { timeout: slow, excludeTestServices: true })("the clients", (it) => {
  it.effect("the packed package trades after an installation in an empty folder", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const { inBun, inNode } = yield* Effect.promise(() =>
        inTemporaryFolder(async (folder) => {
          const { tarball } = await build(folder)
          const project = Path.join(folder, "project")
          Fs.mkdirSync(project)
          Fs.writeFileSync(Path.join(project, "package.json"), "{\"type\":\"module\"}")
          Fs.writeFileSync(Path.join(project, "trade.js"), program)
          await execute("npm", ["install", "--offline", "--no-audit", "--no-fund", tarball], { cwd: project })
          assert.deepStrictEqual(
            Fs.readdirSync(Path.join(project, "node_modules")).filter((name) => !name.startsWith(".")),
            [
              "@vault-trader"
            ]
          )
          checkExamples(project)
          const env = { PATH: process.env["PATH"], URL: baseUrl, KEY: apiKey, POOL: pool }
          const runIn = (runtime: string) => execute(runtime, ["trade.js"], { cwd: project, env })
          return { inNode: await runIn(process.execPath), inBun: hasBun ? await runIn(bun) : undefined }
        })
      )
      for (const { stderr, stdout } of inBun === undefined ? [inNode] : [inNode, inBun]) {
        const { assets, code, planned, sold, tx_hash } = JSON.parse(stdout.split("\n")[0] ?? "")
        assert.includeMembers(assets, ["USDC", "WETH"])
        assert.deepStrictEqual([planned, sold, code], ["uniswapV3", "1", "1009"])
        assert.strictEqual((yield* OnChain.receipt(network, tx_hash)).from, address)
        assert.notInclude(stdout + stderr, apiKey)
      }
    }), slow)

  it.effect("the packed package trades from a page of a browser", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const running = yield* browser
      // The policy of the service's pages allows no script but their own; the package's is the test's.
      const page = yield* Effect.promise(async () => (await running.newContext({ bypassCSP: true })).newPage())
      const outcome = yield* Effect.promise(() =>
        inTemporaryFolder(async (folder) => {
          const { built } = await build(folder)
          await page.route("**/packed/**", (route) =>
            route.fulfill({
              contentType: "text/javascript",
              body: Fs.readFileSync(
                Path.join(built, "dist", new URL(route.request().url()).pathname.slice("/packed".length))
              )
            }))
          await page.goto(`${baseUrl}/health`)
          return page.evaluate<{ readonly sold: string; readonly hash: Hash }>(inPage({ apiKey, pool, url: baseUrl }))
        })
      )
      assert.strictEqual(outcome.sold, "1")
      assert.strictEqual((yield* OnChain.receipt(network, outcome.hash)).from, address)
      // The key travels in a header, so that no address has it.
      assert.notInclude(page.url(), apiKey)
    }).pipe(Effect.scoped), slow)

  it.effect(
    "a trade whose answer is lost is repeated under its key and moves funds once",
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const { address, apiKey, pool } = yield* trader()
        const proxy = yield* droppingProxy(baseUrl)
        const before = yield* ledger
        const usdc = yield* OnChain.balanceOf(network, "USDC", pool)
        const client = new VaultTrader({ url: proxy.url, apiKey })
        const outcome = yield* Effect.promise(async () =>
          (await client.vaultTrade({ network, pool, from: "USDC", to: "DAI", amount: "1" })).outcome()
        )
        assert.strictEqual(proxy.connections(), 2)
        assert.deepStrictEqual([outcome.sold.symbol, outcome.sold.amount], ["USDC", "1"])
        assert.strictEqual(usdc - (yield* OnChain.balanceOf(network, "USDC", pool)), 1_000_000n)
        assert.strictEqual(yield* OnChain.transactionCount(network, address), 1)
        assert.strictEqual((yield* ledger).intents, before.intents + 1)
      }).pipe(Effect.scoped),
    slow
  )

  it.effect("a pending trade is awaited by its handle, and by its id", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const { apiKey, pool } = yield* trader()
      const { hold } = yield* RpcHold
      const client = new VaultTrader({ url: baseUrl, apiKey })
      const { release } = yield* hold({
        network,
        when: (asked, moment) => Effect.succeed(moment === "before the node" && sends(asked))
      })
      const trade = yield* Effect.promise(() =>
        client.vaultTrade({ network, pool, from: "USDC", to: "DAI", amount: "2" })
      )
      assert.strictEqual(trade.status, "pending")
      yield* release
      const outcome = yield* Effect.promise(() => trade.outcome())
      assert.deepStrictEqual([trade.status, outcome.sold.amount], ["success", "2"])
      const followed = yield* Effect.promise(() => client.followIntent(String(trade.intentId)))
      assert.deepStrictEqual([followed.txHash, followed.result["venue"]], [outcome.tx_hash, outcome.venue])
      const events = client.events({ since: new Date(0) })
      const { done, value } = yield* Effect.promise(() => events.next())
      assert.isFalse(done)
      assert.deepInclude(value, { endpoint: "vaultTrade", status: "success", tx_hash: outcome.tx_hash })
      const failure = yield* Effect.promise(() =>
        client.vaultTrade({ network, pool, from: "USDC", to: "DAI", amount: "1000000000" }).catch((error: unknown) =>
          error
        )
      )
      assert.instanceOf(failure, VaultTraderError)
      assert.deepInclude(failure, { code: "2002", errorType: "insufficient_balance" })
    }).pipe(Effect.scoped), slow)

  it.effect.skipIf(!hasPython)(
    "the Python client passes its tests, against this service too",
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const { address, apiKey, pool } = yield* trader()
        const { stderr } = yield* Effect.promise(() =>
          execute("python3", ["-W", "error", "-m", "unittest", "discover", "-s", "tests", "-t", "."], {
            cwd: Path.join(packageFolder, "../../clients/python"),
            env: {
              PATH: process.env["PATH"],
              PYTHONDONTWRITEBYTECODE: "1",
              VAULT_TRADER_URL: baseUrl,
              VAULT_TRADER_API_KEY: apiKey,
              VAULT_TRADER_POOL: pool
            }
          })
        )
        // Without the service, "OK (skipped=6)".
        assert.match(stderr, /\nOK\n/)
        // A trade, one for asyncio, and the one whose answer was lost.
        assert.strictEqual(yield* OnChain.transactionCount(network, address), 3)
      }),
    slow
  )

  it.effect.skipIf(!hasR)("the R client passes its tests, against this service too", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const { address, apiKey, pool } = yield* trader()
      const { stdout } = yield* Effect.promise(() =>
        inTemporaryFolder(async (library) => {
          const folder = Path.join(packageFolder, "../../clients/r")
          await execute("R", ["CMD", "INSTALL", "--no-docs", `--library=${library}`, folder])
          return execute("Rscript", ["--vanilla", Path.join(folder, "tests/client.R")], {
            env: {
              PATH: process.env["PATH"],
              R_LIBS: library,
              VAULT_TRADER_URL: baseUrl,
              VAULT_TRADER_API_KEY: apiKey,
              VAULT_TRADER_POOL: pool
            }
          })
        })
      )
      assert.include(stdout, "passed 8")
      // A trade, and the one whose first answer was lost.
      assert.strictEqual(yield* OnChain.transactionCount(network, address), 2)
    }), slow)
})
