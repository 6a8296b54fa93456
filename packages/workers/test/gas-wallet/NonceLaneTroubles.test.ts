/** Regression tests of a lane: nodes with sparse answers, state lost in restarts, kill switches set late. */
import { assert, layer } from "@effect/vitest"
import { KillSwitch } from "@vault-trader/core/gas-wallet/KillSwitch"
import { Fault } from "@vault-trader/testing/test-chain/NodeFault"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Latch from "effect/Latch"
import * as Scope from "effect/Scope"
import * as TestLane from "./TestLane.ts"
import { ether, gwei, until } from "./TestLane.ts"

const concurrent = { concurrent: true }
const patient = { patienceMillis: 60_000 }
const swallowing = { method: "eth_sendRawTransaction", fault: Fault.Swallow() }

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("a nonce lane in trouble", (it) => {
  it.effect(
    "does not call its own mined transaction superseded while no node has the receipt, and settles it when one does",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.faults.rule({ method: "eth_getTransactionReceipt", fault: Fault.NoReceipt({ blocks: 12 }) })
        yield* bench.mining
        const lane = yield* bench.open
        const key = yield* bench.put()
        const settled = yield* lane.submit(key)
        assert.strictEqual(settled._tag, "Mined")
        const [attempt] = yield* bench.attempts(key)
        assert.deepStrictEqual((yield* bench.chain.transactionsOf(bench.wallet)).map(({ hash }) => hash), [
          attempt!.hash
        ])
      }),
    concurrent
  )

  it.effect(
    "counts the value of transactions in flight after it is reopened, and refuses what the wallet cannot pay",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        const large = yield* bench.put({ value: 6n * ether / 10n })
        const life = yield* Scope.make()
        yield* Effect.forkChild((yield* Scope.provide(bench.open, life)).submit(large))
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* Scope.close(life, Exit.void)
        const lane = yield* bench.open
        const next = yield* bench.put({ value: 6n * ether / 10n })
        yield* Effect.forkChild(lane.submit(next))
        const { status } = yield* until(bench.row(next), (row) => row.status !== "queued")
        assert.strictEqual(status, "refused")
      }),
    concurrent
  )

  it.effect(
    "clears the mark of waiting for gas when it re-prices under a higher cap after a restart",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ maxFeePerGas: 2n * gwei })
        yield* bench.chain.setBaseFee(10n * gwei)
        yield* bench.mining
        const key = yield* bench.put()
        const life = yield* Scope.make()
        yield* Effect.forkChild((yield* Scope.provide(bench.open, life)).submit(key))
        yield* until(bench.row(key), ({ waitingForGas }) => waitingForGas)
        yield* Scope.close(life, Exit.void)
        yield* bench.faults.rule(swallowing)
        yield* bench.openWith({ maxFeePerGas: 100n * gwei })
        yield* until(bench.row(key), ({ waitingForGas }) => !waitingForGas)
        assert.isAtLeast((yield* bench.attempts(key)).length, 2)
      }),
    concurrent
  )

  it.effect("retries a call that a node did not estimate because of its rate limit", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make()
      yield* bench.chain.automine(true)
      const limit = Fault.Refuse({ code: -32005, reason: "rate limit exceeded", forwarded: false })
      yield* bench.faults.rule({ method: "eth_estimateGas", fault: limit, times: 1 })
      const settled = yield* Effect.flatMap(bench.open, (lane) => Effect.flatMap(bench.put(), lane.submit))
      assert.strictEqual(settled._tag, "Mined")
    }), concurrent)

  it.effect("refuses with 2001 when the value alone is more than the wallet holds", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make()
      const settled = yield* Effect.flatMap(bench.open, (lane) =>
        Effect.flatMap(bench.put({ value: 2n * ether }), lane.submit))
      assert.strictEqual(settled._tag === "Refused" ? settled.failure.errorType : settled._tag, "insufficient_gas")
      assert.isEmpty(bench.signed)
    }), concurrent)

  it.effect("signs no replacement while its switch is on, although it keeps checking", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make()
      yield* bench.faults.rule({ ...swallowing, times: 1 })
      const door = yield* Latch.make(false)
      yield* bench.holdSends(door.await)
      const lane = yield* bench.open
      const key = yield* bench.put()
      yield* Effect.forkChild(lane.submit(key))
      yield* until(bench.attempts(key), (attempts) => attempts.length > 0)
      yield* Effect.flatMap(KillSwitch, (switches) => switches.pause(`wallet/${bench.wallet}`, "lost laptop"))
      yield* door.open
      yield* bench.mining
      const head = yield* bench.chain.head
      yield* until(bench.chain.head, ({ number }) => number >= head.number + 20n)
      assert.lengthOf(bench.signed, 1)
      assert.lengthOf(yield* bench.attempts(key), 1)
      assert.lengthOf(new Set(bench.sends.map(({ raw }) => raw)), 1)
    }), concurrent)
})
