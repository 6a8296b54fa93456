import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { keccak256 } from "viem"
import { Fault } from "../../src/test-chain/NodeFault.ts"
import * as FaultyNode from "../../src/test-chain/FaultyNode.ts"
import { gwei, signed, start, trader } from "./Trader.ts"

const send = "eth_sendRawTransaction"

const setup = (seed = 1) =>
  Effect.gen(function*() {
    const life = yield* start()
    const faults = yield* FaultyNode.make(life.chain, { seed })
    /** Returns the outcome of a call, waiting as long as it takes. */
    const outcome = (method: string, params: ReadonlyArray<unknown>) =>
      Effect.gen(function*() {
        const fiber = yield* Effect.forkChild(Effect.result(faults.request(method, params)))
        yield* TestClock.adjust("1 minute")
        return yield* Fiber.join(fiber)
      })
    const lost = (method: string, params: ReadonlyArray<unknown>) =>
      Effect.map(outcome(method, params), (result): unknown => result._tag === "Failure" ? result.failure : "an answer")
    const waiting = Effect.map(life.chain.waiting, (all) => all.length)
    return { ...life, faults, outcome, lost, waiting }
  })

it.effect("without rules and probabilities every call passes", () =>
  Effect.gen(function*() {
    const { faults } = yield* setup()
    assert.strictEqual(yield* faults.request("eth_chainId", []), "0xa")
    assert.deepStrictEqual(yield* faults.log, [])
  }))

it.effect("a rule applies to its number of calls and to its method", () =>
  Effect.gen(function*() {
    const { faults, lost } = yield* setup()
    yield* faults.rule({ method: "eth_blockNumber", fault: Fault.Http({ status: 429 }), times: 2 })
    const limited = { _tag: "RpcUnavailable", network: "optimism", reason: "HTTP 429" }
    assert.deepStrictEqual(yield* lost("eth_blockNumber", []), limited)
    assert.strictEqual(yield* lost("eth_chainId", []), "an answer")
    assert.deepStrictEqual(yield* lost("eth_blockNumber", []), limited)
    assert.strictEqual(yield* lost("eth_blockNumber", []), "an answer")
    assert.deepStrictEqual((yield* faults.log).map(({ call, method }) => [call, method]), [[1, "eth_blockNumber"], [
      3,
      "eth_blockNumber"
    ]])
  }))

it.effect("a timeout comes before or after the node took the bytes", () =>
  Effect.gen(function*() {
    const { faults, lost, waiting } = yield* setup()
    const raw = yield* signed({})
    yield* faults.rule({ method: send, fault: Fault.Timeout({ millis: 5000, forwarded: false }), times: 1 })
    yield* faults.rule({ method: send, fault: Fault.Timeout({ millis: 5000, forwarded: true }), times: 1 })
    const timeout = { _tag: "RpcUnavailable", network: "optimism", reason: "timeout" }
    assert.deepStrictEqual(yield* lost(send, [raw]), timeout)
    assert.strictEqual(yield* waiting, 0)
    assert.deepStrictEqual(yield* lost(send, [raw]), timeout)
    assert.strictEqual(yield* waiting, 1)
  }))

it.effect("delayed bytes arrive although the client stopped waiting", () =>
  Effect.gen(function*() {
    const { faults, waiting } = yield* setup()
    const raw = yield* signed({})
    yield* faults.rule({ method: send, fault: Fault.Delay({ millis: 5000 }), times: 1 })
    const fiber = yield* Effect.forkChild(Effect.exit(Effect.timeout(faults.request(send, [raw]), "1 second")))
    yield* TestClock.adjust("2 seconds")
    assert.isTrue(Exit.isFailure(yield* Fiber.join(fiber)))
    assert.strictEqual(yield* waiting, 0)
    yield* TestClock.adjust("3 seconds")
    // Our sender is recovered after the late one.
    yield* faults.request(send, [yield* signed({ nonce: 1 })])
    assert.strictEqual(yield* waiting, 2)
  }))

it.effect("a duplicate delivery is answered by the second: the node knows it already", () =>
  Effect.gen(function*() {
    const { faults, lost, waiting } = yield* setup()
    yield* faults.rule({ method: send, fault: Fault.Duplicate() })
    assert.deepStrictEqual(yield* lost(send, [yield* signed({})]), {
      _tag: "RpcRefused",
      code: -32000,
      reason: "already known"
    })
    assert.strictEqual(yield* waiting, 1)
  }))

it.effect("refusals have other codes, whether the call took effect or not", () =>
  Effect.gen(function*() {
    const { faults, lost, waiting } = yield* setup()
    yield* faults.rule({
      method: send,
      fault: Fault.Refuse({ code: -32603, reason: "already known", forwarded: true }),
      times: 1
    })
    yield* faults.rule({ method: send, fault: Fault.Recode({ code: -32010 }), times: 1 })
    yield* faults.rule({
      method: send,
      fault: Fault.Refuse({ code: -32603, reason: "nonce too low", forwarded: false }),
      times: 1
    })
    const raw = yield* signed({})
    assert.deepStrictEqual(yield* lost(send, [raw]), { _tag: "RpcRefused", code: -32603, reason: "already known" })
    assert.strictEqual(yield* waiting, 1)
    const bumped = yield* signed({ maxFee: 10n * gwei + 1n })
    assert.deepStrictEqual(yield* lost(send, [bumped]), {
      _tag: "RpcRefused",
      code: -32010,
      reason: "replacement transaction underpriced"
    })
    assert.deepStrictEqual(yield* lost(send, [yield* signed({ nonce: 1 })]), {
      _tag: "RpcRefused",
      code: -32603,
      reason: "nonce too low"
    })
    assert.strictEqual(yield* waiting, 1)
  }))

