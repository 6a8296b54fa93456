import { assert, layer } from "@effect/vitest"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as FaultyNode from "@vault-trader/testing/test-chain/FaultyNode"
import { Fault } from "@vault-trader/testing/test-chain/NodeFault"
import type { Request } from "@vault-trader/testing/test-chain/Rpc"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as SqlClient from "effect/sql/SqlClient"
import { endpointOf } from "../chain/TestClient.ts"
import * as TestLane from "./TestLane.ts"
import { until } from "./TestLane.ts"

const concurrent = { concurrent: true }
/** So long that nothing is re-priced in a test. */
const patient = { patienceMillis: 60_000 }
const down = { method: /.*/, fault: Fault.Http({ status: 503 }) }

type Bench = Effect.Success<ReturnType<typeof TestLane.make>>

/** A second endpoint of the same chain, with faults of its own. */
const secondOf = (bench: Bench) =>
  Effect.map(
    FaultyNode.make(bench.chain, { seed: 2 }),
    (faults) => ({ faults, endpoint: endpointOf("second", faults.request, 60) })
  )

/** Submits a call, and mines it once it waits. */
const mined = (
  bench: Bench,
  lane: { readonly submit: (key: string) => Effect.Effect<{ readonly _tag: string }, unknown> }
) =>
  Effect.gen(function*() {
    const key = yield* bench.put()
    const waiter = yield* Effect.forkChild(lane.submit(key))
    yield* until(bench.chain.waiting, (waiting) => waiting.length > 0)
    yield* bench.chain.mine()
    return { key, waiter }
  })

const statusOf = (bench: Bench, key: string) => Effect.map(bench.row(key), ({ status }) => status)

/** Makes one call final and signs a second one; then the lane's owner ends. Returns their keys. */
const finalThenSigned = (bench: Bench) =>
  Effect.scoped(Effect.gen(function*() {
    const lane = yield* bench.open
    const { key } = yield* mined(bench, lane)
    yield* bench.chain.mine(3)
    yield* until(statusOf(bench, key), (status) => status === "final")
    const later = yield* bench.put()
    yield* Effect.forkScoped(lane.submit(later))
    yield* until(bench.chain.waiting, (waiting) => waiting.length > 0)
    return [key, later] as const
  }))

/** A store that notes, in order, the keys that were written as moved or as final. */
const watchedStore = Effect.gen(function*() {
  const store = yield* SubmissionStore
  const writes: Array<string> = []
  const watched: SubmissionStore["Service"] = {
    ...store,
    recordMoved: (key, ...block) =>
      Effect.andThen(Effect.sync(() => writes.push(`moved ${key}`)), store.recordMoved(key, ...block)),
    finalize: (all) =>
      Effect.andThen(Effect.sync(() => writes.push(...all.map(({ key }) => `final ${key}`))), store.finalize(all))
  }
  return { store: watched, writes }
})

/** Waits until calls are final in blocks of the present chain. */
const areFinal = (bench: Bench, keys: ReadonlyArray<string>) =>
  Effect.forEach(keys, (key) =>
    until(
      Effect.all([bench.row(key), bench.chain.blocks]),
      ([{ receipt, status }, blocks]) => status === "final" && blocks.some(({ hash }) => hash === receipt?.blockHash)
    ), { discard: true })

