/**
 * Tracks every signed transaction of a lane until it is final: broadcasts, checks and re-prices it, and reverts it
 * after a reorg.
 */
import type { Attempt, Receipt, Submission } from "@vault-trader/core/gas-wallet/Submission"
import * as IntentTrace from "@vault-trader/core/telemetry/IntentTrace"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Arr from "effect/Array"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Filter from "effect/Filter"
import * as Latch from "effect/Latch"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { Block } from "../chain/BlockFollower.ts"
import * as InFlight from "./InFlight.ts"
import * as Replacement from "./Replacement.ts"
import * as FinalityTracker from "./FinalityTracker.ts"
import * as NonceConflict from "./NonceConflict.ts"
import * as BroadcastQueue from "./BroadcastQueue.ts"
import { retryForever } from "../actor/Retry.ts"
import type { WalletAlerts } from "./WalletAlerts.ts"

export interface TransactionTracker {
  /** Resumes the signed transactions in the rows: those of an earlier run of this lane, or of another owner. */
  readonly recover: Effect.Effect<void>
  /** Broadcasts newly committed attempts, in nonce order, and tracks them. */
  readonly track: (attempts: ReadonlyArray<Attempt>, submissions: ReadonlyArray<Submission>) => Effect.Effect<void>
  /** Maximum that the transactions in flight can still cost, native smallest units. */
  readonly reserved: Effect.Effect<bigint>
  /** Maximum cost of the transactions mined since this tracker was created, native smallest units; only grows. */
  readonly spent: Effect.Effect<bigint>
  readonly inFlight: Effect.Effect<number>
  /** True while nothing may be signed: a nonce of this lane is used and no endpoint shows by which transaction. */
  readonly onHold: Effect.Effect<boolean>
  /**
   * Re-checks mined and final transactions against their blocks. Called when the chain counts fewer transactions than
   * the rows.
   */
  readonly recheck: Effect.Effect<void>
}

/**
 * How long without a new block before flights are checked anyway, and how long before bytes without a block are
 * broadcast again.
 */
const lookAnywayMillis = 3_000

/**
 * How long a check that does not follow a wait for a block lets the broadcast finish first; checking earlier finds
 * nothing.
 */
const drainTimeoutMillis = 1_000

/** `sentAt` of bytes that are still queued for broadcast. */
const notSent = Number.POSITIVE_INFINITY

const missingStatus: InFlight.OnChainStatus = { _tag: "missing" }