it.effect("swallowed bytes are answered with their hash and never reach the mempool", () =>
  Effect.gen(function*() {
    const { faults, outcome, waiting } = yield* setup()
    yield* faults.rule({ method: send, fault: Fault.Swallow() })
    const raw = yield* signed({})
    assert.deepInclude(yield* outcome(send, [raw]), { success: keccak256(raw) })
    assert.strictEqual(yield* waiting, 0)
  }))

it.effect("a stale node and late receipts show the past", () =>
  Effect.gen(function*() {
    const { chain, faults, outcome, send: sendDraft } = yield* setup()
    const hash = yield* sendDraft({})
    yield* chain.mine()
    yield* faults.rule({ method: "eth_getTransactionCount", fault: Fault.Stale({ blocks: 1 }), times: 1 })
    yield* faults.rule({ method: "eth_getTransactionReceipt", fault: Fault.NoReceipt({ blocks: 2 }) })
    assert.deepInclude(yield* outcome("eth_getTransactionCount", [trader, "latest"]), { success: "0x0" })
    assert.deepInclude(yield* outcome("eth_getTransactionCount", [trader, "latest"]), { success: "0x1" })
    const receipt = Effect.map(outcome("eth_getTransactionReceipt", [hash]), (result) =>
      result._tag === "Success" && result.success !== null)
    const seen = []
    for (let blocks = 0; blocks < 3; blocks++) {
      seen.push(yield* receipt)
      yield* chain.mine()
    }
    assert.deepStrictEqual(seen, [false, false, true])
  }))

it.effect("resets lose the answer, malformed results replace it", () =>
  Effect.gen(function*() {
    const { faults, lost, outcome, waiting } = yield* setup()
    yield* faults.rule({ method: send, fault: Fault.Reset({ forwarded: true }), times: 1 })
    yield* faults.rule({
      method: /^eth_get/,
      when: ([who]) => who === trader,
      fault: Fault.Malformed({ result: { error: "overloaded" } })
    })
    assert.deepStrictEqual(yield* lost(send, [yield* signed({})]), {
      _tag: "RpcUnavailable",
      network: "optimism",
      reason: "connection reset"
    })
    assert.strictEqual(yield* waiting, 1)
    assert.deepInclude(yield* outcome("eth_getBalance", [trader, "latest"]), { success: { error: "overloaded" } })
  }))

/** Returns the faults of a run of sixty sends and some reads, at odds of about one in three. */
const stormy = (seed: number, reads: number) =>
  Effect.gen(function*() {
    const { faults } = yield* setup(seed)
    yield* faults.odds(FaultyNode.anyMethod, {
      http: 0.1,
      timeoutAfter: 0.05,
      delay: 0.1,
      stale: 0.05,
      malformed: 0.05
    })
    yield* faults.odds(send, { alreadyKnown: 0.1, swallow: 0.1, noReceipt: 0.5, stale: 0.5, recode: 0.1 })
    for (let call = 0; call < 60; call++) {
      for (let read = 0; read < reads; read++) {
        yield* Effect.forkChild(Effect.ignore(faults.request("eth_blockNumber", [])))
      }
      yield* Effect.forkChild(Effect.ignore(faults.request(send, ["0x00"])))
      yield* TestClock.adjust("10 seconds")
    }
    return yield* faults.log
  })

it.effect("the same calls meet the same faults with the same seed", () =>
  Effect.gen(function*() {
    const first = yield* stormy(7, 1)
    const strip = (log: ReadonlyArray<FaultyNode.AppliedFault>) =>
      log.map(({ call, fault, method }) => ({ call, fault, method }))
    assert.deepStrictEqual(strip(yield* stormy(7, 1)), strip(first))
    assert.notDeepEqual(strip(yield* stormy(8, 1)), strip(first))
    assert.isAbove(first.length, 15)
    // A fault that cannot apply to a send never occurs in one.
    assert.isTrue(
      first.filter(({ method }) => method === send).every(({ fault }) =>
        fault._tag !== "Stale" && fault._tag !== "NoReceipt"
      )
    )
    // More or fewer reads change nothing for sends.
    const sends = (log: ReadonlyArray<FaultyNode.AppliedFault>) =>
      log.filter(({ method }) => method === send).map(({ fault }) => fault)
    assert.deepStrictEqual(sends(yield* stormy(7, 3)), sends(first))
  }))

it.effect("calm ends all faults", () =>
  Effect.gen(function*() {
    const { faults } = yield* setup()
    yield* faults.rule({ fault: Fault.Http({ status: 500 }) })
    yield* faults.odds(FaultyNode.anyMethod, { http: 1 })
    yield* faults.stopFaults
    assert.strictEqual(yield* faults.request("eth_chainId", []), "0xa")
  }))
