import { assert, layer } from "@effect/vitest"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Effect from "effect/Effect"
import * as ChainClient from "../../src/chain/ChainClient.ts"
import * as JsonRpc from "../../src/chain/JsonRpc.ts"
import { isUnpayable } from "../../src/vault/Affordability.ts"
import { withOracle } from "../chain/L1Oracle.ts"
import * as TestLane from "./TestLane.ts"

const { ether, network } = TestLane
/** No transaction is replaced at a higher fee, however slow the machine is. */
const patient = { patienceMillis: 600_000 }

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the L1 data fee", (it) => {
  it.effect("counts towards what a wallet must hold, so that a call whose gas alone it can pay is refused", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      yield* bench.mining
      let fee = 0n
      const lane = yield* bench.openOver([withOracle(bench.endpoint, () => fee)])
      assert.strictEqual((yield* lane.submit(yield* bench.put()))._tag, "Mined")
      // The price is renewed for a new client, as after half a minute.
      fee = ether
      const expensive = yield* bench.openOver([withOracle(bench.endpoint, () => fee)])
      const refused = yield* expensive.submit(yield* bench.put())
      assert.strictEqual(refused._tag, "Refused")
      if (refused._tag === "Refused") assert.strictEqual(refused.failure.errorType, "insufficient_gas")
      assert.lengthOf(yield* bench.allAttempts, 1)
    }))

  it.effect("of a transaction in flight stays reserved until it is mined", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      // Two data fees and a quarter each exceed the balance; one does not.
      const lane = yield* bench.openOver([withOracle(bench.endpoint, () => ether / 2n)])
      const first = yield* bench.put()
      yield* Effect.forkScoped(lane.submit(first))
      yield* TestLane.until(bench.attempts(first), (rows) => rows.length > 0)
      const second = yield* lane.submit(yield* bench.put())
      assert.strictEqual(second._tag, "Refused")
      assert.lengthOf(yield* bench.allAttempts, 1)
    }))

  it.effect("stays reserved in a lane that resumes the transaction from its rows", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make(patient)
      const endpoint = withOracle(bench.endpoint, () => ether / 2n)
      const first = yield* bench.put()
      yield* Effect.scoped(Effect.gen(function*() {
        const lane = yield* bench.openOver([endpoint])
        yield* Effect.forkChild(lane.submit(first))
        yield* TestLane.until(bench.attempts(first), (rows) => rows.length > 0)
      }))
      const next = yield* bench.openOver([endpoint])
      const second = yield* next.submit(yield* bench.put())
      assert.strictEqual(second._tag, "Refused")
      assert.lengthOf(yield* bench.allAttempts, 1)
    }))

  it.effect("makes a signed transaction unpayable when the balance does not cover it", () =>
    Effect.gen(function*() {
      const store = yield* SubmissionStore
      const bench = yield* TestLane.make(patient)
      const lane = yield* bench.open
      const key = yield* bench.put()
      yield* Effect.forkScoped(lane.submit(key))
      yield* TestLane.until(bench.attempts(key), (rows) => rows.length > 0)
      for (const [fee, unpayable] of [[0n, false], [ether / 2n, false], [ether, true]] as const) {
        const chain = yield* ChainClient.make(
          bench.chain.book({}),
          JsonRpc.overEndpoints(network, [withOracle(bench.endpoint, () => fee)])
        )
        assert.strictEqual(
          yield* isUnpayable({ chain, store, network, wallet: bench.wallet, key }),
          unpayable,
          String(fee)
        )
      }
    }))
})
