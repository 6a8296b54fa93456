import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as TestClock from "effect/testing/TestClock"
import * as FastCheck from "fast-check"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import type { Call, RpcEndpoint, Score } from "../../src/chain/RpcEndpoint.ts"
import { type RpcFailure, RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"

const down = new RpcUnavailable({ network: "optimism", reason: "HTTP 503" })
const refused = new RpcRefused({ code: 3, reason: "execution reverted", data: "0x" })

interface Fake extends RpcEndpoint {
  readonly calls: ReadonlyArray<Call>
}

/** An endpoint with scripted answers, which records its calls. */
const endpoint = (
  name: string,
  answer: (asked: number) => Effect.Effect<unknown, RpcFailure>,
  score: Partial<Score> = {}
): Fake => {
  const calls: Array<Call> = []
  return {
    name,
    calls,
    score: () => ({ latency: 50, errors: 0, head: 0n, ...score }),
    send: (call) => Effect.suspend(() => answer(calls.push(call)))
  }
}

const answers = (name: string, score?: Partial<Score>) => endpoint(name, () => Effect.succeed(name), score)
const over = (...endpoints: ReadonlyArray<RpcEndpoint>) => JsonRpc.overEndpoints("optimism", endpoints)
const read = (...endpoints: ReadonlyArray<RpcEndpoint>) => over(...endpoints).request("eth_chainId", [])
const names = (endpoints: ReadonlyArray<RpcEndpoint>) => endpoints.map(({ name }) => name)

it.effect("takes a refusal for an answer and calls no second endpoint", () =>
  Effect.gen(function*() {
    const first = endpoint("first", () => Effect.fail(refused))
    const second = answers("second")
    assert.deepStrictEqual(yield* Effect.flip(read(first, second)), refused)
    assert.lengthOf(first.calls, 1)
    assert.isEmpty(second.calls)
  }))

it.effect("passes the call on unchanged", () =>
  Effect.gen(function*() {
    const only = answers("only")
    assert.strictEqual(yield* over(only).request("eth_getBalance", ["0xaa", "latest"]), "only")
    assert.deepStrictEqual(only.calls, [{ method: "eth_getBalance", params: ["0xaa", "latest"] }])
  }))

it.effect("skips an endpoint that fails, at once", () =>
  Effect.gen(function*() {
    const first = endpoint("first", () => Effect.fail(down))
    assert.strictEqual(yield* read(first, answers("second")), "second")
    assert.lengthOf(first.calls, 1)
  }))

it.effect("also calls the next endpoint when the best is slow, and takes the first answer", () =>
  Effect.gen(function*() {
    const first = endpoint("first", () => Effect.never)
    const second = answers("second", { latency: 60 })
    const asking = yield* Effect.forkChild(read(first, second))
    yield* TestClock.adjust("199 millis")
    assert.isEmpty(second.calls)
    assert.isTrue(Option.isNone(yield* Effect.sync(() => Option.fromNullishOr(asking.pollUnsafe()))))
    yield* TestClock.adjust("1 millis")
    assert.strictEqual(yield* Fiber.join(asking), "second")
  }))

it.effect("takes the best endpoint's slow answer when it comes before the other's", () =>
  Effect.gen(function*() {
    const first = endpoint("first", () => Effect.delay(Effect.succeed("first"), "300 millis"))
    const second = endpoint("second", () => Effect.never, { latency: 60 })
    const asking = yield* Effect.forkChild(read(first, second))
    yield* TestClock.adjust("300 millis")
    assert.strictEqual(yield* Fiber.join(asking), "first")
    assert.lengthOf(second.calls, 1)
  }))

it.effect("calls a single endpoint while it is quick", () =>
  Effect.gen(function*() {
    const second = answers("second", { latency: 60 })
    assert.strictEqual(yield* read(answers("first"), second), "first")
    yield* TestClock.adjust("1 minute")
    assert.isEmpty(second.calls)
  }))

it.effect("retries a read until an endpoint answers", () =>
  Effect.gen(function*() {
    const only = endpoint("only", (asked) => asked < 5 ? Effect.fail(down) : Effect.succeed("at last"))
    const asking = yield* Effect.forkChild(read(only))
    yield* TestClock.adjust("10 seconds")
    assert.strictEqual(yield* Fiber.join(asking), "at last")
    assert.lengthOf(only.calls, 5)
  }))

it.effect("fails as unavailable when no endpoint answers for six seconds, called every half second", () =>
  Effect.gen(function*() {
    const only = endpoint("only", () => Effect.fail(down))
    const asking = yield* Effect.forkChild(Effect.flip(read(only)))
    yield* TestClock.adjust("5 seconds")
    assert.isNull(
      yield* Effect.sync(() => Option.fromNullishOr(asking.pollUnsafe())).pipe(Effect.map(Option.getOrNull))
    )
    yield* TestClock.adjust("2 seconds")
    assert.deepStrictEqual(yield* Fiber.join(asking), down)
    assert.isAtLeast(only.calls.length, 12)
  }))

/** Returns why the bytes of a broadcast were not accepted. */
const fate = (pool: JsonRpc.JsonRpc) =>
  Effect.flatMap(pool.broadcast(["0x02"]), ([result]) => Effect.flip(Effect.fromResult(result!)))

it.effect("broadcasts many bytes in one request and in order, and retries only those without an answer", () =>
  Effect.gen(function*() {
    const requests: Array<ReadonlyArray<unknown>> = []
    const batching: RpcEndpoint = {
      ...answers("batching"),
      sendInOrder: (calls) =>
        Effect.sync(() => {
          requests.push(calls.map(({ params }) => params[0]))
          return calls.map(({ params }) =>
            params[0] === "0x03"
              ? Result.fail(refused)
              : requests.length === 1 && params[0] === "0x02"
              ? Result.fail(down)
              : Result.succeed("0x")
          )
        })
    }
    const sending = yield* Effect.forkChild(over(batching).broadcast(["0x01", "0x02", "0x03", "0x04", "0x02"]))
    yield* TestClock.adjust("10 seconds")
    const results = yield* Fiber.join(sending)
    assert.deepStrictEqual(results.map(Result.isSuccess), [true, true, false, true, true])
    assert.deepStrictEqual(requests, [["0x01", "0x02", "0x03", "0x04", "0x02"], ["0x02", "0x02"]])
  }))

it.effect("broadcasts the same bytes to every endpoint and succeeds when one accepts them", () =>
  Effect.gen(function*() {
    const all = [
      endpoint("refuses", () => Effect.fail(refused)),
      endpoint("down", () => Effect.fail(down)),
      answers("takes")
    ]
    const sending = yield* Effect.forkChild(over(...all).broadcast(["0x02"]))
    yield* TestClock.adjust("10 seconds")
    yield* Fiber.join(sending)
    for (const { calls } of all) {
      for (const call of calls) assert.deepStrictEqual(call, { method: "eth_sendRawTransaction", params: ["0x02"] })
      assert.isNotEmpty(calls)
    }
    assert.lengthOf(all[0]!.calls, 1)
    assert.lengthOf(all[1]!.calls, 4)
  }))

it.effect("reports an endpoint's refusal although another accepts the bytes, and of none without an answer", () =>
  Effect.gen(function*() {
    const heard: Array<readonly [number, string]> = []
    const pool = over(
      endpoint("refuses", (asked) => asked === 2 ? Effect.fail(refused) : Effect.succeed("0x")),
      endpoint("down", () => Effect.fail(down)),
      answers("takes")
    )
    const onRefused = (place: number, { reason }: RpcRefused) => heard.push([place, reason])
    const sending = yield* Effect.forkChild(pool.broadcast(["0x01", "0x02"], { onRefused }))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual((yield* Fiber.join(sending)).map(Result.isSuccess), [true, true])
    assert.deepStrictEqual(heard, [[1, refused.reason]])
  }))

it.effect("reports bytes as accepted as soon as one endpoint has them, however long another hangs", () =>
  Effect.gen(function*() {
    const hanging = endpoint("hanging", () => Effect.delay(Effect.fail(down), "10 seconds"))
    yield* over(answers("takes"), hanging).broadcast(["0x02"])
  }))

it.effect("reports the refusal when one endpoint refused the bytes and none accepted them", () =>
  Effect.gen(function*() {
    const pool = over(endpoint("down", () => Effect.fail(down)), endpoint("refuses", () => Effect.fail(refused)))
    const sending = yield* Effect.forkChild(fate(pool))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* Fiber.join(sending), refused)
  }))

