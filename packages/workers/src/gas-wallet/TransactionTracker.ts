/** Every signed transaction of a lane until no reorg can reach it: broadcast, looked for, offered again, re-priced, taken back, final. */
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
  /** Takes up what the rows say was signed: by an earlier life of this lane, or by an owner before us. */
  readonly recover: Effect.Effect<void>
  /** Broadcasts freshly committed attempts, in nonce order, and follows them. */
  readonly track: (attempts: ReadonlyArray<Attempt>, submissions: ReadonlyArray<Submission>) => Effect.Effect<void>
  /** The most the flights can still cost, native smallest units. */
  readonly reserved: Effect.Effect<bigint>
  /** The most that what has landed since this deck was made has cost; only grows. */
  readonly spent: Effect.Effect<bigint>
  readonly inFlight: Effect.Effect<number>
  /** Whether nothing may be signed: a nonce of this lane is used and nothing shows by what. */
  readonly onHold: Effect.Effect<boolean>
  /** Reads again whether what was mined, or final, is still where it was: the chain counts fewer transactions than the rows. */
  readonly recheck: Effect.Effect<void>
}

/** How long without a new block before flights are looked at all the same, and how long before lost bytes are offered again. */
const lookAnywayMillis = 3_000

/** How long a look that nobody has waited for lets bytes go first: before they are handed over it finds nothing. */
const handOverMillis = 1_000

/** When bytes were handed over that still wait for their turn. */
const notYet = Number.POSITIVE_INFINITY

const unmined: InFlight.OnChainStatus = { _tag: "missing" }

