import { assert, describe, it, layer } from "@effect/vitest"
import { Client } from "@modelcontextprotocol/sdk/client/index.js"
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js"
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js"
import { ledger, Running, running, temporaryFolder, trader, wallet } from "@vault-trader/testing/harness/Harness"
import { refused as refusedByService, succeeded } from "@vault-trader/testing/harness/Answers"
import * as OnChain from "@vault-trader/testing/harness/OnChain"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { listening } from "./McpServer.ts"

type Fields = Readonly<Record<string, unknown>>

const network = "base"
const unusedKey = "11111111-2222-4333-8444-555555555555"

interface Called {
  readonly isError: boolean
  readonly content: Fields
  readonly text: string
}

/** Starts `vault-trader mcp` as a client does, and connects to it. The process ends with the scope. */
const agent = (env: Readonly<Record<string, string>>, ...words: ReadonlyArray<string>) =>
  Effect.gen(function*() {
    const output: Array<string> = []
    const { client, transport } = yield* Effect.acquireRelease(
      Effect.promise(async () => {
        const transport = new StdioClientTransport({
          command: process.execPath,
          args: [ServiceProcess.programFile, "mcp", ...words],
          env: { PATH: process.env["PATH"] ?? "", ...env },
          stderr: "pipe"
        })
        transport.stderr?.on("data", (chunk: Buffer) => output.push(chunk.toString()))
        const client = new Client({ name: "test", version: "1" })
        await client.connect(transport, { timeout: 120_000 })
        return { client, transport }
      }),
      ({ client }) => Effect.promise(() => client.close())
    )
    const heard = <A>(request: () => Promise<A>): Effect.Effect<A> =>
      Effect.tap(Effect.promise(request), (answer) => Effect.sync(() => output.push(JSON.stringify(answer))))
    return {
      transport,
      client,
      heard,
      /** Everything that the process has said, over both streams. */
      said: () => output.join("\n"),
      tools: Effect.map(heard(() => client.listTools()), ({ tools }) => tools),
      call: (name: string, args: Fields) =>
        Effect.map(
          heard(() => client.callTool({ name, arguments: args }, undefined, { timeout: 120_000 })),
          (result) => ({
            isError: result.isError === true,
            content: (result.structuredContent ?? {}) as Fields,
            text: JSON.stringify(result.content)
          } satisfies Called)
        )
    }
  })

const session = (url: URL, bearer: string) =>
  Effect.acquireRelease(
    Effect.sync(() => ({
      client: new Client({ name: "test", version: "1" }),
      transport: new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { authorization: `Bearer ${bearer}` } }
      })
    })),
    ({ client }) => Effect.promise(() => client.close())
  )

const refused = ({ content, isError }: Called, code: string, saying: RegExp) => {
  assert.deepStrictEqual([isError, content["status"], content["code"]], [true, "fail", code])
  assert.match(String(content["message"]), saying)
  assert.match(String(content["next_step"]), /\w/)
}