it.effect("reports an unknown result when no endpoint answered the broadcast", () =>
  Effect.gen(function*() {
    const sending = yield* Effect.forkChild(fate(over(endpoint("down", () => Effect.fail(down)))))
    yield* TestClock.adjust("10 seconds")
    assert.deepStrictEqual(yield* Fiber.join(sending), down)
  }))

it.effect("can neither read nor send without an endpoint", () =>
  Effect.gen(function*() {
    const reading = yield* Effect.forkChild(Effect.exit(read()))
    yield* TestClock.adjust("1 minute")
    assert.isTrue(Exit.isFailure(yield* Fiber.join(reading)))
    assert.strictEqual((yield* fate(over()))._tag, "RpcUnavailable")
  }))

it("ranks an endpoint that lags last however quick it is, and forgives a few blocks", () => {
  const lagging = answers("lagging", { latency: 1, head: 96n })
  const near = answers("near", { latency: 40, head: 97n })
  const best = answers("best", { latency: 80, head: 100n })
  const bad = answers("bad", { latency: 5_000, errors: 1, head: 100n })
  assert.deepStrictEqual(names(JsonRpc.rank([lagging, bad, best, near])), ["near", "best", "bad", "lagging"])
})

it("holds nothing against an endpoint whose head is not known yet", () => {
  assert.deepStrictEqual(
    names(JsonRpc.rank([answers("known", { latency: 80, head: 100n }), answers("new", { latency: 50 })])),
    ["new", "known"]
  )
})

