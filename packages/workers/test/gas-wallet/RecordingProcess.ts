/**
 * A process that records transactions until it is killed: `node RecordingProcess.ts <folder> [first nonce]`. Prints a
 * line for each nonce once it is durable, and one for each change of the record's state.
 */
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import { SigningRecord } from "../../src/gas-wallet/SigningRecord.ts"
import { entry } from "./SigningEntries.ts"

const [, , folder = "", first = "0"] = process.argv
const say = (line: string) => Fs.writeSync(1, `${line}\n`)
const width = 16

const recording = Effect.gen(function*() {
  const { commit, status } = yield* SigningRecord
  let last = ""
  for (let nonce = Number(first);; nonce += width) {
    yield* Effect.forEach(
      Array.from({ length: width }, (_, index) => nonce + index),
      (each) =>
        commit([entry({ nonce: BigInt(each), key: `intent-${each}/0`, data: `0x${"a1".repeat(900)}` })]).pipe(
          Effect.tap(() => Effect.sync(() => say(`durable ${each}`))),
          Effect.catchTag("RecordUnwritable", () => Effect.sleep("100 millis"))
        ),
      { concurrency: "unbounded", discard: true }
    )
    const { _tag } = yield* status
    if (_tag !== last) say(_tag)
    last = _tag
  }
})

say("started")
Effect.runFork(
  Effect.tapCause(
    Effect.provide(recording, SigningRecord.layer(folder, { maxBytes: 200_000 })),
    (cause) => Effect.sync(() => say(`failed ${String(cause)}`))
  )
)
