import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as JsonPatch from "effect/JsonPatch"
import * as Queue from "effect/Queue"
import type * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import * as FastCheck from "fast-check"
import * as LastAnswers from "../../src/console/LastAnswers.ts"
import { follow } from "../../src/console/LiveStreams.ts"
import { holds } from "../Properties.ts"

/** Collects the items of a stream whose reads have these answers in turn. */
const emitted = (answers: ReadonlyArray<unknown>, takesPatches = true) =>
  Effect.gen(function*() {
    const left = [...answers]
    const changed = yield* Queue.unbounded<void>()
    yield* Queue.offerAll(changed, answers.map(() => undefined))
    const stream = follow({
      ...{ changed, takesPatches },
      load: Effect.sync(() => left.shift()),
      textOf: (data) => Effect.succeed(JSON.stringify(data)),
      last: LastAnswers.make().of({ manager: "0x0", network: null, name: "bots", payload: {} })
    })
    return yield* Stream.runCollect(Stream.take(stream, answers.length))
  })

const bot = (index: number, decision: string) => ({
  pair: `PAIR-${index}`,
  decision,
  reason: "The price is as before."
})
const bots = (decision: string, count = 100) =>
  Array.from({ length: count }, (_, index) => bot(index, index === 42 ? decision : "hold"))

describe("a stream of a long answer", () => {
  it.effect("sends the whole of it once, and then what changed", () =>
    Effect.gen(function*() {
      const [whole, same, changed] = yield* emitted([bots("hold"), bots("hold"), bots("buy")])
      assert.deepStrictEqual(whole, { data: bots("hold") })
      assert.deepStrictEqual(same, {})
      assert.deepStrictEqual(changed, { patch: [{ op: "replace", path: "/42/decision", value: "buy" }] })
    }))

  it.effect("sends the whole of it again to a page that takes no patches, and where most of it changed", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual(yield* emitted([bots("hold"), bots("buy")], false), [
        { data: bots("hold") },
        { data: bots("buy") }
      ])
      // A row before all others moves each of them.
      const moved = [bot(1_000, "sell"), ...bots("hold")]
      assert.deepStrictEqual((yield* emitted([bots("hold"), moved]))[1], { data: moved })
      assert.deepStrictEqual((yield* emitted([bots("hold", 3), bots("hold", 2)]))[1], { data: bots("hold", 2) })
    }))

  const rows = FastCheck.array(FastCheck.jsonValue({ maxDepth: 3 }), { maxLength: 4 })
  it.effect("is followed by patches that make exactly the next answer", () =>
    holds(FastCheck.array(rows, { minLength: 2, maxLength: 5 }), (each) =>
      Effect.gen(function*() {
        // Long enough for every change to be a patch.
        const padding = "x".repeat(20_000)
        const answers = each.map((all) => JSON.parse(JSON.stringify({ padding, rows: all })) as Schema.Json)
        let current: Schema.Json = null
        for (const [index, { data, patch }] of (yield* emitted(answers)).entries()) {
          if (patch !== undefined) current = JsonPatch.apply(patch, current)
          else if (index === 0) current = data as Schema.Json
          else assert.isUndefined(data)
          assert.deepStrictEqual(current, answers[index])
        }
      }), { numRuns: 200 }))
})
