/** Time of command lines: the help, and the command of an endpoint with its request to a service that answers at once. */
import * as Effect from "effect/Effect"
import { execFile } from "node:child_process"
import * as Http from "node:http"
import type { AddressInfo } from "node:net"
import * as Path from "node:path"
import { type Bench, type Options, say } from "../Bench.ts"
import { root } from "../Machine.ts"
import { below, type Finding, shown } from "../Row.ts"
import { bareNode } from "./WarmStart.ts"

const script = Path.join(root, "scripts/run.mjs")

/** Returns the seconds of a command line, whose output must contain `expected`. */
const timed = (words: ReadonlyArray<string>, expected: string, env: Readonly<Record<string, string>> = {}) =>
  Effect.promise(() => {
    const began = performance.now()
    return new Promise<number>((resolve, reject) => {
      execFile(
        process.execPath,
        [script, "vault-trader", ...words],
        { env: { ...process.env, ...env } },
        (error, stdout) => {
          const seconds = (performance.now() - began) / 1000
          if (error === null && stdout.includes(expected)) resolve(seconds)
          else reject(new Error(`vault-trader ${words.join(" ")} failed: ${error?.message ?? stdout}`))
        }
      )
    })
  })

const help = timed(["--help"], "USAGE")

/** A service that answers every request at once; its URL. */
const instantService = Effect.map(
  Effect.acquireRelease(
    Effect.promise(() =>
      new Promise<Http.Server>((resolve) => {
        const server = Http.createServer((request, response) => {
          request.resume()
          response.setHeader("content-type", "application/json")
          response.end(`{"status":["success"],"balance":["1.5"],"token":["ETH"]}`)
        })
        server.listen(0, "127.0.0.1", () => resolve(server))
      })
    ),
    (server) => Effect.sync(() => server.close())
  ),
  (server) => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
)

const measure = ({ rounds = 7 }: Options) =>
  Effect.gen(function*() {
    const env = {
      VAULT_TRADER_URL: yield* instantService,
      VAULT_TRADER_API_KEY: "00000000-0000-4000-8000-000000000000",
      XDG_CONFIG_HOME: "/nonexistent"
    }
    const endpoint = timed(["get-gas-balance", "--network", "base"], "1.5", env)
    yield* help
    yield* endpoint
    const found = { help: [] as Array<number>, endpoint: [] as Array<number>, node: [] as Array<number> }
    for (let turn = 1; turn <= rounds; turn++) {
      found.help.push(yield* help)
      found.endpoint.push(yield* endpoint)
      found.node.push(yield* bareNode)
      const [first, second, third] = [found.help, found.endpoint, found.node].map((each) => shown(each.at(-1) ?? 0))
      yield* say(`  round ${turn}: ${first} s, endpoint ${second} s, node ${third} s`)
    }
    const row = (name: string, ours: ReadonlyArray<number>, note: string): Finding => ({
      name,
      unit: "s",
      rounds: ours,
      against: { what: "node -e ''", rounds: found.node },
      goal: below(0.3, " s"),
      note
    })
    return [
      row("command", found.help, "vault-trader --help, from the start of the process to its end"),
      row(
        "command/endpoint",
        found.endpoint,
        "vault-trader get-gas-balance with its request to a service that answers at once"
      )
    ]
  })

export const command: Bench = {
  rows: ["command", "command/endpoint"],
  run: (options) => Effect.scoped(measure(options))
}
