import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { execFileSync, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { until } from "@vault-trader/testing/harness/Until"

const handover = fileURLToPath(new URL("../handover.mjs", import.meta.url))

/** A Node on this machine that is too old for the service; undefined when no such Node exists. */
const oldNode = (process.env["PATH"] ?? "").split(delimiter).map((folder) => join(folder, "node")).filter(existsSync)
  .find((program) => {
    const version = execFileSync(program, ["-p", "process.versions.node"], { encoding: "utf8" })
    return Number.parseInt(version, 10) < 22
  })

/** Prints which Node runs it, then does what `last` says. */
const program = (last: string, first: string) => `
  import { handOver } from ${JSON.stringify(handover)}
  await handOver()
  ${first}
  const [path] = process.env.PATH.split(${JSON.stringify(delimiter)})
  console.log(JSON.stringify({ version: process.versions.node, pid: process.pid, argv: process.argv.slice(2), path }))
  ${last}
`

const started = (last: string, first = "") =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const folder = mkdtempSync(join(tmpdir(), "vault-trader-test-"))
      writeFileSync(join(folder, "program.mjs"), program(last, first))
      const child = spawn(oldNode!, [join(folder, "program.mjs"), "one", "two words"], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      const exit = once(child, "exit") as Promise<[number | null, NodeJS.Signals | null]>
      const [line] = await once(createInterface(child.stdout), "line") as [string]
      return {
        folder,
        child,
        exit,
        said: JSON.parse(line) as {
          readonly version: string
          readonly pid: number
          readonly argv: ReadonlyArray<string>
          readonly path: string
        }
      }
    }),
    ({ child, folder }) =>
      Effect.sync(() => {
        child.kill("SIGKILL")
        rmSync(folder, { recursive: true })
      })
  )

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe.runIf(oldNode !== undefined)("on a Node that is too old", () => {
  it.live("a command continues in the packaged one, with its arguments and with that Node first on the PATH, and ends with its code", () =>
    Effect.gen(function*() {
      const { exit, said } = yield* started("process.exit(7)")
      assert.strictEqual(Number.parseInt(said.version, 10), 24)
      assert.deepStrictEqual(said.argv, ["one", "two words"])
      assert.isTrue(existsSync(join(said.path, "node")))
      assert.deepStrictEqual(yield* Effect.promise(() => exit), [7, null])
    }))

  it.live("a command gets the signals that its first process gets", () =>
    Effect.gen(function*() {
      const { child, exit } = yield* started(
        "setInterval(() => {}, 1000)",
        "process.on('SIGTERM', () => process.exit(3))"
      )
      child.kill("SIGTERM")
      assert.deepStrictEqual(yield* Effect.promise(() => exit), [3, null])
    }))

  it.live("a command ends by the signal that ended it", () =>
    Effect.gen(function*() {
      const { exit } = yield* started("process.kill(process.pid, 'SIGKILL')")
      assert.deepStrictEqual(yield* Effect.promise(() => exit), [null, "SIGKILL"])
    }))

  it.live("a command ends when its first process was killed", () =>
    Effect.gen(function*() {
      const { child, exit, said } = yield* started("setInterval(() => {}, 1000)")
      child.kill("SIGKILL")
      yield* Effect.promise(() => exit)
      yield* until("the command to end", Effect.sync(() => isAlive(said.pid) ? undefined : true))
    }))

  it("without the packaged one the message names the Node to install", () => {
    const folder = mkdtempSync(join(tmpdir(), "vault-trader-test-"))
    mkdirSync(join(folder, "scripts"))
    for (const name of ["handover.mjs", "install.mjs"]) {
      copyFileSync(join(import.meta.dirname, "..", name), join(folder, "scripts", name))
    }
    writeFileSync(
      join(folder, "program.mjs"),
      `import { handOver } from "./scripts/handover.mjs"\nawait handOver()\nconsole.log("went on")`
    )
    const { status, stderr, stdout } = spawnSync(oldNode!, [join(folder, "program.mjs")], { encoding: "utf8" })
    rmSync(folder, { recursive: true })
    assert.deepStrictEqual({ status, stdout }, { status: 1, stdout: "" })
    assert.match(
      stderr,
      /^Vault Trader needs Node 22\.19 or newer; this is Node \d+\.\d+\.\d+, and no packaged Node for \S+ is installed\. Install Node 24,.*start again\.\n$/
    )
  })
})
