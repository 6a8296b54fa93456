import { assert, it } from "@effect/vitest"
import type { Hash } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import * as TestClock from "effect/testing/TestClock"
import type { Block } from "../../src/chain/BlockFollower.ts"
import * as BlockFollower from "../../src/chain/BlockFollower.ts"
import { type RpcFailure, RpcUnavailable } from "../../src/chain/RpcFailure.ts"

const pollMillis = 100

const hashOf = (branch: string, number: bigint): Hash =>
  `0x${Buffer.from(`${branch} ${number}`).toString("hex").padStart(64, "0")}`

/** Blocks up to a number; above `fork` they are another branch's. */
const chainTo = (height: bigint, branch = "main", fork = -1n): ReadonlyArray<Block> => {
  const hashAt = (number: bigint) => hashOf(number > fork ? branch : "main", number)
  return Array.from({ length: Number(height) + 1 }, (_, index) => BigInt(index)).map((number) => ({
    number,
    hash: hashAt(number),
    parentHash: number === 0n ? hashOf("nothing", 0n) : hashAt(number - 1n),
    baseFee: 1n,
    time: 0
  }))
}

/** A follower of a node with scripted answers. */
const followed = (height: bigint) =>
  Effect.gen(function*() {
    let blocks = chainTo(height)
    let failure: Effect.Effect<never, RpcFailure> | undefined
    let asked = 0
    const follower = yield* BlockFollower.make({
      pollMillis,
      block: (number) =>
        Effect.suspend(() => {
          asked += 1
          return failure ?? Effect.succeed((number === "latest" ? blocks.at(-1) : blocks[Number(number)]) ?? null)
        })
    })
    return {
      ...follower,
      become: (next: ReadonlyArray<Block>) =>
        Effect.sync(() => {
          blocks = next
        }),
      fail: (how: typeof failure) =>
        Effect.sync(() => {
          failure = how
        }),
      asked: Effect.sync(() => asked)
    }
  })

const polls = (count: number) => TestClock.adjust(count * pollMillis)
const unreachable = new RpcUnavailable({ network: "optimism", reason: "HTTP 503" })

it.effect("sends no request while no caller waits", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* node.asked, 0)
  }))

it.effect("polls at its pace while a caller waits, returns the block, and polls no more", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    const waiter = yield* Effect.forkChild(node.awaitBlockAfter(5n))
    for (let turn = 0; turn < 10; turn++) yield* polls(1)
    assert.isAtLeast(yield* node.asked, 9)
    assert.isAtMost(yield* node.asked, 11)
    assert.isTrue(Option.isNone(yield* Effect.sync(() => Option.fromNullishOr(waiter.pollUnsafe()))))
    yield* node.become(chainTo(6n))
    yield* polls(1)
    assert.strictEqual((yield* Fiber.join(waiter)).number, 6n)
    yield* polls(1)
    const asked = yield* node.asked
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* node.asked, asked)
  }))

it.effect("answers all waiting callers with one request per round", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    const waiters = yield* Effect.forEach(Array.from({ length: 50 }, () => node.awaitBlockAfter(5n)), (waiter) =>
      Effect.forkChild(waiter))
    yield* polls(1)
    yield* node.become(chainTo(6n))
    yield* polls(1)
    assert.deepStrictEqual(
      new Set((yield* Fiber.joinAll(waiters)).map(({ number }) =>
        number
      )),
      new Set([6n])
    )
    assert.isAtMost(yield* node.asked, 4)
  }))

it.effect("stops polling when all waiting callers were interrupted", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    const waiter = yield* Effect.forkChild(node.awaitBlockAfter(5n))
    yield* polls(2)
    yield* Fiber.interrupt(waiter)
    yield* polls(2)
    const asked = yield* node.asked
    yield* TestClock.adjust("1 hour")
    assert.strictEqual(yield* node.asked, asked)
  }))

it.effect("polls a tenth as often for callers that wait for finality only, until one waits for the next block", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    yield* Effect.forkChild(node.awaitBlockAfter(9n, "slow"))
    for (let turn = 0; turn < 100; turn++) yield* polls(1)
    const slow = yield* node.asked
    assert.isAtMost(slow, 12)
    assert.isAtLeast(slow, 9)
    yield* node.become(chainTo(6n))
    const waiter = yield* Effect.forkChild(node.awaitBlockAfter(5n, "fast"))
    yield* polls(2)
    assert.strictEqual((yield* Fiber.join(waiter)).number, 6n)
  }))

