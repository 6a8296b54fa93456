import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import * as Confirmation from "../src/Confirmation.ts"

const call = { tool: "vaultTrade", args: { from: "USDC", to: "WETH", nested: { a: [1, 2], b: "x" } } }
const message = (effect: Effect.Effect<string, Confirmation.Unconfirmed>) =>
  Effect.match(effect, { onFailure: (refused) => refused.message, onSuccess: (key) => `accepted ${key}` })

describe("a confirmation", () => {
  it.effect("is accepted for its own arguments in any order, again with the same key until it is answered, then never", () =>
    Effect.gen(function*() {
      const { accept, end, issue } = yield* Confirmation.make
      const token = yield* issue(call)
      const key = yield* accept(token, call)
      const { nested, ...rest } = call.args
      const reordered = { tool: call.tool, args: { nested: { b: nested.b, a: nested.a }, ...rest } }
      assert.strictEqual(yield* accept(token, reordered), key)
      assert.notInclude(key, token)
      yield* end(token, "the call succeeded.")
      assert.match(yield* message(accept(token, call)), /was used: the call succeeded/)
      assert.notStrictEqual(yield* Effect.flatMap(issue(call), (next) => accept(next, call)), key)
    }))

  it.effect("is refused for other arguments, another tool, and when it is unknown", () =>
    Effect.gen(function*() {
      const { accept, issue } = yield* Confirmation.make
      const token = yield* issue(call)
      for (
        const other of [
          { ...call, tool: "approve" },
          { ...call, args: { ...call.args, to: "DAI" } },
          { ...call, args: { ...call.args, amount: "1" } },
          { ...call, args: { ...call.args, nested: { a: [2, 1], b: "x" } } },
          { ...call, args: {} }
        ]
      ) assert.match(yield* message(accept(token, other)), /for another call/)
      assert.match(yield* message(accept(`${token}x`, call)), /not known/)
      assert.match(yield* message((yield* Confirmation.make).accept(token, call)), /not known/)
      assert.match(yield* message(accept(token, call)), /^accepted mcp-[0-9a-f]{40}$/)
    }))

  it.effect("expires after five minutes, and says so differently when its call was sent", () =>
    Effect.gen(function*() {
      const { accept, issue } = yield* Confirmation.make
      const [unsent, sent] = [yield* issue(call), yield* issue(call)]
      yield* TestClock.adjust(Duration.subtract(Confirmation.validFor, Duration.millis(1)))
      yield* accept(sent, call)
      yield* TestClock.adjust(Duration.millis(1))
      assert.match(yield* message(accept(unsent, call)), /expired.*Nothing was sent/)
      assert.match(yield* message(accept(sent, call)), /expired.*may have been executed: check getIntents/)
    }))
})
