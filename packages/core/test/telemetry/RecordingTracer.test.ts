import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Tracer from "effect/Tracer"
import * as IntentTrace from "../../src/telemetry/IntentTrace.ts"
import { named, recorded } from "./TestTracer.ts"

const request = <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.withSpan(effect, "request", { kind: "server" })

describe("RecordingTracer", () => {
  it.effect("records a request and everything inside of it", () =>
    Effect.gen(function*() {
      const spans = yield* recorded(request(Effect.withSpan(Effect.void, "sql.execute", { kind: "client" })))
      assert.deepStrictEqual(spans.map(({ name }) => name), ["sql.execute", "request"])
      assert.strictEqual(named(spans, "sql.execute").traceId, named(spans, "request").traceId)
      assert.strictEqual(named(spans, "sql.execute").parent, named(spans, "request").spanId)
    }))

  it.effect("records no internal work of a process, but the requests it causes", () =>
    Effect.gen(function*() {
      const spans = yield* recorded(
        Effect.withSpan(Effect.withSpan(request(Effect.void), "inner"), "poll", { kind: "client" })
      )
      assert.deepStrictEqual(spans.map(({ name, parent }) => ({ name, parent })), [{
        name: "request",
        parent: undefined
      }])
    }))

  it.effect("samples a request caused by internal work, and respects an external caller's decision not to sample", () =>
    Effect.gen(function*() {
      const own = yield* recorded(
        Effect.withSpan(request(Effect.withSpan(Effect.void, "execute")), "poll", { kind: "client" })
      )
      assert.deepStrictEqual(own.map(({ name, sampled }) => [name, sampled]), [["execute", true], ["request", true]])
      const parent = Tracer.externalSpan({
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
        spanId: "00f067aa0ba902b7",
        sampled: false
      })
      const strangers = yield* recorded(Effect.withSpan(Effect.void, "request", { kind: "server", parent }))
      assert.deepStrictEqual(strangers.map(({ sampled }) => sampled), [false])
    }))

  it.effect("exports the sampled share of the traces, and of the others what fails, with its ancestors", () =>
    Effect.gen(function*() {
      const sampled = (effect: Effect.Effect<unknown>, share: number) =>
        Effect.map(recorded(effect, share), (spans) => spans.flatMap((span) => span.sampled ? [span.name] : []))
      const step = Effect.withSpan(Effect.void, "step")
      assert.deepStrictEqual(yield* sampled(request(step), 1), ["step", "request"])
      assert.deepStrictEqual(yield* sampled(request(step), 0), [])
      const fails = (exit: Effect.Effect<unknown, string>) =>
        request(Effect.andThen(step, Effect.ignore(Effect.withSpan(exit, "inner"))))
      assert.deepStrictEqual(yield* sampled(fails(Effect.fail("no node")), 0), ["inner", "request"])
      assert.deepStrictEqual(yield* sampled(fails(Effect.die("a defect")).pipe(Effect.sandbox, Effect.ignore), 0), [
        "inner",
        "request"
      ])
      const attributed = (attributes: Readonly<Record<string, unknown>>) =>
        sampled(request(Effect.withSpan(Effect.void, "inner", { attributes })), 0)
      assert.deepStrictEqual(yield* attributed({ outcome: "Failed" }), ["inner", "request"])
      assert.deepStrictEqual(yield* attributed({ "http.response.status_code": 503 }), ["inner", "request"])
      assert.deepStrictEqual(yield* attributed({ outcome: "Succeeded", "http.response.status_code": 404 }), [])
      // An interruption is no failure: a caller that disconnects causes it.
      const interrupted = request(Effect.exit(Effect.withSpan(Effect.interrupt, "inner")))
      assert.deepStrictEqual(yield* sampled(interrupted, 0), [])
      const parent = Tracer.externalSpan({
        traceId: "4bf92f3577b34da6a3ce929d0e0e4736",
        spanId: "00f067aa0ba902b7",
        sampled: true
      })
      assert.deepStrictEqual(yield* sampled(Effect.withSpan(step, "request", { kind: "server", parent }), 0), [
        "step",
        "request"
      ])
    }))

  it.effect("sets a request's intent id on all enclosing and later spans, and on none that ended before", () =>
    Effect.gen(function*() {
      const spans = yield* recorded(request(
        Effect.gen(function*() {
          yield* Effect.withSpan(Effect.void, "admission")
          yield* Effect.withSpan(Effect.annotateCurrentSpan(IntentTrace.attribute, "i-1"), "accept")
          yield* Effect.withSpan(Effect.void, "execute")
        }).pipe(Effect.withSpan("endpoint"))
      ))
      const ids = Object.fromEntries(spans.map(({ attributes, name }) => [name, attributes.get(IntentTrace.attribute)]))
      assert.deepStrictEqual(ids, {
        admission: undefined,
        accept: "i-1",
        execute: "i-1",
        endpoint: "i-1",
        request: "i-1"
      })
    }))

  it.effect("keeps a span's intent when another one begins inside of it", () =>
    Effect.gen(function*() {
      const leg = (id: string) => Effect.withSpan(Effect.annotateCurrentSpan(IntentTrace.attribute, id), id)
      const spans = yield* recorded(request(Effect.andThen(leg("i-1"), leg("i-2"))))
      assert.strictEqual(named(spans, "request").attributes.get(IntentTrace.attribute), "i-1")
      assert.strictEqual(named(spans, "i-2").attributes.get(IntentTrace.attribute), "i-2")
    }))

  it.effect("keeps URLs, headers and client addresses out of attributes", () =>
    Effect.gen(function*() {
      const secret = "https://node.example/v2/key?apiKey=key"
      const attributes = Object.fromEntries([
        ...[
          "url.full",
          "url.path",
          "url.query",
          "http.request.header.authorization",
          "http.response.header.set-cookie"
        ],
        ...["server.address", "client.address", "user_agent.original"]
      ].map((name) => [name, secret]))
      const spans = yield* recorded(
        request(Effect.annotateCurrentSpan({ ...attributes, "http.response.status_code": 200 }))
      )
      assert.deepStrictEqual([...named(spans, "request").attributes], [["http.response.status_code", 200]])
    }))

  it.effect("continues an external trace, but not one with invalid ids", () =>
    Effect.gen(function*() {
      const under = (traceId: string, spanId: string) =>
        Effect.map(
          recorded(
            Effect.withSpan(Effect.void, "request", {
              kind: "server",
              parent: Tracer.externalSpan({ traceId, spanId })
            })
          ),
          (spans) => [named(spans, "request").traceId === traceId, named(spans, "request").parent]
        )
      assert.deepStrictEqual(yield* under("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"), [
        true,
        "00f067aa0ba902b7"
      ])
      assert.deepStrictEqual(yield* under("2f1c7a50-9d1e-4b63-9a53-1f8f0a5d8c11", "00f067aa0ba902b7"), [
        false,
        undefined
      ])
      assert.deepStrictEqual(yield* under("0".repeat(32), "00f067aa0ba902b7"), [false, undefined])
      assert.deepStrictEqual(yield* under("noop", "noop"), [false, undefined])
    }))

  it.effect("names an actor's span after the actor, and links only to recorded spans", () =>
    Effect.gen(function*() {
      const link = (traceId: string): Tracer.SpanLink => ({
        span: Tracer.externalSpan({ traceId, spanId: "00f067aa0ba902b7" }),
        attributes: {}
      })
      const spans = yield* recorded(Effect.withSpan(Effect.void, "Vault(base/0x01).execute", {
        kind: "server",
        links: [link("4bf92f3577b34da6a3ce929d0e0e4736"), link("0".repeat(32))]
      }))
      assert.strictEqual(named(spans, "Vault.execute").links, 1)
    }))
})
