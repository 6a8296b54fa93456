import { assert, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Metric from "effect/Metric"
import * as References from "effect/References"
import * as TestClock from "effect/testing/TestClock"
import * as Contradictions from "../../src/chain/Contradictions.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import { endpointOf } from "./TestClient.ts"

const statements = (...says: ReadonlyArray<string>) => says.map((text, endpoint) => ({ endpoint, says: text }))
const unknown = () => false

it("finds the minority, and of two the one that does not fit the followed chain", () => {
  assert.deepStrictEqual(Contradictions.wrongEndpoints(statements("a", "b", "a"), unknown), [1])
  assert.deepStrictEqual(Contradictions.wrongEndpoints(statements("a", "b", "a"), (says) => says === "b"), [1])
  assert.deepStrictEqual(Contradictions.wrongEndpoints(statements("a", "b"), (says) => says === "b"), [0])
  assert.deepStrictEqual(Contradictions.wrongEndpoints(statements("a", "a"), unknown), [])
})

it("blames no endpoint where nothing decides between them", () => {
  assert.deepStrictEqual(Contradictions.wrongEndpoints(statements("a", "b"), unknown), [])
  assert.deepStrictEqual(Contradictions.wrongEndpoints(statements("a", "b"), () => true), [])
})

it.effect("ranks an endpoint that contradicts the others last for some minutes", () =>
  Effect.gen(function*() {
    const named = (name: string, latency: number) => endpointOf(name, () => Effect.succeed(name), latency)
    const pool = JsonRpc.overEndpoints("base", [named("liar", 1), named("slow", 60), named("slower", 70)])
    assert.deepStrictEqual(yield* pool.ranking, [0, 1, 2])
    yield* pool.compare("block 7", statements("x", "y", "y"), unknown)
    assert.deepStrictEqual(yield* pool.ranking, [1, 2, 0])
    assert.strictEqual(yield* pool.request("eth_chainId", []), "slow")
    yield* TestClock.adjust(Contradictions.penaltyMillis)
    assert.deepStrictEqual(yield* pool.ranking, [0, 1, 2])
  }))

/** Collects the lines that an effect logs. */
const linesOf = <E>(effect: Effect.Effect<unknown, E>) => {
  const lines: Array<string> = []
  return Effect.as(
    Effect.provide(effect, Logger.layer([Logger.make(({ message }) => void lines.push(String(message)))])),
    lines
  )
}

it.effect("names an endpoint that contradicts the others once a minute, and counts each time", () =>
  Effect.gen(function*() {
    const network = "a network of this test"
    const found = Contradictions.make(network, ["liar.example", "a.example", "b.example"])
    const once = found.compare("block 7", statements("x", "y", "y"), unknown)
    const lines = yield* linesOf(Effect.gen(function*() {
      yield* Effect.all([once, once])
      yield* TestClock.adjust("1 minute")
      yield* once
    }))
    assert.lengthOf(lines, 2)
    assert.include(lines[0], `endpoint liar.example of ${network} contradicts the others about block 7`)
    const counters = (yield* Metric.snapshot).filter(({ attributes }) => attributes?.["network"] === network)
    assert.deepStrictEqual(counters.map(({ id, attributes, state }) => [id, attributes?.["endpoint"], state]), [
      ["vault_trader_rpc_contradictions_total", "liar.example", { count: 3, incremental: true }]
    ])
  }))

it.effect("is disputed for five minutes after a contradiction, also where nothing decides", () =>
  Effect.gen(function*() {
    const found = Contradictions.make("base", ["a.example", "b.example"])
    const isDisputed = Effect.map(Clock.currentTimeMillis, found.isDisputed)
    yield* found.compare("block 7", statements("x", "x"), unknown)
    assert.isFalse(yield* isDisputed)
    yield* found.compare("block 7", statements("x", "y"), unknown)
    assert.isTrue(yield* isDisputed)
    yield* TestClock.adjust(Contradictions.penaltyMillis)
    assert.isFalse(yield* isDisputed)
  }).pipe(Effect.provideService(References.MinimumLogLevel, "None")))

it.effect("names both where nothing decides, and an endpoint that lags", () =>
  Effect.gen(function*() {
    const found = Contradictions.make("base", ["a.example", "b.example"])
    const lines = yield* linesOf(Effect.andThen(
      found.compare("block 7", statements("x", "y"), unknown),
      found.compareHeads([{ endpoint: 0, head: 100n }, { endpoint: 1, head: 90n }])
    ))
    assert.include(lines[0], "a.example, b.example of base contradict each other about block 7")
    assert.include(lines[1], "b.example of base is 10 blocks behind")
    assert.deepStrictEqual(
      yield* linesOf(found.compareHeads([{ endpoint: 0, head: 100n }, { endpoint: 1, head: 97n }])),
      []
    )
  }))
