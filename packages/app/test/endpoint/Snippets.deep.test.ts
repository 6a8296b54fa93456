import { assert, layer } from "@effect/vitest"
import { type Call, type Language, snippetOf } from "@vault-trader/core/console/Snippet"
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import { promisify } from "node:util"
import { Running, running, trader } from "@vault-trader/testing/harness/Harness"

const run = promisify(execFile)

/** R is not an npm package: `.ci/run` installs it where possible. Elsewhere core's test still checks its literals. */
const hasR = await run("Rscript", ["-e", "library(httr2); library(jsonlite)"]).then(() => true, () => false)
if (!hasR) console.warn("R with httr2 and jsonlite is not on this machine: its snippets are not run here.")

/** Commands that run each language. */
const interpreters: Readonly<Partial<Record<Language, readonly [command: string, ...args: ReadonlyArray<string>]>>> = {
  Python: ["python3", "-c"],
  ...(hasR ? { R: ["bash", "-c", "Rscript --vanilla <(printf %s \"$1\")", "R"] as const } : {}),
  JavaScript: [process.execPath, "--input-type=module", "-e"],
  curl: ["bash", "-c"]
}

const execute = (language: Language, call: Call) =>
  Effect.promise(async () => {
    const [command, ...args] = interpreters[language] ?? ["false"]
    return (await run(command, [...args, snippetOf(language, call)])).stdout
  })

/** A server that records its requests. */
const recorder = Effect.acquireRelease(
  Effect.callback<{ readonly baseUrl: string; readonly bodies: Array<unknown>; readonly server: Http.Server }>(
    (resume) => {
      const bodies: Array<unknown> = []
      const server = Http.createServer((request, response) => {
        let text = ""
        request.on("data", (chunk) => {
          text += String(chunk)
        })
        request.on("end", () => {
          bodies.push({ url: request.url, authorization: request.headers.authorization, body: JSON.parse(text) })
          response.end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () =>
        resume(
          Effect.succeed({ baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, bodies, server })
        ))
    }
  ),
  ({ server }) => Effect.sync(() => server.close())
)

const nasty = "a\"b'c\\d\ne\tf$(touch g)`h`%{i}\u2028#é😀"

layer(running(), { timeout: 240_000, excludeTestServices: true })("the console's code", (it) => {
  it.effect("says in every language exactly what the form says, whatever characters it holds", () =>
    Effect.gen(function*() {
      const { baseUrl, bodies } = yield* recorder
      const params = {
        pair: nasty,
        threshold: 1.5,
        share: 100,
        lending: true,
        paper: false,
        targets: [{ asset: nasty, weight: 60 }, { asset: "USDC", weight: 40, tolerance: 2.5 }]
      }
      for (const language of Object.keys(interpreters) as ReadonlyArray<Language>) {
        yield* execute(language, { baseUrl, endpoint: "setBot", apiKey: "key-of-test", params })
      }
      assert.deepStrictEqual(
        bodies,
        Object.keys(interpreters).map(() => ({ url: "/setBot", authorization: "Bearer key-of-test", body: params }))
      )
    }))

  it.effect("does in every language what it says, and prints the answer", () =>
    Effect.gen(function*() {
      const { baseUrl } = yield* Running
      const { apiKey, network, pool } = yield* trader()
      const call = {
        baseUrl,
        endpoint: "setBot",
        apiKey,
        params: { network, pool, pair: "WETH-USDC", side: "hold", threshold: 2, paper: true }
      }
      for (const language of Object.keys(interpreters) as ReadonlyArray<Language>) {
        assert.include(yield* execute(language, call), "The bot of WETH-USDC is set to hold", language)
        assert.include(
          yield* execute(language, { ...call, apiKey: "00000000-0000-4000-8000-000000000000" }),
          "\"status_code\":[\"1002\"]",
          language
        )
      }
      const answer = yield* Effect.promise(() =>
        fetch(snippetOf("Webhook URL", call), { method: "POST" }).then((response) => response.text())
      )
      assert.include(answer, "The bot of WETH-USDC is set to hold")
    }))
})
