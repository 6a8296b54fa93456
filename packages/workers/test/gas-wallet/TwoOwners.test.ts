/**
 * Two owners of one lane, one of them late: the rows written by the other meanwhile decide, never what the late one
 * meant to write.
 */
import { assert, layer } from "@effect/vitest"
import { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import { Fault } from "@vault-trader/testing/test-chain/NodeFault"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Scope from "effect/Scope"
import * as ChainClient from "../../src/chain/ChainClient.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import { RpcRefused, RpcUnavailable } from "../../src/chain/RpcFailure.ts"
import * as NonceLane from "../../src/gas-wallet/NonceLane.ts"
import * as TestLane from "./TestLane.ts"
import { network, until } from "./TestLane.ts"

const concurrent = { concurrent: true }
const patient = { patienceMillis: 60_000 }

type Bench = Effect.Success<ReturnType<typeof TestLane.make>>

/** The receipt of a block that no longer exists. */
const seen = (hash: Receipt["transactionHash"]) =>
  Receipt.make({
    transactionHash: hash,
    blockHash: hash,
    blockNumber: 1n,
    succeeded: true,
    gasUsed: 21_000n,
    effectiveGasPrice: 1n,
    logs: []
  })

/** A lane in which another owner writes before each of its writes. */
const late = (bench: Bench, preceded: (store: SubmissionStore["Service"]) => Partial<SubmissionStore["Service"]>) =>
  Effect.gen(function*() {
    const store = yield* SubmissionStore
    const rpc = JsonRpc.overEndpoints(network, [{
      name: "test-chain",
      score: () => ({ latency: 50, errors: 0, head: 0n }),
      send: ({ method, params }) =>
        Effect.mapError(
          bench.faults.request(method, params),
          (failure) => failure._tag === "RpcRefused" ? new RpcRefused(failure) : new RpcUnavailable(failure)
        )
    }])
    const chain = yield* ChainClient.make(bench.chain.book({ blockPollMillis: 5, finalityDepth: 3, ...patient }), rpc)
    return yield* NonceLane.open({ network, wallet: bench.wallet, chain }).pipe(
      Effect.provideService(SubmissionStore, { ...store, ...preceded(store) })
    )
  })

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the late one of two owners", (it) => {
  it.effect("does not report as refused what the other has signed", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      yield* bench.mining
      const reverting = Fault.Refuse({ code: 3, reason: "execution reverted", forwarded: false })
      for (const method of ["eth_estimateGas", "eth_call"]) {
        yield* bench.faults.rule({ method, fault: reverting, times: 1 })
      }
      const key = yield* bench.put()
      const lane = yield* late(bench, (store) => ({
        refuse: (refused, failure) =>
          Effect.gen(function*() {
            const other = yield* Effect.scoped(Effect.flatMap(bench.open, ({ submit }) => submit(key))).pipe(
              Effect.orDie
            )
            assert.strictEqual(other._tag, "Mined")
            yield* store.refuse(refused, failure)
          })
      }))
      assert.strictEqual((yield* lane.submit(key))._tag, "Mined")
      assert.lengthOf(yield* bench.chain.transactionsOf(bench.wallet), 1)
    }), concurrent)

  it.effect("does not report as superseded what the other has seen mined", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      yield* bench.faults.rule({ method: "eth_sendRawTransaction", fault: Fault.Swallow() })
      const key = yield* bench.put()
      const lane = yield* late(bench, (store) => ({
        supersede: (superseded) =>
          Effect.gen(function*() {
            const [attempt] = yield* bench.attempts(key)
            yield* store.recordMined([{ key, receipt: seen(attempt!.hash) }])
            yield* store.supersede(superseded)
          })
      }))
      const waiter = yield* Effect.forkChild(lane.submit(key))
      yield* until(bench.attempts(key), (attempts) => attempts.length === 1)
      yield* bench.chain.foreign(bench.privateKey, { nonce: 0n })
      yield* bench.mining
      assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
    }), concurrent)

  it.effect("does not take for foreign what the other has signed again", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      const key = yield* bench.put()
      const lane = yield* late(bench, () => ({}))
      const waiter = yield* Effect.forkChild(lane.submit(key))
      yield* until(bench.chain.waiting, (waiting) => waiting.length === 1)
      const life = yield* Scope.make()
      yield* Scope.provide(bench.openWith({ patienceMillis: 1 }), life)
      yield* until(bench.attempts(key), (attempts) => attempts.length === 2)
      const [, replacement] = yield* bench.attempts(key)
      yield* until(bench.chain.waiting, ([waiting]) => waiting?.hash === replacement!.hash)
      yield* Scope.close(life, Exit.void)
      yield* bench.mining
      const settled = yield* Fiber.join(waiter)
      assert.strictEqual(settled._tag === "Mined" ? settled.receipt.transactionHash : settled._tag, replacement!.hash)
    }), concurrent)

  it.effect(
    "may record as mined what a reorg has removed since: the other one continues with it, at a fee that is accepted",
    () =>
      Effect.gen(function*() {
        const bench = yield* TestLane.make({ patienceMillis: 500 })
        const store = yield* SubmissionStore
        const key = yield* bench.put()
        const lane = yield* bench.open
        yield* Effect.forkChild(lane.submit(key))
        const [attempt] = yield* until(bench.attempts(key), (attempts) => attempts.length > 0)
        yield* store.recordMined([{ key, receipt: seen(attempt!.hash) }])
        yield* bench.chain.setBaseFee(10n * 10n ** 9n)
        yield* bench.mining
        yield* until(bench.attempts(key), (attempts) => attempts.some(({ status }) => status === "final"))
        assert.lengthOf(yield* bench.chain.transactionsOf(bench.wallet), 1)
      }),
    concurrent
  )
})
