/**
 * The nonce sequence of one wallet on one network. Order of things, never changed: bytes and nonce are committed,
 * then broadcast, then looked for until their fate is certain. After a crash the rows say where to go on.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { format } from "@vault-trader/core/chain/Quantity"
import { facts } from "@vault-trader/core/chain/Network"
import { ExecutionFailure } from "@vault-trader/core/endpoint/Failure"
import { type Attempt, Refused, type Settled, settledOf, type Submission } from "@vault-trader/core/gas-wallet/Submission"
import { SubmissionStore } from "@vault-trader/core/gas-wallet/SubmissionStore"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import type { Scope } from "effect/Scope"
import type { ChainClient, Fees } from "../chain/ChainClient.ts"
import { reasonOf } from "../chain/Revert.ts"
import type { RpcUnavailable } from "../chain/RpcFailure.ts"
import { explain } from "../vault/PlatformRevert.ts"
import * as Flight from "./Flight.ts"
import { Signer } from "./Signer.ts"

export interface NonceLane {
  /** Carries a stored submission to its end, or waits for it. Interrupting the wait does not stop the work. */
  readonly submit: (key: string) => Effect.Effect<Settled, ExecutionFailure>
}

/** How many queued submissions are priced, signed and stored together. */
const batchSize = 64
/** A database or network that fails is asked again at this pace. */
const again = Schedule.exponential("100 millis").pipe(Schedule.union(Schedule.spaced("2 seconds")))
/** How long without a new block before flights are looked at all the same, and how long before lost bytes are offered again. */
const patienceMillis = 3_000

/** A database that fails is asked until it answers; what is to be recorded has happened already. */
const persistently = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, never, R> => Effect.orDie(Effect.retry(effect, again))

interface Ready {
  readonly submission: Submission
  readonly gasLimit: bigint
}