/** A lane over three endpoints: the best one continues the branch that a reorg leaves, once there is one. */
const openWithLeftBranch = (bench: Bench) =>
  Effect.gen(function*() {
    let left: Request | undefined
    const best = endpointOf("left", (method, params) => (left ?? bench.chain.request)(method, params), 1)
    const others = ["one", "other"].map((name) => endpointOf(name, bench.chain.request, 60))
    const lane = yield* bench.openOver([best, ...others])
    return {
      lane,
      leave: Effect.gen(function*() {
        const fork = yield* bench.chain.fork
        yield* fork.mine(30)
        left = fork.request
      })
    }
  })

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the finality of a lane", (it) => {
  it.effect(
    "makes nothing final while only one of two endpoints answers, and does afterwards",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 50, finalityDepth: 1 })
        const second = yield* secondOf(bench)
        yield* second.faults.rule(down)
        const lane = yield* bench.openOver([bench.endpoint, second.endpoint])
        const { key, waiter } = yield* mined(bench, lane)
        yield* bench.mining
        // One endpoint's receipt counts after the network's patience.
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        const { number } = yield* bench.chain.head
        yield* until(bench.chain.head, (head) => head.number >= number + 30n)
        assert.strictEqual(yield* statusOf(bench, key), "mined")
        yield* second.faults.stopFaults
        yield* until(statusOf(bench, key), (status) => status === "final")
      }),
    concurrent
  )

  it.effect(
    "takes back a receipt that one endpoint alone has shown and that is refuted by two",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 50, finalityDepth: 1 })
        const second = yield* secondOf(bench)
        yield* second.faults.rule(down)
        // The endpoint that answers alone shows the right block, and a transaction that reverted in it.
        let isLying = true
        const liar = endpointOf("liar", (method, params) =>
          Effect.map(
            bench.chain.request(method, params),
            (answer) =>
              isLying && method === "eth_getTransactionReceipt" && answer !== null
                ? { ...answer as object, status: "0x0" }
                : answer
          ), 1)
        const lane = yield* bench.openOver([liar, second.endpoint])
        const { key, waiter } = yield* mined(bench, lane)
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        yield* second.faults.stopFaults
        const { number } = yield* bench.chain.head
        yield* until(bench.chain.head, (head) => head.number >= number + 30n)
        assert.strictEqual(yield* statusOf(bench, key), "mined")
        isLying = false
        yield* until(statusOf(bench, key), (status) => status === "final")
        assert.isTrue((yield* bench.row(key)).receipt?.succeeded)
      }),
    concurrent
  )

  it.effect(
    "keeps a transaction pending while a second endpoint has no receipt and no block of it",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        const second = yield* secondOf(bench)
        const empty = yield* bench.chain.fork
        yield* empty.mine(3)
        const forked = endpointOf("fork", empty.request, 60)
        let isForked = true
        const endpoint = {
          ...forked,
          send: (call: Parameters<typeof forked.send>[0]) => (isForked ? forked : second.endpoint).send(call)
        }
        const lane = yield* bench.openOver([bench.endpoint, endpoint])
        const { key, waiter } = yield* mined(bench, lane)
        const reads = yield* bench.asked("eth_getTransactionReceipt")
        yield* bench.chain.mine()
        yield* until(bench.asked("eth_getTransactionReceipt"), (now) => now > reads + 1)
        assert.strictEqual(yield* statusOf(bench, key), "signed")
        isForked = false
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
      }),
    concurrent
  )

  it.effect(
    "makes nothing final while the second endpoint has another block at that height",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        let request = bench.chain.request
        const second = endpointOf("second", (method, params) => request(method, params), 60)
        const lane = yield* bench.openOver([bench.endpoint, second])
        const { key, waiter } = yield* mined(bench, lane)
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        const fork = yield* bench.chain.fork
        yield* Effect.andThen(fork.reorg(1, { keep: false }), fork.mine(50))
        request = fork.request
        yield* bench.mining
        const { number } = yield* bench.chain.head
        yield* until(bench.chain.head, (head) => head.number >= number + 30n)
        assert.strictEqual(yield* statusOf(bench, key), "mined")
        request = bench.chain.request
        yield* until(statusOf(bench, key), (status) => status === "final")
      }),
    concurrent
  )

  for (const depth of [5, 1]) {
    it.effect(
      `follows a reorg that the best of three endpoints does not show (final at a depth of ${depth})`,
      () =>
        Effect.gen(function*() {
          const bench = yield* TestLane.make({ ...patient, finalityDepth: depth })
          const { lane, leave } = yield* openWithLeftBranch(bench)
          const { key, waiter } = yield* mined(bench, lane)
          assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
          yield* bench.chain.mine(3)
          const before = depth === 1 ? "final" : "mined"
          yield* until(statusOf(bench, key), (status) => status === before)
          yield* leave
          yield* bench.chain.reorg(4, { keep: false })
          yield* bench.chain.mine(20)
          yield* lane.recheck
          yield* until(statusOf(bench, key), (status) => status === "signed")
          yield* bench.mining
          yield* areFinal(bench, [key])
        }),
      concurrent
    )
  }

  it.effect(
    "alerts once about a reorg of final blocks, with the transactions that it removed",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        yield* bench.hearAlerts
        const lane = yield* bench.open
        const flights = yield* Effect.forEach([1, 2], () => mined(bench, lane))
        yield* bench.chain.mine(3)
        for (const { key } of flights) yield* until(statusOf(bench, key), (status) => status === "final")
        assert.deepStrictEqual(yield* bench.alerts, [])
        yield* bench.chain.reorg(5, { keep: false })
        yield* lane.recheck
        for (const { key } of flights) yield* until(statusOf(bench, key), (status) => status === "signed")
        yield* bench.mining
        for (const { key } of flights) yield* until(statusOf(bench, key), (status) => status === "final")
        assert.deepStrictEqual(yield* bench.alerts, ["deep_reorg"])
        const sql = yield* SqlClient.SqlClient
        const [event] = yield* sql<{ readonly data: { readonly transactions: number; readonly block: string } }>`
        select data from webhook_events where type = 'wallet.alert' and wallet = ${bench.wallet}`
        assert.deepInclude(event?.data, { transactions: 2, block: "1" })
      }),
    concurrent
  )

  it.effect(
    "makes nothing final before it has written what a deep reorg did to earlier ones: its owner may end in between",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        const store = yield* SubmissionStore
        const [first, second] = yield* finalThenSigned(bench)
        yield* bench.chain.reorg(4)
        yield* bench.chain.mine(5)
        yield* Effect.scoped(Effect.gen(function*() {
          const reached = yield* Deferred.make<void>()
          const stuck = {
            ...store,
            recordMoved: () => Effect.andThen(Deferred.succeed(reached, undefined), Effect.never)
          }
          yield* bench.openAmong({ store: stuck })
          yield* Deferred.await(reached)
          assert.strictEqual(yield* statusOf(bench, first), "final")
          assert.strictEqual(yield* statusOf(bench, second), "mined")
        }))
        yield* bench.open
        yield* bench.mining
        yield* areFinal(bench, [first, second])
      }),
    concurrent
  )

  it.effect(
    "makes nothing final while the chain has not reached the block of an earlier final one again",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        const { chain } = bench
        const before = yield* chain.snapshot
        yield* chain.mine(8)
        const [first, second] = yield* finalThenSigned(bench)
        const raws = bench.sends.map(({ raw }) => raw)
        yield* chain.restore(before)
        for (const raw of raws) yield* chain.broadcast(raw)
        yield* chain.mine(5)
        const { store, writes } = yield* watchedStore
        yield* bench.openAmong({ store })
        yield* until(statusOf(bench, second), (status) => status === "mined")
        yield* bench.mining
        yield* until(Effect.sync(() => writes.length), (length) => length > 0)
        assert.strictEqual(writes[0], `moved ${first}`)
        yield* areFinal(bench, [first, second])
      }),
    concurrent
  )

  it.effect(
    "makes nothing final that shows a reorg of final blocks before the head does",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        const { chain } = bench
        yield* chain.mine(8)
        const released = yield* Deferred.make<void>()
        const branch: { left?: Request } = {}
        let hasReceipt = false
        // After the reorg, heads come from the branch that it left until a receipt of the new one was read; from then on
        // they are answered only once a block of it was read.
        const endpoint = endpointOf("node", (method, params) => {
          if (branch.left === undefined) return chain.request(method, params)
          if (method === "eth_getTransactionReceipt") hasReceipt = true
          if (method !== "eth_getBlockByNumber") return chain.request(method, params)
          if (params[0] === "latest") {
            return hasReceipt
              ? Effect.andThen(Deferred.await(released), chain.request(method, params))
              : branch.left(method, params)
          }
          return Effect.andThen(Deferred.succeed(released, undefined), chain.request(method, params))
        }, 1)
        const { store, writes } = yield* watchedStore
        const lane = yield* bench.openOver([endpoint], {}, [], { store })
        const { key: first } = yield* mined(bench, lane)
        yield* chain.mine(3)
        yield* until(statusOf(bench, first), (status) => status === "final")
        const second = yield* bench.put()
        yield* Effect.forkScoped(lane.submit(second))
        yield* until(chain.waiting, (waiting) => waiting.length > 0)
        branch.left = chain.reading(yield* chain.snapshot)
        yield* chain.reorg(12, { empty: 2 })
        yield* bench.mining
        for (const key of [first, second]) yield* until(statusOf(bench, key), (status) => status === "final")
        assert.deepStrictEqual(writes.slice(0, 2), [`final ${first}`, `moved ${first}`])
        yield* areFinal(bench, [first, second])
      }),
    concurrent
  )

  it.effect("does not alert about a reorg of blocks that were not final", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make({ ...patient, finalityDepth: 5 })
      yield* bench.hearAlerts
      const lane = yield* bench.open
      const { key, waiter } = yield* mined(bench, lane)
      yield* Fiber.join(waiter)
      yield* bench.chain.reorg(1, { keep: false })
      yield* lane.recheck
      yield* until(statusOf(bench, key), (status) => status === "signed")
      yield* bench.mining
      yield* until(statusOf(bench, key), (status) => status === "final")
      assert.deepStrictEqual(yield* bench.alerts, [])
    }), concurrent)
})
