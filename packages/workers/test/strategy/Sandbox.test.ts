import { define } from "@vault-trader/core/strategy/Strategy"
import type { State } from "@vault-trader/core/strategy/Strategy"
import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Sandbox from "../../src/strategy/Sandbox.ts"

const state: State = {
  time: 1_700_000_000,
  assets: ["WETH"],
  quote: "USDC",
  candles: {
    WETH: [1, 2, 3, 4].map((close, index) => ({ time: index * 60, open: close, high: close, low: close, close }))
  },
  holdings: {
    WETH: { amount: 1, price: 4, usd: 4, weight: 40 },
    USDC: { amount: 6, price: 1, usd: 6, weight: 60 }
  },
  usd: 10,
  inputs: {},
  memory: null
}

const limits = { milliseconds: 60_000, memoryBytes: 16 * 1_048_576 }

/** For strategies that never end. */
const hasty = { ...limits, milliseconds: 500 }

/** Opens a sandbox with a strategy whose `decide` has this body, and asks it once. */
const decided = (body: string, before = "", bounds = limits) =>
  Effect.scoped(Effect.gen(function*() {
    const text = `${before}
      export const strategy = { description: "", inputs: {}, decide: (state) => { ${body} } }`
    const sandbox = yield* Sandbox.open({ file: "test.js", text }, bounds)
    return yield* sandbox.decide(state)
  }))

const stopped = (body: string, before = "", bounds = limits) => Effect.flip(decided(body, before, bounds))

it("a strategy's inputs have the types of their declarations", () => {
  const made = define({
    description: "",
    inputs: { length: { type: "integer", default: 3 }, kind: { type: "choice", default: "a", choices: ["a", "b"] } },
    decide: ({ inputs }) => ({ reason: `${inputs.length + 1} ${inputs.kind.toUpperCase()}` })
  })
  assert.deepStrictEqual(made.decide({ ...state, inputs: { length: 1, kind: "b" } }), { reason: "2 B" })
})

it.live("a strategy decides on plain data, with the library of indicators", () =>
  Effect.gen(function*() {
    const answer = yield* decided(
      `const sma = new SMA(2); for (const { close } of state.candles.WETH) sma.update(close, false)
       return { targets: { WETH: 10 * sma.getResult() }, memory: [state.memory, state.usd] }`,
      `import { SMA } from "trading-signals"; import { define } from "@vault-trader/core/strategy/Strategy"`
    )
    assert.deepStrictEqual(answer, { targets: { WETH: 35 }, memory: [null, 10] })
    assert.isNull(yield* decided("return undefined"))
  }))

it.live("a strategy that throws is stopped with its words", () =>
  Effect.gen(function*() {
    const { code, message } = yield* stopped(`throw new Error("no idea")`)
    assert.strictEqual(code, "threw")
    assert.strictEqual(message, "test.js: Error: no idea")
    assert.strictEqual((yield* stopped("state.memory.x.y = 1")).code, "threw")
    assert.strictEqual((yield* stopped("state.candles.WETH.push(1)")).code, "threw")
  }))

it.live("a strategy that loops is stopped, and one that allocates without bound", () =>
  Effect.gen(function*() {
    assert.strictEqual((yield* stopped("for (;;) {}", "", hasty)).code, "timeout")
    assert.strictEqual((yield* stopped("while (true) { try { for (;;) {} } catch {} }", "", hasty)).code, "timeout")
    for (
      const body of [
        "const all = []; for (;;) all.push(new Array(10_000).fill(1))",
        `let all = "x"; for (;;) all += all`
      ]
    ) {
      assert.strictEqual((yield* stopped(body)).code, "memory")
    }
    const deep = yield* stopped("const deeper = () => deeper() + 1; return deeper()")
    assert.include(["threw", "memory"], deep.code)
    // The same while the module is read.
    assert.strictEqual((yield* stopped("return null", "for (;;) {}", hasty)).code, "timeout")
  }))