export const open = (
  { network, wallet, chain }: { readonly network: Network; readonly wallet: Address; readonly chain: ChainClient }
): Effect.Effect<NonceLane, never, SubmissionStore | Signer | Scope> =>
  Effect.gen(function*() {
    const store = yield* SubmissionStore
    const signer = yield* Signer
    const queue = yield* Queue.unbounded<string>()
    const waiting = new Map<string, Deferred.Deferred<Settled>>()
    const flights = new Map<string, Flight.Flight>()
    const airborne = yield* Effect.makeLatch(false)
    const sentAt = new Map<string, number>()

    const complete = (key: string, settled: Settled) =>
      Effect.suspend(() => {
        const deferred = waiting.get(key)
        waiting.delete(key)
        flights.delete(key)
        sentAt.delete(key)
        return deferred === undefined ? Effect.void : Effect.asVoid(Deferred.succeed(deferred, settled))
      })

    const refuse = (submission: Submission, failure: ExecutionFailure) =>
      persistently(store.refuse(submission.key, failure)).pipe(
        Effect.zipRight(complete(submission.key, Refused.make({ failure })))
      )

    const watch = (attempts: ReadonlyArray<Attempt>, extra: (key: string) => bigint) => {
      for (const attempt of attempts) {
        const earlier = flights.get(attempt.submissionKey)
        flights.set(attempt.submissionKey, {
          key: attempt.submissionKey,
          nonce: attempt.nonce,
          attempts: [...(earlier?.attempts ?? []), attempt],
          committed: attempt.gasLimit * attempt.maxFeePerGas + extra(attempt.submissionKey)
        })
      }
    }

    /** Broadcasts in nonce order: a node that sees a gap may hold the followers back. */
    const send = (attempts: ReadonlyArray<Attempt>) =>
      Effect.forEach(attempts, (attempt) =>
        Effect.gen(function*() {
          sentAt.set(attempt.submissionKey, yield* Clock.currentTimeMillis)
          yield* Flight.broadcast(chain, attempt)
        }), { discard: true })

    /** Takes up what the rows say was signed: by an earlier life of this lane, or by an owner before us. */
    const resume = Effect.gen(function*() {
      const attempts = (yield* persistently(store.inFlight(network, wallet))).filter(({ submissionKey }) => !flights.has(submissionKey))
      watch(attempts, () => 0n)
      yield* send(attempts)
      if (flights.size > 0) yield* airborne.open
    })

    /** Simulates and measures one call; a revert is a refusal with its reason. */
    const prepare = (submission: Submission): Effect.Effect<Either.Either<Ready, ExecutionFailure>, RpcUnavailable> => {
      const transaction = { from: wallet, to: submission.to, data: submission.data, value: submission.value }
      return chain.estimateGas(transaction).pipe(
        Effect.map((gas) => Either.right({ submission, gasLimit: gas * 12n / 10n })),
        Effect.catchTag("RpcRefused", (estimate) =>
          chain.call(transaction).pipe(
            Effect.as(estimate),
            Effect.catchTag("RpcRefused", Effect.succeed),
            Effect.map((refusal) => Either.left(explain(reasonOf(refusal.data ?? estimate.data), "nothing was sent")))
          ))
      )
    }

    /** Keeps what the wallet can pay for, in order; refuses the rest. */
    const affordable = (ready: ReadonlyArray<Ready>, fees: Fees, balance: bigint) =>
      Effect.gen(function*() {
        let left = Array.from(flights.values()).reduce((sum, { committed }) => sum - committed, balance)
        const paid: Array<Ready> = []
        for (const item of ready) {
          const { value, reserve } = item.submission
          const cost = item.gasLimit * fees.maxFeePerGas + value + reserve
          if (cost <= left) {
            left -= cost
            paid.push(item)
          } else yield* refuse(item.submission, poor(network, wallet, balance, cost))
        }
        return paid
      })

    const signAndSend = (ready: ReadonlyArray<Ready>, fees: Fees, chainNonce: bigint) =>
      Effect.gen(function*() {
        const byKey = new Map(ready.map((item) => [item.submission.key, item]))
        const attempts = yield* store.sign({
          network,
          wallet,
          chainNonce,
          submissions: ready.map(({ submission }) => submission),
          sign: (submission, nonce) =>
            signer.sign({
              chainId: chain.book.chainId,
              from: wallet,
              to: submission.to,
              data: submission.data,
              value: submission.value,
              nonce,
              gasLimit: byKey.get(submission.key)!.gasLimit,
              ...fees
            })
        })
        watch(attempts, (key) => byKey.get(key)!.submission.value + byKey.get(key)!.submission.reserve)
        yield* send(attempts)
        yield* airborne.open
      })

    /** One turn of the lane: everything that waits, from row to broadcast. */
    const turn = (keys: ReadonlyArray<string>) =>
      Effect.gen(function*() {
        const rows = yield* Effect.forEach(keys, store.find)
        const submissions = rows.flatMap(Option.toArray)
        for (const submission of submissions) {
          const settled = settledOf(submission)
          if (settled !== undefined) yield* complete(submission.key, settled)
        }
        if (submissions.some(({ status }) => status === "signed")) yield* resume
        const queued = submissions.filter(({ status }) => status === "queued")
        if (queued.length === 0) return
        const [prepared, fees, balance, chainNonce] = yield* Effect.all([
          Effect.forEach(queued, prepare, { concurrency: "unbounded" }),
          chain.fees,
          chain.balance(wallet),
          chain.nonce(wallet, "pending")
        ], { concurrency: "unbounded" })
        for (const [index, result] of prepared.entries()) {
          if (Either.isLeft(result)) yield* refuse(queued[index]!, result.left)
        }
        const ready = yield* affordable(prepared.flatMap((result) => Either.isRight(result) ? [result.right] : []), fees, balance)
        if (ready.length === 0) return
        yield* Effect.catchTag(signAndSend(ready, fees, chainNonce), "CannotSign", ({ message }) =>
          Effect.forEach(ready, ({ submission }) =>
            refuse(submission, new ExecutionFailure({ errorType: "internal", message: `${message} Nothing was sent.` })), { discard: true }))
      })

    // Any failure here leaves the rows as they are; the next turn reads them again and goes on from what they say.
    const drain = Queue.takeBetween(queue, 1, batchSize).pipe(
      Effect.flatMap((keys) =>
        turn(Array.from(keys)).pipe(
          Effect.tapErrorCause((cause) => Effect.logWarning("a lane's turn failed and is repeated", cause)),
          Effect.sandbox,
          persistently
        )
      ),
      Effect.forever
    )

    const land = (flight: Flight.Flight, head: bigint) =>
      Effect.gen(function*() {
        const landing = yield* Flight.look(chain, wallet, head, flight)
        if (landing._tag === "missing") return flight.attempts
        if (landing._tag === "landed") {
          const { settled } = landing
          if (settled._tag === "Mined") yield* persistently(store.mined(flight.key, settled.receipt))
          if (settled._tag === "Superseded") yield* persistently(store.supersede(flight.key))
          yield* complete(flight.key, settled)
        }
        return []
      })

    const follow = Effect.gen(function*() {
      yield* airborne.await
      const head = yield* chain.blockNumber
      const inOrder = Array.from(flights.values()).sort((a, b) => (a.nonce < b.nonce ? -1 : 1))
      const missing = yield* Effect.forEach(inOrder, (flight) => land(flight, head), { concurrency: "unbounded" })
      if (flights.size === 0) return yield* closeUnlessAirborne
      // Bytes no node shows after a while may have been dropped: the same bytes are offered again, in nonce order.
      const now = yield* Clock.currentTimeMillis
      const lost = missing.flat().filter(({ submissionKey }) => now - (sentAt.get(submissionKey) ?? 0) >= patienceMillis)
      yield* send(lost)
      yield* Effect.timeoutOption(chain.blockAfter(head), patienceMillis)
    }).pipe(
      Effect.catchAllCause((cause) => Effect.zipRight(Effect.logWarning("flights could not be looked at", cause), Effect.sleep("1 second"))),
      Effect.forever
    )

    const closeUnlessAirborne = Effect.gen(function*() {
      yield* airborne.close
      if (flights.size > 0) yield* airborne.open
    })

    yield* resume
    yield* Effect.forkScoped(drain)
    yield* Effect.forkScoped(follow)

    return {
      submit: (key) =>
        Effect.gen(function*() {
          const row = yield* Effect.orDie(store.find(key))
          if (Option.isNone(row)) {
            return yield* new ExecutionFailure({ errorType: "internal", message: `There is no submission ${key}.` })
          }
          const settled = settledOf(row.value)
          if (settled !== undefined) return settled
          const known = waiting.get(key)
          if (known !== undefined) return yield* Deferred.await(known)
          const deferred = Deferred.unsafeMake<Settled>(yield* Effect.fiberId)
          waiting.set(key, deferred)
          yield* Queue.offer(queue, key)
          return yield* Deferred.await(deferred)
        })
    }
  })

const poor = (network: Network, wallet: Address, balance: bigint, cost: bigint) => {
  const { native } = facts[network]
  return new ExecutionFailure({
    errorType: "insufficient_gas",
    message: `The gas wallet ${wallet} holds ${format(balance, 18)} ${native} on ${network}, but gas and charge need up to ` +
      `${format(cost, 18)} ${native}; nothing was sent. Refill it and try again.`
  })
}
