import { assert, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { keccak256 } from "viem"
import * as HiddenTransactions from "../../src/simulation/HiddenTransactions.ts"
import type { Attempt } from "../../src/simulation/RunEvidence.ts"
import { signed, start, trader } from "../test-chain/Trader.ts"

const attemptOf = (hash: string, nonce: string): Attempt => ({
  ...{ wallet: trader, hash, nonce, attempt: 0, cancels: false, intent_id: "intent", data: "0x", status: "signed" },
  ...{ submission_key: "intent/1", submission_nonce: nonce }
})

it.effect("a lost transaction is hidden while it waits behind a gap, and only then", () =>
  Effect.gen(function*() {
    const { chain, send } = yield* start()
    const first = yield* send({ nonce: 0 })
    const waiting = yield* send({ nonce: 1 })
    let lost: ReadonlyArray<Attempt> = []
    const watch = HiddenTransactions.make({ chain, lost: () => lost })
    const leaves = (value: bigint) =>
      Effect.map(signed({ nonce: 0, value }), (raw) => {
        watch.onSend(raw)
        return Array.from(watch.during(keccak256(raw)))
      })
    lost = [attemptOf(waiting, "1")]
    assert.deepStrictEqual(yield* leaves(1n), [], "nodes count it as pending")
    yield* chain.drop(first)
    assert.deepStrictEqual(yield* leaves(2n), [waiting])
    assert.deepStrictEqual(yield* leaves(1n), [], "bytes that left before are not judged again")
    lost = []
    assert.deepStrictEqual(yield* leaves(3n), [], "its row is known")
    lost = [attemptOf(waiting, "1")]
    yield* chain.drop(waiting)
    assert.deepStrictEqual(yield* leaves(4n), [], "no node has it")
  }))