for (
  const [where, next, reached] of [
    ["at the same height", chainTo(5n, "other", 4n), 5n],
    ["below it", chainTo(4n, "other", 2n), 4n],
    ["deep below it, the branch being longer", chainTo(6n, "other", 1n), 6n],
    ["across blocks it did not see", chainTo(40n, "other", 2n), 40n]
  ] as const
) {
  it.effect(`detects a reorg ${where}, and wakes waiting callers`, () =>
    Effect.gen(function*() {
      const node = yield* followed(0n)
      for (let height = 1n; height <= 5n; height++) {
        yield* node.become(chainTo(height))
        yield* node.head
      }
      const waiter = yield* Effect.forkChild(node.awaitBlockAfter(1000n))
      yield* polls(2)
      assert.strictEqual(yield* node.reorgs, 0)
      yield* node.become(next)
      yield* polls(2)
      assert.strictEqual((yield* Fiber.join(waiter)).number, reached)
      assert.strictEqual(yield* node.reorgs, 1)
      yield* node.become(
        chainTo(reached + 1n, "other", 1n).map((block) =>
          next[Number(block.number)] ?? { ...block, parentHash: next.at(-1)!.hash }
        )
      )
      yield* node.head
      assert.strictEqual(yield* node.reorgs, 1)
    }))
}

it.effect("detects a reorg among unseen blocks when the last block it saw is gone", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    yield* node.head
    yield* node.become(chainTo(9n, "other", 3n))
    yield* node.head
    assert.strictEqual(yield* node.reorgs, 1)
  }))

it.effect("does not take missed blocks for a reorg", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    for (const height of [5n, 9n, 10n, 700n, 1400n]) {
      yield* node.become(chainTo(height))
      assert.strictEqual((yield* node.head).number, height)
    }
    assert.strictEqual(yield* node.reorgs, 0)
  }))

it.effect("does not take a lagging answer for a reorg, whether it saw those blocks or not", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    for (const height of [5n, 6n, 5n, 3n, 6n, 7n, 2n, 9n]) {
      yield* node.become(chainTo(height))
      yield* node.head
    }
    assert.strictEqual(yield* node.reorgs, 0)
  }))

it.effect("does not wake a waiter with a lagging answer", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    yield* node.head
    const waiter = yield* Effect.forkChild(node.awaitBlockAfter(5n))
    yield* node.become(chainTo(3n))
    yield* polls(3)
    assert.isTrue(Option.isNone(yield* Effect.sync(() => Option.fromNullishOr(waiter.pollUnsafe()))))
    yield* node.become(chainTo(6n))
    yield* polls(2)
    assert.strictEqual((yield* Fiber.join(waiter)).number, 6n)
  }))

for (
  const [how, failure] of [["fails", Effect.fail(unreachable)], ["dies", Effect.die("a bug in the client")]] as const
) {
  it.effect(`survives a node that ${how}, and answers when it is back`, () =>
    Effect.gen(function*() {
      const node = yield* followed(5n)
      const waiter = yield* Effect.forkChild(node.awaitBlockAfter(5n))
      yield* node.fail(failure)
      for (let turn = 0; turn < 5; turn++) yield* polls(1)
      assert.isTrue(Option.isNone(yield* Effect.sync(() => Option.fromNullishOr(waiter.pollUnsafe()))))
      yield* node.fail(undefined)
      yield* node.become(chainTo(6n))
      yield* polls(2)
      assert.strictEqual((yield* Fiber.join(waiter)).number, 6n)
      assert.strictEqual(yield* node.reorgs, 0)
    }))
}

it.effect("fails to read the head of a node that cannot be reached or has none", () =>
  Effect.gen(function*() {
    const node = yield* followed(5n)
    yield* node.fail(Effect.fail(unreachable))
    assert.deepStrictEqual(yield* Effect.flip(node.head), unreachable)
    yield* node.fail(undefined)
    yield* node.become([])
    assert.strictEqual((yield* Effect.flip(node.head))._tag, "RpcRefused")
  }))

it.effect("does not take a poll that overtakes another pending one for a reorg", () =>
  Effect.gen(function*() {
    let head = 5n
    const slow = yield* Latch.make(false)
    const blocks = chainTo(10n)
    const follower = yield* BlockFollower.make({
      pollMillis,
      block: (number) =>
        number === "latest" ? Effect.sync(() => blocks[Number(head)]!) : Effect.as(slow.await, blocks[Number(number)]!)
    })
    yield* follower.head
    head = 10n
    const overtaken = yield* Effect.forkChild(follower.head)
    yield* Effect.yieldNow
    head = 6n
    yield* follower.head
    yield* slow.open
    yield* Fiber.join(overtaken)
    assert.strictEqual(yield* follower.reorgs, 0)
  }))