export const make = (lane: Replacement.Lane & {
  readonly landed: (key: string, receipt: Receipt) => Effect.Effect<void>
  readonly superseded: (key: string, nonce: bigint) => Effect.Effect<void>
  readonly alerts: WalletAlerts["Service"]
}): Effect.Effect<TransactionTracker, never, Scope> =>
  Effect.gen(function*() {
    const { chain, network, wallet, store } = lane
    const flights = new Map<string, InFlight.InFlight>()
    const busy = yield* Latch.make(false)
    /** Opened by a departure, so that a deck that only waits for finality takes up the pace at once. */
    const departed = yield* Latch.make(false)
    let gauged = 0
    let spent = 0n

    const say = (what: string, nonce: bigint) => Effect.logWarning(what).pipe(Effect.annotateLogs({ network, wallet, nonce: nonce.toString() }))
    const conflicts = NonceConflict.make({
      ...{ alerts: lane.alerts, chain, network, wallet },
      hashesOf: (key) => Effect.map(attemptsOf(key), (attempts) => attempts.map(({ hash }) => hash))
    })

    const outbox = yield* BroadcastQueue.make(chain, (attempts) =>
      Effect.map(Clock.currentTimeMillis, (sentAt) => {
        for (const { submissionKey } of attempts) {
          const flight = flights.get(submissionKey)
          if (flight !== undefined) flights.set(submissionKey, { ...flight, sentAt })
        }
      }))
    const send = (sent: ReadonlyArray<InFlight.InFlight>) =>
      Effect.suspend(() => {
        for (const flight of sent) flights.set(flight.key, { ...flight, sentAt: notYet })
        return outbox.offer(sent.flatMap(({ attempts }) => attempts.slice(-1)))
      })

    const inNonceOrder = () => Array.from(flights.values()).sort((a, b) => (a.nonce < b.nonce ? -1 : 1))

    /** What was mined when somebody last looked is looked at again: a reorg may have come meanwhile. */
    const landAgain = (flight: InFlight.InFlight, receipt: Receipt) =>
      Effect.suspend(() => {
        flights.delete(flight.key)
        landings.add({ flight, receipt })
        landings.invalidate()
        return lane.landed(flight.key, receipt)
      })

    const recover = Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const attempts = yield* retryForever(store.inFlight(network, wallet))
      const rows = new Map((yield* retryForever(store.unsettled(network, wallet))).map((row) => [row.key, row]))
      const unknown = attempts.filter(({ submissionKey }) => !flights.has(submissionKey) && !landings.has(submissionKey))
      const lost: Array<InFlight.InFlight> = []
      for (const [key, all] of Object.entries(Arr.groupBy(unknown, ({ submissionKey }) => submissionKey))) {
        const row = rows.get(key)
        const flight = row === undefined ? undefined : InFlight.make(all, row, now)
        if (row === undefined || flight === undefined) continue
        if (row.receipt === null) lost.push(flight)
        else yield* landAgain(flight, row.receipt)
      }
      yield* send(lost)
      if (landings.size() > 0) landings.invalidate()
      if (flights.size + landings.size() > 0) yield* busy.open
    })

    const land = (found: ReadonlyArray<FinalityTracker.MinedTransaction>) =>
      Effect.gen(function*() {
        if (found.length === 0) return
        yield* retryForever(store.recordMined(found.map(({ flight: { key }, receipt }) => ({ key, receipt }))))
        const now = yield* Clock.currentTimeMillis
        yield* Metrics.observeAll(Metrics.secondsToMine, { network }, found.map(({ flight }) => (now - flight.departedAt) / 1000))
        for (const { flight, receipt } of found) {
          flights.delete(flight.key)
          conflicts.forget(flight.key)
          spent += flight.committed
          landings.add({ flight, receipt })
          const said = { hash: receipt.transactionHash, block: receipt.blockNumber.toString(), succeeded: receipt.succeeded }
          yield* IntentTrace.spans("submission.mined", [flight.key], said)(lane.landed(flight.key, receipt))
        }
      })

    /**
     * Explains a used nonce without a receipt of ours. Superseded only once a foreign transaction that was found in a block is final:
     * replanning earlier could execute the intent twice.
     */
    const investigate = (flight: InFlight.InFlight, head: Block) =>
      Effect.gen(function*() {
        const use = yield* conflicts.investigate(flight, head.number)
        if (use._tag === "Foreign" && head.number - use.block >= BigInt(chain.book.finalityDepth)) return yield* supersede(flight)
        if (use._tag !== "Ours") return
        const sight = use.receipt === undefined ? undefined : InFlight.statusOf(chain, head.number, use.receipt)
        if (sight?._tag === "mined") return yield* land([{ flight, receipt: sight.receipt }])
        // Another owner may have signed the attempt that was mined: its receipt is read from now on, too.
        const attempts = yield* attemptsOf(flight.key)
        if (attempts.length > flight.attempts.length) flights.set(flight.key, { ...(yield* InFlight.withAttempts(flight, attempts)), sentAt: 0 })
      })

    const attemptsOf = (key: string) =>
      Effect.map(retryForever(store.inFlight(network, wallet)), (all) => all.filter(({ submissionKey }) => submissionKey === key))

    const supersede = (flight: InFlight.InFlight) =>
      Effect.gen(function*() {
        yield* retryForever(store.supersede(flight.key))
        const row = yield* retryForever(store.find(flight.key))
        conflicts.forget(flight.key)
        flights.delete(flight.key)
        if (Option.isNone(row) || row.value.status === "superseded") return yield* lane.superseded(flight.key, flight.nonce)
        // Another owner has seen it mined meanwhile: what is superseded is for the row to say.
        if (row.value.receipt !== null) yield* lane.landed(flight.key, row.value.receipt)
        yield* recover
      }).pipe(IntentTrace.span("submission.superseded", flight.key))

    /** Sends a replacement, or marks that it waits for fees to fall. */
    const reprice = (flight: InFlight.InFlight) =>
      Effect.gen(function*() {
        const next = yield* Replacement.replacement(lane, flight)
        if (next === "stopped") return
        if (next === "waits") {
          // As it is now: its bytes may have been handed over since we looked.
          const now = flights.get(flight.key)
          if (now !== undefined) flights.set(flight.key, { ...now, waitingForGas: true })
          if (flight.waitingForGas) return
          yield* Metrics.count(Metrics.waitingForGas, { network })
          return yield* store.waitForGas(flight.key, true)
        }
        yield* send([yield* InFlight.withAttempts(flight, [...flight.attempts, next])])
        if (flight.waitingForGas) yield* store.waitForGas(flight.key, false)
      }).pipe(
        // A pause, another owner or a failing database: the rows say which attempts there are, the next look decides again.
        Effect.catch((reason) =>
          Effect.gen(function*() {
            yield* Effect.logInfo(`a transaction was not re-priced: ${reason._tag}`)
            const row = yield* retryForever(store.find(flight.key))
            // An owner that slept may have written what it had seen before.
            if (Option.isSome(row) && row.value.status === "mined" && row.value.receipt !== null) return yield* landAgain(flight, row.value.receipt)
            const rows = yield* attemptsOf(flight.key)
            const now = flights.get(flight.key)
            if (now !== undefined && rows.length > now.attempts.length) flights.set(flight.key, { ...(yield* InFlight.withAttempts(now, rows)), sentAt: 0 })
          })
        )
      )

    /** The foreign transaction that took a nonce is gone, and what it superseded was planned anew: neither may fill the gap by itself. */
    const unexplainable = (nonce: bigint) =>
      lane.alerts.raise({
        kind: "unexplained_nonce",
        network,
        wallet,
        message: `A deep reorg on ${network} removed the foreign transaction that had used nonce ${nonce} of ${wallet}. The lane waits until the nonce is used again.`,
        details: { nonce: nonce.toString() }
      })

    /**
     * The lowest flight's nonce is above what the chain counts. Where a row of ours owns the nonce between, a reorg took its transaction
     * back, deeper than finality even: `landings` finds that out. Where none does, a foreign transaction was lost: a filler takes its place.
     */
    const closeGap = (lowest: InFlight.InFlight, next: bigint, now: number) =>
      Effect.gen(function*() {
        if (lowest.nonce <= next) return
        const owner = yield* store.ownerOf(network, wallet, next)
        if (Option.isSome(owner)) {
          if (owner.value === "superseded") return yield* unexplainable(next)
          return owner.value === "signed" ? yield* recover : landings.invalidate()
        }
        if (now - lowest.departedAt < chain.book.patienceMillis || conflicts.isUnexplained()) return
        const filler = yield* Replacement.filler(lane, lowest)
        if (Option.isNone(filler)) return
        yield* say("a gap in a lane is closed with an empty transaction", filler.value.nonce)
        const row = { key: filler.value.submissionKey, value: 0n, reserve: 0n, waitingForGas: false }
        yield* send(Arr.fromNullishOr(InFlight.make([filler.value], row, now)))
      }).pipe(Effect.catch((reason) => Effect.logInfo(`a gap in a lane was not closed: ${reason._tag}`)))

    const lookAtFlights = (head: Block) =>
      Effect.gen(function*() {
        if (flights.size === 0) return
        // A transaction above the chain's count is in no block: only those below it are worth a read.
        const next = yield* chain.nonce(wallet, "latest")
        const [below, ahead] = Arr.partition(inNonceOrder(), Filter.fromPredicate(({ nonce }: InFlight.InFlight) => nonce < next))
        const sights = [...(yield* InFlight.checkStatus(chain, head.number, below)), ...ahead.map((flight) => ({ flight, sight: unmined }))]
        yield* land(sights.flatMap(({ flight, sight }) => sight._tag === "mined" ? [{ flight, receipt: sight.receipt }] : []))
        for (const flight of ahead) conflicts.wasFree(flight, head.number)
        const now = yield* Clock.currentTimeMillis
        const lowest = inNonceOrder()[0]
        if (lowest !== undefined) yield* closeGap(lowest, next, now)
        const missing = sights.flatMap(({ flight, sight }) => sight._tag === "missing" ? [flight] : [])
        if (!conflicts.isUnexplained()) {
          yield* Effect.forEach(InFlight.overdue(missing, chain.book.patienceMillis, head.baseFee, now), reprice, { discard: true })
        }
        // Bytes no node shows after a while may have been dropped: the same bytes are offered again, also those at the fee cap.
        const unseen = missing.flatMap(({ key }) => flights.get(key) ?? [])
        yield* send(unseen.filter(({ sentAt }) => now - sentAt >= lookAnywayMillis))
        // Last, because it may take a while: everything else of the lane has had its turn.
        yield* Effect.forEach(sights, ({ flight, sight }) => sight._tag === "used" ? investigate(flight, head) : Effect.void, { discard: true })
      })

    /** The same bytes go out again; what was told and charged has been taken back with the row. */
    const offerAgain = (flight: InFlight.InFlight) =>
      Effect.gen(function*() {
        yield* say("a reorg removed a transaction; the same bytes are offered again", flight.nonce)
        flights.set(flight.key, { ...flight, signedAt: yield* Clock.currentTimeMillis, sentAt: notYet })
        yield* outbox.offer(flight.attempts)
      }).pipe(IntentTrace.span("submission.reorged", flight.key))
    const landings = FinalityTracker.make(lane, { removed: offerAgain, moved: Effect.suspend(() => recover) })

    /** Tells the network's gauge how many more or fewer are in flight than it was told before. */
    const gauge = Effect.suspend(() => {
      const by = flights.size - gauged
      gauged = flights.size
      return by === 0 ? Effect.void : Metrics.shift(Metrics.inFlight, { network }, by)
    })
    yield* Effect.addFinalizer(() => Metrics.shift(Metrics.inFlight, { network }, -gauged))

    /** The head as whoever waited for it last was told; asked for anew where nobody waited. */
    let told: Block | undefined
    const follow = Effect.gen(function*() {
      yield* busy.await
      // Whatever opens them from here on gets a look of its own.
      yield* Effect.andThen(busy.close, departed.close)
      yield* gauge
      const head = told ?? (yield* Effect.andThen(Effect.timeoutOption(outbox.drained, handOverMillis), chain.head))
      told = undefined
      yield* lookAtFlights(head)
      yield* landings.check(head)
      yield* gauge
      if (flights.size + landings.size() === 0) return
      yield* busy.open
      told = yield* flights.size > 0
        ? Effect.map(Effect.timeoutOption(chain.awaitBlockAfter(head.number, "fast"), lookAnywayMillis), Option.getOrUndefined)
        : Effect.race(chain.awaitBlockAfter(head.number, "slow"), Effect.as(departed.await, undefined))
    }).pipe(
      Effect.catchCause((cause) =>
        Effect.all([Effect.logWarning("flights could not be looked at", cause), busy.open, Effect.sleep("1 second")], { discard: true })),
      Effect.forever
    )

    yield* Effect.forkScoped(follow)

    return {
      recover,
      track: (attempts, submissions) =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          const rows = new Map(submissions.map((submission) => [submission.key, submission]))
          const leaving = attempts.flatMap((attempt) => {
            const row = rows.get(attempt.submissionKey)
            const flight = row === undefined ? undefined : InFlight.make([attempt], row, now)
            return flight === undefined ? [] : [flight]
          })
          yield* Metrics.count(Metrics.signatures, { network, kind: "first" }, leaving.length)
          yield* send(leaving)
          yield* Effect.andThen(busy.open, departed.open)
        }),
      spent: Effect.sync(() => spent),
      reserved: Effect.sync(() => Array.from(flights.values()).reduce((sum, { committed }) => sum + committed, 0n)),
      inFlight: Effect.sync(() => flights.size),
      onHold: Effect.sync(conflicts.isUnexplained),
      recheck: Effect.suspend(() => {
        landings.invalidate()
        return Effect.andThen(busy.open, departed.open)
      })
    }
  })
