/**
 * Follows the head of one network and detects reorgs. Polls only while a caller waits, so an idle network costs no
 * call.
 */
import type { Hash } from "@vault-trader/core/chain/Address"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Ref from "effect/Ref"
import type { Scope } from "effect/Scope"
import { type RpcFailure, RpcRefused } from "./RpcFailure.ts"

/** The fields of a block that the follower needs. */
export interface Block {
  readonly number: bigint
  readonly hash: Hash
  readonly parentHash: Hash
  /** Wei per gas. */
  readonly baseFee: bigint
  /** Block time, unix seconds. */
  readonly time: number
}

/**
 * `fast`: a transaction may be mined in the next block. `slow`: the caller waits only for finality, so a tenth of the
 * pace is enough.
 */
type Pace = "fast" | "slow"

export interface BlockFollower {
  /** Reads the current head. */
  readonly head: Effect.Effect<Block, RpcFailure>
  /** Returns the newest block seen in the last few seconds; reads the head where there is none. */
  readonly newest: Effect.Effect<Block, RpcFailure>
  /** Returns the hash at this height in the chain that is followed; `undefined` where it was not seen. */
  readonly knownHash: (number: bigint) => Hash | undefined
  /** Waits for a block above the given one, or for a reorg, and returns the head. */
  readonly awaitBlockAfter: (block: bigint, pace?: Pace) => Effect.Effect<Block>
  /** Number of reorgs detected: a caller that saw a smaller number must re-check what it has read. */
  readonly reorgs: Effect.Effect<number>
  /**
   * Returns a function that returns true once a head was observed whose read began after this call: a reorg that had
   * happened by this call is counted then.
   */
  readonly markHead: () => () => boolean
}

interface Waiter {
  readonly above: bigint
  readonly reorgs: number
  readonly pace: Pace
  readonly done: Deferred.Deferred<Block>
}

/** Number of block hashes kept: more than the depth of any reorg we follow. */
const maxKnownHashes = 512
/** How long the head that was seen last stands for the current one. */
const recentHeadMillis = 3_000

/** Builds the memory of the followed chain, by which a reorg is detected. */
const makeHistory = (readBlock: Options["block"]) => {
  const known = new Map<bigint, Hash>()
  let last: Block | undefined
  let seenAt = 0
  let reorgs = 0

  /**
   * Checks whether a head continues the known chain. Blocks that were missed are bridged by reading the last seen
   * block again.
   */
  const continues = (head: Block) =>
    Effect.gen(function*() {
      const same = known.get(head.number)
      if (same !== undefined) return same === head.hash
      const parent = known.get(head.number - 1n)
      if (parent !== undefined) return parent === head.parentHash
      // `last` is copied because a concurrent poll may change it during the read below. A head behind it comes from
      // an endpoint that lags, and says nothing about a reorg.
      const seen = last
      if (seen === undefined || head.number < seen.number) return true
      const there = yield* readBlock(seen.number)
      return there === null || there.hash === seen.hash
    })

  const observe = (head: Block) =>
    Effect.gen(function*() {
      if (!(yield* continues(head))) {
        reorgs += 1
        known.clear()
        last = undefined
        yield* Effect.logInfo("a reorg was detected").pipe(
          Effect.annotateLogs({ head: head.number.toString(), hash: head.hash })
        )
      }
      known.set(head.number, head.hash)
      known.delete(head.number - BigInt(maxKnownHashes))
      if (last === undefined || head.number >= last.number) {
        last = head
        seenAt = yield* Clock.currentTimeMillis
      }
      return head
    })

  /** Returns the newest block if it was seen at most so long ago. */
  const recent = (millis: number) =>
    Effect.map(
      Clock.currentTimeMillis,
      (now) => last !== undefined && now - seenAt <= millis ? last : undefined
    )

  return { observe, recent, knownHash: (number: bigint) => known.get(number), reorgs: () => reorgs }
}

interface Options {
  /** Reads a block by number, or the latest; `null` when there is none. */
  readonly block: (number: bigint | "latest") => Effect.Effect<Block | null, RpcFailure>
  readonly pollMillis: number
}

export const make = (options: Options): Effect.Effect<BlockFollower, never, Scope> =>
  Effect.gen(function*() {
    const waiters = yield* Ref.make<ReadonlyArray<Waiter>>([])
    const wake = yield* Latch.make(false)
    const { knownHash, observe, recent, reorgs } = makeHistory(options.block)

    /** Number of reads of the head that began, and of the newest of them that was observed. */
    let begun = 0
    let observed = 0
    const head = Effect.gen(function*() {
      const own = ++begun
      const found = yield* options.block("latest")
      if (found === null) return yield* new RpcRefused({ code: 0, reason: "the node has no latest block" })
      yield* observe(found)
      observed = Math.max(observed, own)
      return found
    })

    const poll = Effect.gen(function*() {
      const now = yield* head
      const isReached = (waiter: Waiter) => waiter.above < now.number || waiter.reorgs < reorgs()
      const reached = yield* Ref.modify(waiters, (all) => [
        all.filter(isReached),
        all.filter((waiter) => !isReached(waiter))
      ])
      yield* Effect.forEach(reached, ({ done }) => Deferred.succeed(done, now), { discard: true })
    })

    const pause = Effect.flatMap(Ref.get(waiters), (all) =>
      Effect.sleep(all.some(({ pace }) => pace === "fast") ? options.pollMillis : options.pollMillis * 10))

    /** Opened by a fast waiter, so that it does not wait out a slow pause. */
    const speedUp = yield* Latch.make(false)

    yield* Effect.gen(function*() {
      yield* wake.await
      // A node that cannot be reached is polled again in the next round.
      yield* Effect.catchCause(poll, (cause) =>
        Effect.logDebug("the head could not be read", cause))
      yield* speedUp.close
      yield* Effect.race(pause, Effect.andThen(speedUp.await, Effect.sleep(options.pollMillis)))
      // Closed before the check: a caller that starts to wait in between opens it again.
      yield* wake.close
      if ((yield* Ref.get(waiters)).length > 0) yield* wake.open
    }).pipe(Effect.forever, Effect.forkScoped)

    return {
      head,
      newest: Effect.flatMap(recent(recentHeadMillis), (seen) => seen === undefined ? head : Effect.succeed(seen)),
      knownHash,
      reorgs: Effect.sync(reorgs),
      markHead: () => {
        const mark = begun
        return () => observed > mark
      },
      awaitBlockAfter: (above, pace = "fast") =>
        Effect.gen(function*() {
          const done = yield* Deferred.make<Block>()
          const waiter = { above, reorgs: reorgs(), pace, done }
          yield* Ref.update(waiters, (all) => [...all, waiter])
          yield* wake.open
          if (pace === "fast") yield* speedUp.open
          return yield* Effect.onInterrupt(
            Deferred.await(done),
            () => Ref.update(waiters, (all) => all.filter((other) => other !== waiter))
          )
        })
    }
  })