export const make = (
  lane: Replacement.Lane & {
    readonly landed: (key: string, receipt: Receipt) => Effect.Effect<void>
    readonly superseded: (key: string, nonce: bigint) => Effect.Effect<void>
    readonly alerts: WalletAlerts["Service"]
  }
): Effect.Effect<TransactionTracker, never, Scope> =>
  Effect.gen(function*() {
    const { chain, network, wallet, store } = lane
    const flights = new Map<string, InFlight.InFlight>()
    const busy = yield* Latch.make(false)
    /**
     * Opened when attempts are added, so that a tracker that only waits for finality returns to the fast pace at once.
     */
    const added = yield* Latch.make(false)
    let reported = 0
    let spent = 0n

    const warn = (what: string, nonce: bigint) =>
      Effect.logWarning(what).pipe(Effect.annotateLogs({ network, wallet, nonce: nonce.toString() }))
    const conflicts = NonceConflict.make({
      ...{ alerts: lane.alerts, chain, network, wallet },
      hashesOf: (key) => Effect.map(attemptsOf(key), (attempts) => attempts.map(({ hash }) => hash))
    })

    const broadcasts = yield* BroadcastQueue.make(chain, (attempts) =>
      Effect.map(Clock.currentTimeMillis, (sentAt) => {
        for (const { submissionKey } of attempts) {
          const flight = flights.get(submissionKey)
          if (flight !== undefined) flights.set(submissionKey, { ...flight, sentAt })
        }
      }))
    const send = (sent: ReadonlyArray<InFlight.InFlight>) =>
      Effect.suspend(() => {
        for (const flight of sent) flights.set(flight.key, { ...flight, sentAt: notSent })
        return broadcasts.offer(sent.flatMap(({ attempts }) => attempts.slice(-1)))
      })

    const inNonceOrder = () => Array.from(flights.values()).sort((a, b) => (a.nonce < b.nonce ? -1 : 1))

    /** Tracks a transaction that its row says was mined, and has it checked again: a reorg may have happened since. */
    const trackMined = (flight: InFlight.InFlight, receipt: Receipt) =>
      Effect.suspend(() => {
        flights.delete(flight.key)
        finality.add({ flight, receipt })
        finality.invalidate()
        return lane.landed(flight.key, receipt)
      })

    const recover = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const attempts = yield* retryForever(store.inFlight(network, wallet))
      const rows = new Map((yield* retryForever(store.unsettled(network, wallet))).map((row) => [row.key, row]))
      const unknown = attempts.filter(({ submissionKey }) =>
        !flights.has(submissionKey) && !finality.has(submissionKey)
      )
      const lost: Array<InFlight.InFlight> = []
      for (const [key, all] of Object.entries(Arr.groupBy(unknown, ({ submissionKey }) => submissionKey))) {
        const row = rows.get(key)
        const flight = row === undefined ? undefined : InFlight.make(all, row, now)
        if (row === undefined || flight === undefined) continue
        if (row.receipt === null) lost.push(flight)
        else yield* trackMined(flight, row.receipt)
      }
      yield* send(lost)
      if (finality.size() > 0) finality.invalidate()
      if (flights.size + finality.size() > 0) yield* busy.open
    })

    const recordMined = (found: ReadonlyArray<FinalityTracker.MinedTransaction>) =>
      Effect.gen(function*() {
        if (found.length === 0) return
        yield* retryForever(store.recordMined(found.map(({ flight: { key }, receipt }) => ({ key, receipt }))))
        const now = yield* Clock.currentTimeMillis
        yield* Metrics.observeAll(
          Metrics.secondsToMine,
          { network },
          found.map(({ flight }) => (now - flight.departedAt) / 1000)
        )
        for (const { flight, receipt } of found) {
          flights.delete(flight.key)
          conflicts.forget(flight.key)
          spent += flight.committed
          finality.add({ flight, receipt })
          const attributes = {
            hash: receipt.transactionHash,
            block: receipt.blockNumber.toString(),
            succeeded: receipt.succeeded
          }
          yield* IntentTrace.spans("submission.mined", [flight.key], attributes)(lane.landed(flight.key, receipt))
        }
      })

    /**
     * Explains a used nonce without a receipt of ours. Superseded only once a foreign transaction that was found in a
     * block is final: replanning earlier could execute the intent twice.
     */
    const investigate = (flight: InFlight.InFlight, head: Block) =>
      Effect.gen(function*() {
        const use = yield* conflicts.investigate(flight, head.number)
        if (use._tag === "Foreign" && head.number - use.block >= BigInt(chain.book.finalityDepth)) {
          return yield* supersede(flight)
        }
        if (use._tag !== "Ours") return
        const sight = use.receipt === undefined ? undefined : InFlight.statusOf(chain, head.number, use.receipt)
        if (sight?._tag === "mined") return yield* recordMined([{ flight, receipt: sight.receipt }])
        // Another owner may have signed the attempt that was mined: from now on its receipt is read, too.
        const attempts = yield* attemptsOf(flight.key)
        if (attempts.length > flight.attempts.length) {
          flights.set(flight.key, { ...(yield* InFlight.withAttempts(flight, attempts)), sentAt: 0 })
        }
      })

    const attemptsOf = (key: string) =>
      Effect.map(
        retryForever(store.inFlight(network, wallet)),
        (all) => all.filter(({ submissionKey }) => submissionKey === key)
      )

    const supersede = (flight: InFlight.InFlight) =>
      Effect.gen(function*() {
        yield* retryForever(store.supersede(flight.key))
        const row = yield* retryForever(store.find(flight.key))
        conflicts.forget(flight.key)
        flights.delete(flight.key)
        if (Option.isNone(row) || row.value.status === "superseded") {
          return yield* lane.superseded(flight.key, flight.nonce)
        }
        // Another owner may have seen it mined meanwhile: the row decides whether it is superseded.
        if (row.value.receipt !== null) {
          yield* lane.landed(flight.key, row.value.receipt)
        }
        yield* recover
      }).pipe(IntentTrace.span("submission.superseded", flight.key))

    /** Sends a replacement, or marks that it waits for fees to fall. */
    const reprice = (flight: InFlight.InFlight) =>
      Effect.gen(function*() {
        const next = yield* Replacement.replacement(lane, flight)
        if (next === "stopped") return
        if (next === "waits") {
          // Read the flight again: its bytes may have been broadcast since the check.
          const now = flights.get(flight.key)
          if (now !== undefined) flights.set(flight.key, { ...now, waitingForGas: true })
          if (flight.waitingForGas) return
          yield* Metrics.count(Metrics.waitingForGas, { network })
          return yield* store.waitForGas(flight.key, true)
        }
        yield* send([yield* InFlight.withAttempts(flight, [...flight.attempts, next])])
        if (flight.waitingForGas) yield* store.waitForGas(flight.key, false)
      }).pipe(
        // A pause, another owner or a failing database: the rows say which attempts exist, and the next check decides
        // again.
        Effect.catch((reason) =>
          Effect.gen(function*() {
            yield* Effect.logInfo(`a transaction was not re-priced: ${reason._tag}`)
            const row = yield* retryForever(store.find(flight.key))
            // Another owner that was suspended may have written an outdated observation.
            if (Option.isSome(row) && row.value.status === "mined" && row.value.receipt !== null) {
              return yield* trackMined(flight, row.value.receipt)
            }
            const rows = yield* attemptsOf(flight.key)
            const now = flights.get(flight.key)
            if (now !== undefined && rows.length > now.attempts.length) {
              flights.set(flight.key, { ...(yield* InFlight.withAttempts(now, rows)), sentAt: 0 })
            }
          })
        )
      )

    /**
     * Alerts that a foreign transaction that used a nonce is gone. What it superseded was replanned: neither may fill
     * the gap itself.
     */
    const alertLostForeign = (nonce: bigint) =>
      lane.alerts.raise({
        kind: "unexplained_nonce",
        network,
        wallet,
        message:
          `A deep reorg on ${network} removed the foreign transaction that had used nonce ${nonce} of ${wallet}. ` +
          "The lane waits until the nonce is used again.",
        details: { nonce: nonce.toString() }
      })

    /**
     * Handles a gap: the lowest flight's nonce is above the chain's count. If one of our rows owns the missing nonce, a
     * reorg removed its transaction, possibly deeper than finality: the finality tracker checks that. If none does, a
     * foreign transaction was lost: a filler takes its nonce.
     */
    const closeGap = (lowest: InFlight.InFlight, next: bigint, now: number) =>
      Effect.gen(function*() {
        if (lowest.nonce <= next) return
        const owner = yield* store.ownerOf(network, wallet, next)
        if (Option.isSome(owner)) {
          if (owner.value === "superseded") return yield* alertLostForeign(next)
          return owner.value === "signed" ? yield* recover : finality.invalidate()
        }
        if (now - lowest.departedAt < chain.book.patienceMillis || conflicts.isUnexplained()) return
        const filler = yield* Replacement.filler(lane, lowest)
        if (Option.isNone(filler)) return
        yield* warn("a gap in a lane is closed with an empty transaction", filler.value.nonce)
        const row = { key: filler.value.submissionKey, value: 0n, reserve: 0n, waitingForGas: false }
        yield* send(Arr.fromNullishOr(InFlight.make([filler.value], row, now)))
      }).pipe(Effect.catch((reason) => Effect.logInfo(`a gap in a lane was not closed: ${reason._tag}`)))

    const checkFlights = (head: Block) =>
      Effect.gen(function*() {
        if (flights.size === 0) return
        // A transaction above the chain's count is in no block: only those below it are read.
        const next = yield* chain.nonce(wallet, "latest")
        const [below, ahead] = Arr.partition(
          inNonceOrder(),
          Filter.fromPredicate(({ nonce }: InFlight.InFlight) => nonce < next)
        )
        const sights = [
          ...(yield* InFlight.checkStatus(chain, head.number, below)),
          ...ahead.map((flight) => ({ flight, sight: missingStatus }))
        ]
        yield* recordMined(
          sights.flatMap(({ flight, sight }) => sight._tag === "mined" ? [{ flight, receipt: sight.receipt }] : [])
        )
        for (const flight of ahead) conflicts.wasFree(flight, head.number)
        const now = yield* Clock.currentTimeMillis
        const lowest = inNonceOrder()[0]
        if (lowest !== undefined) yield* closeGap(lowest, next, now)
        const missing = sights.flatMap(({ flight, sight }) => sight._tag === "missing" ? [flight] : [])
        if (!conflicts.isUnexplained()) {
          yield* Effect.forEach(InFlight.overdue(missing, chain.book.patienceMillis, head.baseFee, now), reprice, {
            discard: true
          })
        }
        // Bytes that no block holds after a while may have been dropped: they are broadcast again, also those at the
        // fee cap.
        const unseen = missing.flatMap(({ key }) => flights.get(key) ?? [])
        yield* send(unseen.filter(({ sentAt }) => now - sentAt >= lookAnywayMillis))
        // Last, because it may be slow: everything else in the lane is done by now.
        yield* Effect.forEach(
          sights,
          ({ flight, sight }) => sight._tag === "used" ? investigate(flight, head) : Effect.void,
          { discard: true }
        )
      })

    /** Broadcasts the same bytes again; the reported outcome and the charge have been reverted with the row. */
    const rebroadcast = (flight: InFlight.InFlight) =>
      Effect.gen(function*() {
        yield* warn("a reorg removed a transaction; the same bytes are broadcast again", flight.nonce)
        flights.set(flight.key, { ...flight, signedAt: yield* Clock.currentTimeMillis, sentAt: notSent })
        yield* broadcasts.offer(flight.attempts)
      }).pipe(IntentTrace.span("submission.reorged", flight.key))
    const finality = FinalityTracker.make(lane, { removed: rebroadcast, moved: Effect.suspend(() => recover) })

    /** Shifts the network's gauge by the change in transactions in flight since the last report. */
    const gauge = Effect.suspend(() => {
      const by = flights.size - reported
      reported = flights.size
      return by === 0 ? Effect.void : Metrics.shift(Metrics.inFlight, { network }, by)
    })
    yield* Effect.addFinalizer(() => Metrics.shift(Metrics.inFlight, { network }, -reported))

    /**
     * The head that the last wait for a block returned; `undefined` when it returned none, so that the head is read
     * again.
     */
    let nextHead: Block | undefined
    const checkNext = Effect.gen(function*() {
      yield* busy.await
      // Closed before the check: anything that opens them from here on causes another check.
      yield* Effect.andThen(busy.close, added.close)
      yield* gauge
      const head = nextHead ??
        (yield* Effect.andThen(Effect.timeoutOption(broadcasts.drained, drainTimeoutMillis), chain.head))
      nextHead = undefined
      yield* checkFlights(head)
      yield* finality.check(head)
      yield* gauge
      if (flights.size + finality.size() === 0) return
      yield* busy.open
      nextHead = yield* flights.size > 0
        ? Effect.map(
          Effect.timeoutOption(chain.awaitBlockAfter(head.number, "fast"), lookAnywayMillis),
          Option.getOrUndefined
        )
        : Effect.race(chain.awaitBlockAfter(head.number, "slow"), Effect.as(added.await, undefined))
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.all([
          Effect.logWarning("transactions in flight could not be checked", cause),
          busy.open,
          Effect.sleep("1 second")
        ], { discard: true })
      ),
      Effect.forever
    )

    yield* Effect.forkScoped(checkNext)

    return {
      recover,
      track: (attempts, submissions) =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const rows = new Map(submissions.map((submission) => [submission.key, submission]))
          const newFlights = attempts.flatMap((attempt) => {
            const row = rows.get(attempt.submissionKey)
            const flight = row === undefined ? undefined : InFlight.make([attempt], row, now)
            return flight === undefined ? [] : [flight]
          })
          yield* Metrics.count(Metrics.signatures, { network, kind: "first" }, newFlights.length)
          yield* send(newFlights)
          yield* Effect.andThen(busy.open, added.open)
        }),
      spent: Effect.sync(() => spent),
      reserved: Effect.sync(() => Array.from(flights.values()).reduce((sum, { committed }) => sum + committed, 0n)),
      inFlight: Effect.sync(() => flights.size),
      onHold: Effect.sync(conflicts.isUnexplained),
      recheck: Effect.suspend(() => {
        finality.invalidate()
        return Effect.andThen(busy.open, added.open)
      })
    }
  })
