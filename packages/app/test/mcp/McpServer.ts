/** Starts the MCP server over HTTP for tests. */
import { programFile } from "@vault-trader/testing/harness/ServiceProcess"
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"

/** Starts `vault-trader mcp --http` on a free port, and returns its URL once it listens. Ends with the scope. */
export const listening = (service: string) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.sync(() => {
        const child = spawn(process.execPath, [programFile, "mcp", "--http", "127.0.0.1:0", "--url", service], {
          env: { PATH: process.env["PATH"] ?? "" },
          stdio: ["ignore", "pipe", "inherit"]
        })
        const line = new Promise<string>((resolve, reject) => {
          child.stdout.setEncoding("utf8").once("data", resolve)
          child.once("exit", () => reject(new Error("it ended before it listened")))
        })
        return { child, line }
      }),
      ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
    ).pipe(Effect.flatMap(({ line }) => Effect.promise(() => line))),
    (line) => new URL(/http:\S+/.exec(line)?.[0] ?? "")
  )
