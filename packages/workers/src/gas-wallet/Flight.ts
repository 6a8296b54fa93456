/** A lane's signed transactions on their way: where they are looked for, sent again, and when their fate is certain. */
import type { Address } from "@vault-trader/core/chain/Address"
import { type Attempt, Mined, type Settled, Superseded } from "@vault-trader/core/gas-wallet/Submission"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { ChainClient } from "../chain/ChainClient.ts"
import { alreadyKnown, type RpcFailure } from "../chain/RpcFailure.ts"

/** One signed submission: every attempt has the same nonce. */
export interface Flight {
  readonly key: string
  readonly nonce: bigint
  readonly attempts: ReadonlyArray<Attempt>
  /** The most it can still cost, native smallest units: gas, value and the charge that follows. */
  readonly committed: bigint
}

export type Landing =
  | { readonly _tag: "landed"; readonly settled: Settled }
  /** No block holds it and its nonce is free: it may have been dropped. */
  | { readonly _tag: "missing" }
  | { readonly _tag: "waiting" }

/** Hands the bytes to the network's endpoints. Whatever they answer, the attempt stands until the chain tells its fate. */
export const broadcast = (chain: ChainClient, attempt: Attempt): Effect.Effect<void> =>
  chain.broadcast(attempt.raw).pipe(
    Effect.catchTags({
      RpcRefused: (failure) =>
        alreadyKnown(failure)
          ? Effect.void
          : Effect.logInfo("a node did not take a transaction; it stays in its lane").pipe(
            Effect.annotateLogs({ hash: attempt.hash, nonce: attempt.nonce.toString(), reason: failure.reason })
          ),
      RpcUnavailable: ({ reason }) =>
        Effect.logInfo("it is not known whether a transaction arrived; it stays in its lane").pipe(
          Effect.annotateLogs({ hash: attempt.hash, nonce: attempt.nonce.toString(), reason })
        )
    })
  )

/** What the chain says of one flight, seen from `head`. */
export const look = (chain: ChainClient, wallet: Address, head: bigint, flight: Flight): Effect.Effect<Landing, RpcFailure> =>
  Effect.gen(function*() {
    const found = yield* receiptOf(chain, flight)
    if (Option.isSome(found)) {
      const deepEnough = head - found.value.blockNumber + 1n >= BigInt(chain.book.confirmations)
      return deepEnough ? { _tag: "landed", settled: Mined.make({ receipt: found.value }) } : { _tag: "waiting" }
    }
    if ((yield* chain.nonce(wallet, "latest")) <= flight.nonce) return { _tag: "missing" }
    // The nonce is used. By a foreign transaction only if that still holds deep in the chain, and still no receipt is ours.
    const depth = BigInt(chain.book.finalityDepth)
    const deep = yield* chain.nonce(wallet, head > depth ? head - depth : 0n)
    if (deep <= flight.nonce) return { _tag: "waiting" }
    return Option.isSome(yield* receiptOf(chain, flight))
      ? { _tag: "waiting" }
      : { _tag: "landed", settled: Superseded.make({ nonce: flight.nonce }) }
  })

const receiptOf = (chain: ChainClient, flight: Flight) =>
  Effect.map(
    Effect.forEach(flight.attempts, ({ hash }) => chain.receipt(hash), { concurrency: "unbounded" }),
    (receipts) => Option.fromNullable(receipts.find((receipt) => receipt !== null))
  )
