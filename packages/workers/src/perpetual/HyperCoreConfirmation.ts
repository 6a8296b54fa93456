/**
 * Reads HyperCore's outcome of a mined transaction. A poll either finds it or remains unconfirmed. An action that
 * HyperCore does not know counts as lost only once HyperCore's own clock is well past the transaction's block.
 */
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ConfirmContext, Unconfirmed } from "../vault/Action.ts"
import { HyperCoreInfo, type InfoUnavailable } from "./HyperCoreInfo.ts"

/** Seconds after its block during which an action that HyperCore does not know may still take effect. */
export class Patience
  extends Context.Service<Patience, { readonly lostSeconds: number }>()("vault-trader/workers/perpetual/Patience")
{}

/** Default: far longer than the few seconds for which HyperCore itself delays actions from the chain. */
export const standardLostSeconds = 120

/** Converts an unavailable info API to `Unconfirmed`: the next poll queries it again. */
export const unheard = ({ reason }: InfoUnavailable) =>
  new Unconfirmed({ reason: `the core's info API is unavailable (${reason})` })

/** Returns the time of the transaction's block, unix milliseconds. */
export const minedAt = ({ chain }: ConfirmContext, receipt: Receipt): Effect.Effect<number, Unconfirmed> =>
  Effect.flatMap(
    Effect.mapError(
      chain.blockTime(receipt.blockNumber),
      () => new Unconfirmed({ reason: "no node returned the block's time" })
    ),
    (seconds) =>
      seconds === null
        ? new Unconfirmed({ reason: "no node has the transaction's block" })
        : Effect.succeed(seconds * 1000)
  )

/**
 * Returns true once HyperCore's time limit has passed. Callers must query the state once more after that, to close the
 * race.
 */
export const isLate = (
  here: ConfirmContext,
  book: PerpetualsBook,
  receipt: Receipt
): Effect.Effect<boolean, Unconfirmed, HyperCoreInfo | Patience> =>
  Effect.gen(function*() {
    const { lostSeconds } = yield* Patience
    const mined = yield* minedAt(here, receipt)
    const { time } = yield* Effect.mapError((yield* HyperCoreInfo).account(book, here.pool), unheard)
    return time >= mined + lostSeconds * 1000
  })

/** 2031: HyperCore refused the action, or has no record of it. The transaction was mined: only gas was spent. */
export const rejected = (sentence: string) =>
  new ExecutionFailure({
    errorType: "exchange_rejected",
    message: `${sentence} The transaction was mined, so its gas is spent; nothing is charged.`
  })

/**
 * Returns the value found, or none once it is certain that it will not appear: HyperCore's clock is past the limit, and
 * a poll after that still finds nothing.
 */
export const sought = <A, R>(
  here: ConfirmContext,
  book: PerpetualsBook,
  receipt: Receipt,
  find: Effect.Effect<Option.Option<A>, InfoUnavailable, R>
): Effect.Effect<Option.Option<A>, Unconfirmed, R | HyperCoreInfo | Patience> =>
  Effect.gen(function*() {
    const found = yield* Effect.mapError(find, unheard)
    if (Option.isSome(found)) return found
    if (!(yield* isLate(here, book, receipt))) {
      return yield* new Unconfirmed({ reason: "the core has no record of it yet" })
    }
    return yield* Effect.mapError(find, unheard)
  })
