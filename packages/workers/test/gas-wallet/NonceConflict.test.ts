/**
 * Used nonces without a receipt of ours: wrong or incomplete answers of nodes must not make a lane give up a
 * transaction.
 */
import { assert, layer } from "@effect/vitest"
import { Fault } from "@vault-trader/testing/test-chain/NodeFault"
import * as FaultyNode from "@vault-trader/testing/test-chain/FaultyNode"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import type { RpcEndpoint } from "../../src/chain/RpcEndpoint.ts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import { WalletAlerts } from "../../src/gas-wallet/WalletAlerts.ts"
import * as TestLane from "./TestLane.ts"
import { until } from "./TestLane.ts"

const concurrent = { concurrent: true }
/** So long that nothing is re-priced in a test. */
const patient = { patienceMillis: 60_000 }
const swallowing = { method: "eth_sendRawTransaction", fault: Fault.Swallow() }
const emptyIndex = /eth_getTransactionReceipt|eth_getTransactionByHash/

type Bench = Effect.Success<ReturnType<typeof TestLane.make>>

/** A second endpoint of the same chain, with separate faults, ranked behind or before the first by its latency. */
const endpointOf = (bench: Bench, latency: number) =>
  Effect.map(FaultyNode.make(bench.chain, { seed: 2 }), (faults) => ({
    faults,
    endpoint: {
      name: `latency ${latency}`,
      score: () => ({ latency, errors: 0, head: 0n }),
      send: ({ method, params }) =>
        Effect.mapError(
          faults.request(method, params),
          (failure) => failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)
        )
    } satisfies RpcEndpoint
  }))