layer(running(), { timeout: 120_000, excludeTestServices: true })("vault-trader mcp", (it) => {
  it.effect(
    "by default lists reads only, answers them, its resources and its prompts, and refuses a trade",
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const by = yield* trader()
        const folder = yield* temporaryFolder
        const file = Path.join(folder, "key")
        Fs.writeFileSync(file, `${by.apiKey}\n`, { mode: 0o600 })
        const { call, client, heard, said, tools } = yield* agent({}, "--url", baseUrl, "--key-file", file)
        const listed = yield* tools
        assert.include(listed.map(({ name }) => name), "poolComposition")
        assert.isTrue(listed.every(({ annotations }) => annotations?.readOnlyHint))

        const about = { network, pool: by.pool }
        const { content, isError } = yield* call("poolComposition", about)
        assert.deepStrictEqual([isError, content["status"]], [false, "success"])
        assert.isNotEmpty(content["composition"])
        const before = yield* ledger
        refused(
          yield* call("vaultTrade", { ...about, from: "USDC", to: "DAI", amount: "1" }),
          "unknown_tool",
          /--allow trade/
        )
        assert.deepStrictEqual(yield* ledger, before)
        refused(yield* call("poolComposition", { network, pool: "0x1" }), "1004", /pool/)

        const { resources } = yield* heard(() => client.listResources())
        const uris = resources.map(({ uri }) => uri)
        const own = ["vaults", "bots", "intents"].map((path) => `vault-trader://${path}`)
        assert.includeMembers(uris, [...own, "vault-trader://docs/api.md"])
        for (const uri of own) {
          const { contents: [found] } = yield* heard(() => client.readResource({ uri }))
          assert.include(found !== undefined && "text" in found ? found.text : "", `"status": "success"`)
        }
        const { prompts } = yield* heard(() => client.listPrompts())
        const args = {
          network,
          pool: by.pool,
          targets: "WETH 60, USDC 40",
          max_slippage: "0.5",
          asset: "ETH",
          percent: "20"
        }
        for (const { name } of prompts) {
          const { messages } = yield* heard(() => client.getPrompt({ name, arguments: args }))
          assert.include(JSON.stringify(messages), by.pool)
        }
        assert.notInclude(said(), by.apiKey)
      }),
    240_000
  )

  it.effect(
    "with --allow trade shows a plan, and executes it once however often it is confirmed",
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const by = yield* trader()
        const env = { VAULT_TRADER_API_KEY: by.apiKey }
        const { call, said, tools } = yield* agent(env, "--url", baseUrl, "--allow", "trade", "--pools", by.pool)
        assert.include((yield* tools).map(({ name }) => name), "vaultTrade")

        const args = { network, pool: by.pool, from: "USDC", to: "DAI", amount: "12.5" }
        const state = Effect.all({
          count: OnChain.transactionCount(network, by.address),
          usdc: OnChain.balanceOf(network, "USDC", by.pool)
        })
        const before = yield* state
        const { content: plan, isError } = yield* call("vaultTrade", args)
        assert.deepStrictEqual([isError, plan["status"], plan["dryRun"]], [false, "confirmation_required", true])
        const confirmation = plan["confirmation"]
        refused(
          yield* call("vaultTrade", { ...args, amount: "12.6", confirmation }),
          "confirmation_refused",
          /for another call.*Nothing was sent/
        )
        assert.deepStrictEqual(yield* state, before)

        const confirmed = yield* call("vaultTrade", { ...args, confirmation })
        assert.deepStrictEqual([confirmed.isError, confirmed.content["status"]], [false, "success"], confirmed.text)
        const id = String(confirmed.content["intent_id"])
        refused(
          yield* call("vaultTrade", { ...args, confirmation }),
          "confirmation_refused",
          new RegExp(`was used.*${id}`)
        )
        const after = yield* state
        assert.deepStrictEqual([after.count - before.count, before.usdc - after.usdc], [1, 12_500_000n])

        const elsewhere = "0x1111111111111111111111111111111111111111"
        refused(yield* call("vaultTrade", { ...args, pool: elsewhere }), "refused_here", /--pools.*Nothing was sent/)
        refused(yield* call("lend", { network, pool: by.pool, asset: "USDC" }), "unknown_tool", /--allow lend/)
        assert.notInclude(said(), by.apiKey)
      }),
    240_000
  )
})

