import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as IntentTrace from "../../src/telemetry/IntentTrace.ts"
import { named, recorded } from "./TestTracer.ts"

const intent = (name: string) => `01a1fe00-0000-7000-8000-${name.padStart(12, "0")}`
const request = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.withSpan(effect, "request", { kind: "server" })

describe("IntentTrace", () => {
  it.effect("puts later work for an intent into the trace of its request, in any fiber", () =>
    Effect.gen(function*() {
      const id = intent("a")
      const spans = yield* recorded(Effect.gen(function*() {
        yield* request(IntentTrace.join(id)(Effect.void))
        yield* IntentTrace.span("carryOut", id)(Effect.void)
        yield* IntentTrace.span("sign", `${id}/1`)(Effect.void)
      }))
      const { spanId, traceId } = named(spans, "request")
      for (const name of ["carryOut", "sign"]) {
        const { attributes, parent, traceId: trace } = named(spans, name)
        assert.deepStrictEqual([trace, parent, attributes.get(IntentTrace.attribute)], [traceId, spanId, id])
      }
    }))

  it.effect("puts a submission's work under the span that submitted it", () =>
    Effect.gen(function*() {
      const id = intent("b")
      const spans = yield* recorded(Effect.gen(function*() {
        yield* request(Effect.andThen(
          IntentTrace.join(id)(Effect.void),
          Effect.withSpan(IntentTrace.join(`${id}/1`)(Effect.void), "submit")
        ))
        yield* IntentTrace.span("broadcast", `${id}/1`)(Effect.void)
      }))
      assert.strictEqual(named(spans, "broadcast").parent, named(spans, "submit").spanId)
    }))

  it.effect("stays with the first request when another one names the same intent", () =>
    Effect.gen(function*() {
      const id = intent("c")
      const spans = yield* recorded(Effect.gen(function*() {
        yield* request(IntentTrace.join(id)(Effect.void))
        yield* Effect.withSpan(IntentTrace.join(id)(Effect.void), "repeat", { kind: "server" })
        yield* IntentTrace.span("carryOut", id)(Effect.void)
      }))
      assert.strictEqual(named(spans, "carryOut").traceId, named(spans, "request").traceId)
    }))

  it.effect("begins one new trace, with the intent's id, for an intent that was not requested in this process", () =>
    Effect.gen(function*() {
      const id = intent("d")
      const spans = yield* recorded(Effect.gen(function*() {
        // It is woken by an internal watch, which is not recorded.
        yield* Effect.withSpan(IntentTrace.join(id)(Effect.void), "watch")
        yield* Effect.forEach(["broadcast", "mined"], (name) => IntentTrace.span(name, `${id}/1`)(Effect.void))
      }))
      assert.deepStrictEqual(spans.map(({ name }) => name), ["broadcast", "mined"])
      const [broadcast, mined] = [named(spans, "broadcast"), named(spans, "mined")]
      assert.deepStrictEqual([broadcast.parent, mined.parent], [undefined, broadcast.spanId])
      assert.deepStrictEqual(spans.map(({ attributes }) => attributes.get(IntentTrace.attribute)), [id, id])
    }))

  it.effect("gives each of several intents a span of their common work, and the inner spans to none", () =>
    Effect.gen(function*() {
      const [one, other] = [intent("e1"), intent("e2")]
      const spans = yield* recorded(Effect.gen(function*() {
        for (const id of [one, other]) yield* Effect.withSpan(IntentTrace.join(id)(Effect.void), id, { kind: "server" })
        yield* IntentTrace.spans("sign", [`${one}/1`, `${other}/1`])(Effect.withSpan(Effect.void, "sql.execute"))
        yield* IntentTrace.spans("broadcast", [`${one}/1`])(Effect.withSpan(Effect.void, "rpc"))
      }))
      for (const id of [one, other]) {
        const [sign] = spans.filter(({ attributes, name }) =>
          name === "sign" && attributes.get(IntentTrace.attribute) === id
        )
        assert.strictEqual(sign?.traceId, named(spans, id).traceId)
      }
      assert.isFalse(spans.some(({ name }) => name === "sql.execute"))
      assert.strictEqual(named(spans, "rpc").traceId, named(spans, one).traceId)
    }))

  it.effect("assigns a filler to no intent", () =>
    Effect.gen(function*() {
      const spans = yield* recorded(IntentTrace.span("broadcast", "filler/base/0x01/7")(Effect.void))
      assert.isFalse(named(spans, "broadcast").attributes.has(IntentTrace.attribute))
      assert.deepStrictEqual(IntentTrace.annotations("filler/base/0x01/7"), {})
    }))

  it.effect("names the intent in log lines even when nothing is traced", () =>
    Effect.gen(function*() {
      const seen: Array<unknown> = []
      const logger = Logger.map(Logger.formatStructured, ({ annotations }) => void seen.push(annotations))
      yield* IntentTrace.span("carryOut", intent("f"))(Effect.log("hello")).pipe(
        Effect.withTracerEnabled(false),
        Effect.provide(Logger.layer([logger]))
      )
      assert.deepStrictEqual(seen, [{ [IntentTrace.attribute]: intent("f") }])
    }))
})