it.live("a strategy reaches neither network, files, environment, processes nor the program around it", () =>
  Effect.gen(function*() {
    const names = [
      ...["fetch", "XMLHttpRequest", "WebSocket", "process", "require", "module", "Buffer", "global", "setTimeout"],
      ...[
        "setInterval",
        "queueMicrotask",
        "console",
        "std",
        "os",
        "WebAssembly",
        "Deno",
        "Bun",
        "Worker",
        "performance"
      ]
    ]
    const found = yield* decided(`return { reason: [${names.map((name) => `typeof ${name}`).join()}].join() }`)
    assert.deepStrictEqual(found, { reason: names.map(() => "undefined").join() })
    for (
      const name of ["node:fs", "fs", "node:net", "https://example.com/x.js", "../SandboxProtocol.ts", "/etc/passwd"]
    ) {
      const { code, message } = yield* stopped("return null", `import * as x from ${JSON.stringify(name)}`)
      assert.strictEqual(code, "invalid_module", name)
      assert.include(message, "accepted are '@vault-trader/core/strategy/Strategy' and 'trading-signals'")
    }
    for (
      const path of [
        "trading-signals/../../secp256k1/package.json",
        "trading-signals/../../quickjs-emscripten-core/dist/index.js"
      ]
    ) {
      assert.strictEqual(
        (yield* stopped("return null", `import * as x from ${JSON.stringify(path)}`)).code,
        "invalid_module"
      )
    }
    const dynamic = yield* stopped(`import("node:fs").then(() => null); return null`)
    assert.strictEqual(dynamic.code, "invalid_decision")
    // A constructor reaches the engine's own global, which has nothing.
    assert.deepStrictEqual(
      yield* decided(`return { reason: typeof (() => {}).constructor("return globalThis")().process }`),
      { reason: "undefined" }
    )
  }))

it.live("a strategy has neither clock nor random numbers, so that the same state gives the same decision", () =>
  Effect.gen(function*() {
    assert.include((yield* stopped("return { reason: String(Date.now()) }")).message, "state.time")
    assert.include((yield* stopped("return { reason: String(Math.random()) }")).message, "the same decision")
    assert.strictEqual((yield* stopped(`Math.random = () => 1; return null`, `"use strict"`)).code, "threw")
  }))

it.live("a strategy that answers later, or too much, is stopped", () =>
  Effect.gen(function*() {
    assert.strictEqual((yield* stopped("return Promise.resolve({})")).code, "threw")
    assert.strictEqual((yield* stopped("Promise.resolve().then(() => 1); return null")).code, "invalid_decision")
    assert.strictEqual((yield* stopped(`return { reason: "x".repeat(100_000) }`)).code, "invalid_decision")
    assert.include((yield* stopped("return null", "await 1")).code, "invalid_module")
    assert.strictEqual((yield* stopped("return { toJSON() { for (;;) {} } }", "", hasty)).code, "timeout")
  }))

it.live("a module that is no strategy is refused at load, in a sentence", () =>
  Effect.gen(function*() {
    const refusedOf = (text: string) => Effect.flip(Effect.scoped(Sandbox.open({ file: "bad.js", text }, limits)))
    const messages = yield* Effect.forEach([
      "export const other = 1",
      "export const strategy = { description: '', inputs: {} }",
      "export const strategy = {",
      "export const strategy = { description: '', inputs: { A: { type: 'integer', default: 1 } }, decide: () => null }",
      "export const strategy = { description: '', inputs: { a: { type: 'integer', default: 1.5 } }, decide: () => null }",
      "export const strategy = { description: '', history: 5000, inputs: {}, decide: () => null }",
      "throw new Error('not today')"
    ], refusedOf)
    assert.isTrue(messages.every(({ code }) => code === "invalid_module"))
    const [none, undecided, , name, value, , thrown] = messages.map(({ message }) => message)
    assert.include(none, "it exports no 'strategy'")
    assert.include(undecided, "has no function 'decide'")
    assert.include(name, "'A' is no name")
    assert.include(value, "the default of 'a' is 1.5; accepted is a whole number")
    assert.include(thrown, "not today")
  }))

it.live("candles that are added one by one are the same as all of them at once", () =>
  Effect.scoped(Effect.gen(function*() {
    const text = `export const strategy = { description: "", history: 3, inputs: {},
      decide: ({ candles }) => ({ memory: candles.WETH.map(({ close }) => close) }) }`
    const sandbox = yield* Sandbox.open({ file: "test.js", text }, limits)
    assert.deepStrictEqual(yield* sandbox.decide(state), { memory: [2, 3, 4] })
    const next = { ...state, candles: { WETH: [{ time: 240, open: 5, high: 5, low: 5, close: 5 }] } }
    assert.deepStrictEqual(yield* sandbox.decide(next, true), { memory: [3, 4, 5] })
  })))