layer(running(), { timeout: 120_000, excludeTestServices: true })("vault-trader mcp with a sub-key", (it) => {
  it.effect(
    "is refused a trade by a sub-key without a scope, and trades with one that has it, within its maximums",
    () =>
      Effect.gen(function*() {
        const { ask, baseUrl } = yield* Running
        const by = yield* trader()
        const make = (bounds: Fields) =>
          Effect.map(
            ask("/createSubKey", { json: { apiKey: by.apiKey, ...bounds } }),
            (answer) => String(succeeded(answer)["apiKey"])
          )
        const vaults = [`${network}/${by.pool}`]
        const reader = yield* make({ label: "reader" })
        const scoped = yield* make({ scopes: ["trade"], vaults, max_usd_per_trade: "20", max_usd_per_day: "30" })
        const args = { network, pool: by.pool, from: "USDC", to: "DAI", amount: "12.5" }
        const allowed = ["--url", baseUrl, "--allow", "trade"]

        const reading = yield* agent({ VAULT_TRADER_API_KEY: reader }, ...allowed)
        const { isError } = yield* reading.call("poolComposition", { network, pool: by.pool })
        assert.isFalse(isError)
        refused(yield* reading.call("vaultTrade", args), "1002", /needs the scope trade; it has none and only reads/)

        const trading = yield* agent({ VAULT_TRADER_API_KEY: scoped }, ...allowed)
        refused(yield* trading.call("vaultTrade", { ...args, amount: "25" }), "2013", /may sell 20 USD at a time/)
        const { content: plan } = yield* trading.call("vaultTrade", args)
        const traded = yield* trading.call("vaultTrade", { ...args, confirmation: plan["confirmation"] })
        assert.deepStrictEqual([traded.isError, traded.content["status"]], [false, "success"], traded.text)
        refused(yield* trading.call("vaultTrade", { ...args, amount: "19" }), "2013", /of which 17\.\d+ USD are left/)
        // Without the dry run the plan refuses it, too.
        const asked = { ...args, amount: "19", apiKey: scoped }
        const { fields } = yield* ask("/vaultTrade", { json: asked })
        assert.match(
          `${String(fields["status_code"])} ${String(fields["message"])}`,
          /2013.*of which 17\.\d+ USD are left/
        )
        // The wallet's own key is not bounded by it.
        succeeded(yield* ask("/vaultTrade", { json: { ...asked, apiKey: by.apiKey } }))

        // The wallet's limits and the end of its key apply to the sub-key.
        succeeded(yield* ask("/setKeyLimits", { json: { apiKey: by.apiKey, max_usd_per_trade: "5" } }))
        refused(yield* trading.call("vaultTrade", args), "2013", /may sell 5 USD at a time/)
        refusedByService(yield* ask("/createSubKey", { json: { apiKey: scoped } }), "1002", /no sub-key may/)
        succeeded(yield* ask("/getNewApiKey", { json: { privateKey: by.privateKey, keep: true } }))
        refused(yield* trading.call("vaultTrade", args), "1002", /unknown or revoked/)
        for (const said of [reading.said(), trading.said()]) {
          assert.notInclude(said, reader)
          assert.notInclude(said, scoped)
        }
      }),
    240_000
  )
})

layer(running(), { timeout: 120_000, excludeTestServices: true })("vault-trader mcp --http", (it) => {
  it.effect(
    "serves each session with its own key, and none whose key the service does not know",
    () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const url = yield* listening(baseUrl)
        for (const by of [yield* wallet, yield* wallet]) {
          const { client, transport } = yield* session(url, by.apiKey)
          yield* Effect.promise(() => client.connect(transport as Transport))
          const result = yield* Effect.promise(() => client.callTool({ name: "getGasWalletPools", arguments: {} }))
          assert.deepInclude(result.structuredContent, { status: "success", address: by.address })
        }
        const { client, transport } = yield* session(url, unusedKey)
        const failure = yield* Effect.flip(Effect.tryPromise(() => client.connect(transport as Transport)))
        assert.match(String(failure.cause), /Unauthorized|401|does not accept this API key/)
      }),
    240_000
  )
})

describe("vault-trader mcp", () => {
  it.effect("without a service says so, with the next step", () =>
    Effect.gen(function*() {
      const url = `http://127.0.0.1:${yield* ServiceProcess.freePort}`
      const { call, said } = yield* agent({ VAULT_TRADER_API_KEY: unusedKey }, "--url", url)
      refused(yield* call("getGasBalance", { network }), "no_answer", new RegExp(`${url} did not answer`))
      assert.notInclude(said(), unusedKey)
    }), 120_000)

  it.effect(
    "refuses a key file that others can read, and a scope that there is not, before it speaks the protocol",
    () =>
      Effect.gen(function*() {
        const folder = yield* temporaryFolder
        const open = Path.join(folder, "open")
        Fs.writeFileSync(open, unusedKey)
        Fs.chmodSync(open, 0o644)
        const cases = [
          [["--key-file", open], 1, /open to other accounts.*\(mode 0644\): run chmod 600/],
          [["--allow", "trade,spend"], 2, /--allow: expected all, or a list of .*trade, .*, not 'trade,spend'/]
        ] as const
        yield* Effect.forEach(cases, ([words, code, saying]) =>
          Effect.gen(function*() {
            const ended = yield* ServiceProcess.toItsEnd({}, "mcp", ...words)
            assert.deepStrictEqual([ended.code, ended.stdout], [code, ""], ended.stderr)
            assert.match(ended.stderr, saying)
            assert.notInclude(ended.stderr, unusedKey)
          }), { concurrency: 2 })
      }),
    120_000
  )
})