const minedBy = (bench: Bench) =>
  Effect.map(bench.chain.transactionsOf(bench.wallet), (mined) => mined.map(({ hash }) => hash))

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("a used nonce without a receipt", (it) => {
  it.effect(
    "executes a trade once although the faster of two endpoints has an empty index",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        const liar = yield* endpointOf(bench, 1)
        yield* liar.faults.rule({ method: emptyIndex, fault: Fault.Malformed({ result: null }) })
        const honest = yield* endpointOf(bench, 60)
        yield* bench.mining
        const lane = yield* bench.openOver([liar.endpoint, honest.endpoint])
        const key = yield* bench.put()
        const settled = yield* lane.submit(key)
        assert.strictEqual(settled._tag, "Mined")
        assert.lengthOf(yield* minedBy(bench), 1)
        assert.deepStrictEqual(yield* bench.alerts, [])
      }),
    concurrent
  )

  it.effect(
    "keeps a mined transaction pending while its only endpoint has an empty index, however long, and settles it afterwards",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.faults.rule({ method: emptyIndex, fault: Fault.Malformed({ result: null }) })
        const lane = yield* bench.open
        const key = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* bench.chain.mine(40)
        const next = yield* bench.put()
        const second = yield* Effect.forkChild(lane.submit(next))
        // The block's body has our transaction: that explains the nonce, and the lane continues.
        yield* until(bench.row(next), ({ status }) => status === "signed")
        yield* bench.chain.mine(40)
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        assert.isTrue(Option.isNone(yield* Effect.sync(() => Option.fromNullishOr(waiter.pollUnsafe()))))
        yield* bench.faults.stopFaults
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        assert.strictEqual((yield* Fiber.join(second))._tag, "Mined")
        assert.lengthOf(yield* minedBy(bench), 2)
      }),
    concurrent
  )

  it.effect(
    "signs nothing new and alerts while no block shows what used a nonce, and resumes when one does",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        // The node hides blocks' bodies as well as the index.
        yield* bench.faults.rule({ method: emptyIndex, fault: Fault.Malformed({ result: null }) })
        yield* bench.faults.rule({
          method: "eth_getBlockByNumber",
          when: ([, whole]) => whole === true,
          fault: Fault.Malformed({ result: null })
        })
        const lane = yield* bench.open
        const key = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* Effect.forkScoped(Effect.forever(Effect.delay(bench.chain.mine(), "10 millis")))
        yield* until(bench.alerts, (alerts) => alerts.length > 0)
        assert.deepStrictEqual(yield* bench.alerts, ["unexplained_nonce"])
        const next = yield* bench.put()
        const second = yield* Effect.forkChild(lane.submit(next))
        const looks = yield* bench.asked("eth_getBlockByNumber")
        yield* until(bench.asked("eth_getBlockByNumber"), (now) => now > looks + 100)
        assert.strictEqual((yield* bench.row(next)).status, "queued")
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        assert.deepStrictEqual(bench.signed, [0n])
        yield* bench.faults.stopFaults
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        assert.strictEqual((yield* Fiber.join(second))._tag, "Mined")
        assert.lengthOf(yield* minedBy(bench), 2)
      }),
    concurrent
  )

  it.effect(
    "does not give a nonce up while one of two endpoints contradicts the foreign transaction",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make(patient)
        yield* bench.hearAlerts
        const liar = yield* endpointOf(bench, 1)
        const honest = yield* endpointOf(bench, 60)
        const lane = yield* bench.openOver([liar.endpoint, honest.endpoint])
        const key = yield* bench.put()
        yield* bench.chain.mine(3)
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        // The contradicting endpoint is on a fork where a foreign transaction has the nonce.
        const fork = yield* bench.chain.fork
        yield* fork.dropAll
        yield* fork.foreign(bench.privateKey, { nonce: 0n })
        yield* fork.mine(8)
        const forked = yield* FaultyNode.make(fork, { seed: 3 })
        yield* liar.faults.rule({ method: /.*/, fault: Fault.Http({ status: 503 }) })
        const second = yield* bench.openOver([
          {
            name: "fork",
            score: () => ({ latency: 1, errors: 0, head: 0n }),
            send: ({ method, params }) =>
              Effect.mapError(
                forked.request(method, params),
                (failure) => failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)
              )
          },
          honest.endpoint
        ])
        const asked = yield* Effect.forkChild(second.submit(key))
        yield* until(bench.alerts, (alerts) => alerts.includes("unexplained_nonce"))
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        yield* liar.faults.stopFaults
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
        assert.lengthOf(yield* minedBy(bench), 1)
        yield* Fiber.interrupt(asked)
      }),
    concurrent
  )

  it.effect(
    "does not give a nonce up by the word of one endpoint while the other does not return the block",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        yield* bench.hearAlerts
        const honest = yield* endpointOf(bench, 60)
        yield* honest.faults.rule({
          method: "eth_getBlockByNumber",
          when: ([, whole]) => whole === true,
          fault: Fault.Http({ status: 503 })
        })
        // Signed bytes reach no node, and the honest one reports the count of the chain with the foreign transaction.
        yield* honest.faults.rule(swallowing)
        const fast = yield* endpointOf(bench, 1)
        yield* fast.faults.rule(swallowing)
        const lane = yield* bench.openOver([fast.endpoint, honest.endpoint])
        const key = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* until(bench.attempts(key), (attempts) => attempts.length === 1)
        yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
        yield* bench.chain.mine(20)
        yield* until(bench.alerts, (alerts) => alerts.includes("unexplained_nonce"))
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        yield* honest.faults.stopFaults
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Superseded")
      }),
    concurrent
  )

  it.effect(
    "does not record a receipt that one endpoint shows in a block without the transaction",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 1 })
        yield* bench.hearAlerts
        const honest = yield* endpointOf(bench, 1)
        yield* honest.faults.rule(swallowing)
        const liar = yield* endpointOf(bench, 60)
        yield* liar.faults.rule(swallowing)
        const lane = yield* bench.openOver([honest.endpoint, liar.endpoint])
        const key = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* until(bench.attempts(key), (attempts) => attempts.length === 1)
        const [attempt] = yield* bench.attempts(key)
        const { hash, number } = yield* bench.chain.head
        const receipt = {
          ...{ transactionHash: attempt?.hash, blockHash: hash, blockNumber: `0x${number.toString(16)}` },
          ...{ status: "0x1", gasUsed: "0x5208", effectiveGasPrice: "0x1", logs: [] }
        }
        yield* liar.faults.rule({ method: "eth_getTransactionReceipt", fault: Fault.Malformed({ result: receipt }) })
        yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
        yield* bench.chain.mine(20)
        const asked = (yield* liar.faults.log).length
        yield* until(liar.faults.log, (log) => log.length > asked + 3)
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        yield* liar.faults.stopFaults
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Superseded")
      }),
    concurrent
  )

  it.effect(
    "supersedes by a final foreign transaction once the alert about it is written, and not before",
    () =>
      Effect.gen(function*() {
        const alerts = yield* WalletAlerts
        let isAway = true
        let lost = 0
        const raise: typeof alerts.raise = (alert) =>
          Effect.suspend(() => {
            if (!isAway) return alerts.raise(alert)
            lost++
            return Effect.succeed(false)
          })
        const bench = yield* Effect.provideService(TestLane.make(patient), WalletAlerts, { raise })
        yield* bench.hearAlerts
        yield* bench.faults.rule(swallowing)
        const lane = yield* bench.open
        const key = yield* bench.put()
        const waiter = yield* Effect.forkChild(lane.submit(key))
        yield* until(Effect.sync(() => bench.sends), (sends) => sends.length > 0)
        yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
        yield* bench.chain.mine(6)
        yield* until(Effect.sync(() => lost), (times) => times > 3)
        assert.strictEqual((yield* bench.row(key)).status, "signed")
        isAway = false
        assert.strictEqual((yield* Fiber.join(waiter))._tag, "Superseded")
        assert.deepStrictEqual(yield* bench.alerts, ["foreign_transaction"])
      }),
    concurrent
  )

  it.effect(
    "supersedes by a foreign transaction though the node has no state of old blocks, and records every other receipt meanwhile",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ ...patient, finalityDepth: 6 })
        yield* bench.hearAlerts
        const pruned = Fault.Refuse({ code: -32000, reason: "missing trie node", forwarded: false })
        yield* bench.faults.rule({
          method: "eth_getTransactionCount",
          when: ([, block]) => block !== "latest" && block !== "pending",
          fault: pruned
        })
        yield* bench.faults.rule({ ...swallowing, times: 1 })
        const lane = yield* bench.open
        const lost = yield* bench.put()
        const loser = yield* Effect.forkChild(lane.submit(lost))
        yield* until(bench.attempts(lost), (attempts) => attempts.length === 1)
        yield* until(Effect.sync(() => bench.sends), (sends) => sends.length === 1)
        yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
        yield* bench.chain.mine()
        const other = yield* bench.put()
        const winner = yield* Effect.forkChild(lane.submit(other))
        yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
        yield* bench.chain.mine()
        // The other transaction's receipt is recorded while the first one's nonce is not settled.
        assert.strictEqual((yield* Fiber.join(winner))._tag, "Mined")
        assert.strictEqual((yield* bench.row(lost)).status, "signed")
        yield* bench.mining
        assert.strictEqual((yield* Fiber.join(loser))._tag, "Superseded")
        assert.deepStrictEqual(yield* bench.alerts, ["foreign_transaction"])
      }),
    concurrent
  )
})
