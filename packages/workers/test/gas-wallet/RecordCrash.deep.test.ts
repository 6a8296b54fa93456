import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { type ChildProcess, spawn, spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as RecordFolder from "../../src/gas-wallet/RecordFolder.ts"

const slow = 300_000
const program = Path.join(import.meta.dirname, "RecordingProcess.ts")

const temporary = Effect.acquireRelease(
  Effect.sync(() => Path.join(Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-record-")), "record")),
  (folder) => Effect.sync(() => Fs.rmSync(Path.dirname(folder), { recursive: true, force: true }))
)

interface Recording {
  readonly child: ChildProcess
  readonly output: () => string
}

/** Starts a process that ends with the scope. */
const started = (command: string, ...words: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync((): Recording => {
      const child = spawn(command, words, { stdio: ["ignore", "pipe", "pipe"] })
      let output = ""
      for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += String(bytes)))
      return { child, output: () => output }
    }),
    ({ child }) => Effect.sync(() => child.kill("SIGKILL"))
  )

/** Waits until a process has printed something that the pattern finds. */
const printed = ({ child, output }: Recording, pattern: RegExp): Effect.Effect<void> =>
  Effect.promise(() =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (pattern.test(output())) resolve()
        else if (child.exitCode !== null) reject(new Error(`it ended: ${output().slice(-2000)}`))
      }
      child.stdout?.on("data", look)
      child.on("exit", look)
      look()
    })
  )

/** Returns the nonces that a process has reported as durable; its last line may be incomplete. */
const durable = (output: string): ReadonlyArray<number> =>
  [...output.matchAll(/^durable (\d+)\n/gm)].map(([, nonce]) => Number(nonce))

/** Verifies the record and returns the recorded nonces. */
const recorded = (folder: string) =>
  Effect.map(RecordFolder.read(folder), ({ index }) => new Set([...index.all].map(({ nonce }) => Number(nonce))))

describe("a process that records transactions", () => {
  it.live(
    "loses none that it reported, however often it is killed in the middle of appends",
    () =>
      Effect.gen(function*() {
        const folder = yield* temporary
        const reported = new Set<number>()
        for (let life = 0; life < 12; life++) {
          const first = life * 1_000_000
          const recording = yield* started(process.execPath, program, folder, String(first))
          yield* printed(recording, new RegExp(`durable ${first + 100 + 37 * life}\n`))
          const ended = new Promise((resolve) => recording.child.once("close", resolve))
          recording.child.kill("SIGKILL")
          yield* Effect.promise(() => ended)
          for (const nonce of durable(recording.output())) reported.add(nonce)
          const found = yield* recorded(folder)
          assert.deepStrictEqual([...reported].filter((nonce) => !found.has(nonce)), [], `life ${life}`)
        }
        assert.isAbove(Fs.readdirSync(folder).filter((name) => name.endsWith(".record")).length, 1)
      }),
    slow
  )

  it.live(
    "stops at a full disk with an unbroken record, and continues by itself when there is space",
    () =>
      Effect.gen(function*() {
        const folder = yield* temporary
        // The kernel refuses writes beyond this size, as it does on a full disk.
        const limited = `trap '' XFSZ; ulimit -S -f 100; exec "$0" "$@"`
        const recording = yield* started("bash", "-c", limited, process.execPath, program, folder)
        yield* printed(recording, /^unwritable$/m)
        const atLimit = durable(recording.output())
        assert.isAbove(atLimit.length, 10)
        const found = yield* recorded(folder)
        assert.deepStrictEqual(atLimit.filter((nonce) => !found.has(nonce)), [])
        const lifted = spawnSync("prlimit", ["--pid", String(recording.child.pid), "--fsize=unlimited"])
        assert.strictEqual(lifted.status, 0, String(lifted.stderr))
        yield* printed(recording, /^unwritable\n(.*\n)*ok\n(.*\n)*durable/m)
        const ended = new Promise((resolve) => recording.child.once("close", resolve))
        recording.child.kill("SIGKILL")
        yield* Effect.promise(() => ended)
        const after = yield* recorded(folder)
        assert.deepStrictEqual(durable(recording.output()).filter((nonce) => !after.has(nonce)), [])
      }),
    slow
  )
})
