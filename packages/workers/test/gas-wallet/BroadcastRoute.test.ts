import { assert, layer } from "@effect/vitest"
import { Attempt } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { isPrivate } from "../../src/gas-wallet/BroadcastRoute.ts"
import * as InFlight from "../../src/gas-wallet/InFlight.ts"
import { endpointOf } from "../chain/TestClient.ts"
import * as TestLane from "./TestLane.ts"
import { network, until } from "./TestLane.ts"

const sending = "eth_sendRawTransaction"

layer(TestLane.Stores, { timeout: "4 minutes", excludeTestServices: true })("the endpoints of signed bytes", (it) => {
  it.effect("sends a young call to private endpoints only, and to every endpoint afterwards", () =>
    Effect.gen(function*() {
      const privateFallbackMillis = 1_000
      const bench = yield* TestLane.make({
        patienceMillis: 60_000,
        privateRpcUrls: ["http://private.invalid"],
        privateFallbackMillis
      })
      const hidden: Array<string> = []
      // Accepts bytes and forwards none.
      const swallowing = endpointOf("private", (method) =>
        Effect.sync(() => {
          hidden.push(method)
          return "0x"
        }))
      const lane = yield* bench.openOver([bench.endpoint], {}, [swallowing])
      const begunAt = Date.now()
      const key = yield* bench.put()
      const waiter = yield* Effect.forkChild(lane.submit(key))
      yield* until(Effect.sync(() => hidden), (calls) => calls.length > 0)
      yield* until(bench.chain.waiting, (waiting) => waiting.length > 0)
      assert.isAtLeast(Date.now() - begunAt, privateFallbackMillis)
      yield* bench.chain.mine()
      assert.strictEqual((yield* Fiber.join(waiter))._tag, "Mined")
      assert.deepStrictEqual(new Set(hidden), new Set([sending]))
    }))

  it.effect("sends cancellations, fillers and everything of a network without private endpoints to all", () =>
    Effect.gen(function*() {
      const bench = yield* TestLane.make({ privateRpcUrls: ["http://private.invalid"], privateFallbackMillis: 1_000 })
      const book = bench.chain.book({ privateRpcUrls: ["http://private.invalid"], privateFallbackMillis: 1_000 })
      const call = Attempt.make({
        ...{ network, wallet: bench.wallet, nonce: 0n, attempt: 0, submissionKey: "an intent/0", cancels: false },
        ...{ hash: `0x${"00".repeat(32)}`, raw: "0x", gasLimit: 1n, maxFeePerGas: 1n, maxPriorityFeePerGas: 1n }
      })
      const row = { key: call.submissionKey, value: 0n, reserve: 0n, waitingForGas: false, validUntil: null }
      const flight = InFlight.make([call], row, 0)
      assert.isTrue(isPrivate(book, call, flight, 999))
      assert.isFalse(isPrivate(book, call, flight, 1_000))
      assert.isFalse(isPrivate(book, { ...call, cancels: true }, flight, 0))
      assert.isFalse(isPrivate(book, { ...call, submissionKey: "filler/optimism/0x/0" }, flight, 0))
      assert.isFalse(isPrivate(bench.chain.book(), call, flight, 0))
    }))
})
