/** The MCP server under the MCP inspector's own checks: its command line client validates each answer by its schema. */
import { assert, layer } from "@effect/vitest"
import { ledger, Running, running, trader } from "@vault-trader/testing/harness/Harness"
import { programFile } from "@vault-trader/testing/harness/ServiceProcess"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import { createRequire } from "node:module"
import { listening } from "./McpServer.ts"

const inspector = createRequire(import.meta.url).resolve("@modelcontextprotocol/inspector-cli")

interface Tool {
  readonly name: string
  readonly annotations?: { readonly readOnlyHint?: boolean }
}

interface Answer {
  readonly isError?: boolean
  readonly structuredContent: Readonly<Record<string, unknown>>
}

/** Runs the inspector with these words, and returns what it prints; fails with what it says when it refuses an answer. */
const inspect = <A>(words: ReadonlyArray<string>, env: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() =>
    new Promise<A>((resolve, reject) => {
      const settings = { env: { PATH: process.env["PATH"] ?? "", ...env }, maxBuffer: 64 * 1024 * 1024 }
      execFile(process.execPath, [inspector, "--cli", ...words], settings, (error, stdout, stderr) => {
        if (error !== null) reject(new Error(`${stdout}\n${stderr}`))
        else resolve(JSON.parse(stdout) as A)
      })
    })
  )

layer(running(), { timeout: 240_000, excludeTestServices: true })("the MCP inspector", (it) => {
  for (const transport of ["stdio", "http"] as const) {
    it.effect(
      `accepts the tools, resources and prompts over ${transport}, and is refused a trade`,
      () =>
        Effect.gen(function*() {
          const { baseUrl } = yield* Running
          const { apiKey, pool } = yield* trader()
          const target = transport === "http"
            ? [(yield* listening(baseUrl)).href, "--transport", "http", "--header", `Authorization: Bearer ${apiKey}`]
            : [process.execPath, programFile, "mcp", "--url", baseUrl]
          const ask = <A>(method: string, ...words: ReadonlyArray<string>) =>
            inspect<A>([...target, "--method", method, ...words], { VAULT_TRADER_API_KEY: apiKey })
          const { tools } = yield* ask<{ readonly tools: ReadonlyArray<Tool> }>("tools/list")
          assert.include(tools.map(({ name }) => name), "poolComposition")
          assert.isTrue(tools.every(({ annotations }) => annotations?.readOnlyHint))
          const { resources } = yield* ask<{ readonly resources: ReadonlyArray<unknown> }>("resources/list")
          const { prompts } = yield* ask<{ readonly prompts: ReadonlyArray<unknown> }>("prompts/list")
          assert.isNotEmpty(resources)
          assert.isNotEmpty(prompts)
          const argumentsOf = (args: Readonly<Record<string, string>>) =>
            Object.entries(args).flatMap(([name, value]) => ["--tool-arg", `${name}=${value}`])
          const about = { network: "base", pool }
          const read = yield* ask<Answer>("tools/call", "--tool-name", "poolComposition", ...argumentsOf(about))
          assert.strictEqual(read.structuredContent["status"], "success")
          const before = yield* ledger
          const trade = { ...about, from: "USDC", to: "DAI", amount: "1" }
          const refused = yield* ask<Answer>("tools/call", "--tool-name", "vaultTrade", ...argumentsOf(trade))
          assert.deepStrictEqual([refused.isError, refused.structuredContent["status"]], [true, "fail"])
          assert.deepStrictEqual(yield* ledger, before)
        }),
      240_000
    )
  }
})