it("prefers an endpoint that answers to a quicker one that often does not, and keeps the operator's order between equals", () => {
  assert.deepStrictEqual(
    names(JsonRpc.rank([answers("flaky", { latency: 20, errors: 0.5 }), answers("steady", { latency: 100 })])),
    ["steady", "flaky"]
  )
  assert.deepStrictEqual(names(JsonRpc.rank(["a", "b", "c"].map((name) => answers(name)))), ["a", "b", "c"])
})

const scores = FastCheck.record({
  latency: FastCheck.double({ min: 0, max: 10_000, noNaN: true }),
  errors: FastCheck.double({ min: 0, max: 1, noNaN: true }),
  head: FastCheck.bigInt(0n, 20n)
})

it("ranks every endpoint once, and no lagging one before one that keeps up", () =>
  FastCheck.assert(FastCheck.property(FastCheck.array(scores, { maxLength: 8 }), (all) => {
    const endpoints = all.map((score, index) => answers(String(index), score))
    const ranked = JsonRpc.rank(endpoints)
    assert.sameMembers([...ranked], endpoints)
    const best = all.reduce((head, score) => score.head > head ? score.head : head, 0n)
    const lags = ranked.map((each) => each.score().head > 0n && best - each.score().head > 3n)
    assert.deepStrictEqual(lags, [...lags].sort((one, other) => Number(one) - Number(other)))
  })))

it.effect("sends private bytes to the private endpoints only, and others to every endpoint", () =>
  Effect.gen(function*() {
    const open = answers("open")
    const hidden = answers("hidden")
    const pool = JsonRpc.overEndpoints("optimism", [open], [hidden])
    yield* pool.broadcast(["0x01"], { privately: true })
    assert.deepStrictEqual([open.calls.length, hidden.calls.length], [0, 1])
    yield* pool.broadcast(["0x01"])
    // It returns once the first endpoint has accepted them; the other one gets them in the background.
    yield* TestClock.adjust(0)
    assert.deepStrictEqual([open.calls.length, hidden.calls.length], [1, 2])
    yield* pool.request("eth_chainId", [])
    assert.deepStrictEqual([open.calls.length, hidden.calls.length], [2, 2])
  }))

it.effect("waits a few seconds for a private endpoint that hangs, and reports that nothing is known", () =>
  Effect.gen(function*() {
    const pool = JsonRpc.overEndpoints("optimism", [answers("open")], [endpoint("hidden", () => Effect.never)])
    const sending = yield* Effect.forkChild(pool.broadcast(["0x01"], { privately: true }))
    yield* TestClock.adjust("3 seconds")
    const [result] = yield* Fiber.join(sending)
    assert.strictEqual(result !== undefined && Result.isFailure(result) ? result.failure._tag : "", "RpcUnavailable")
  }))

it.effect("sends private bytes to every endpoint where none is private", () =>
  Effect.gen(function*() {
    const open = answers("open")
    yield* over(open).broadcast(["0x01"], { privately: true })
    assert.lengthOf(open.calls, 1)
  }))
