/**
 * Reads HyperCore's outcome of a mined transaction. A poll either finds it or remains unconfirmed. An action that
 * HyperCore does not know counts as lost only once HyperCore's own clock is well past the transaction's block.
 */
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import { explain } from "@vault-trader/core/failure/Explanation"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import type { OutcomeReason } from "@vault-trader/core/failure/Reason"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ConfirmContext, Unconfirmed } from "../vault/Action.ts"
import { HyperCoreInfo, type InfoUnavailable } from "./HyperCoreInfo.ts"

/** Default: far longer than the few seconds for which HyperCore itself delays actions from the chain. */
export const defaultLostSeconds = 120

/** Seconds after its block during which an action that HyperCore does not know may still take effect. */
export const LostTimeout = Context.Reference<number>("vault-trader/workers/perpetual/LostTimeout", {
  defaultValue: () => defaultLostSeconds
})

/** Converts an unavailable info API to `Unconfirmed`: the next poll queries it again. */
export const toUnconfirmed = ({ reason }: InfoUnavailable) =>
  new Unconfirmed({ reason: `HyperCore's info API is unavailable (${reason})` })

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
): Effect.Effect<boolean, Unconfirmed, HyperCoreInfo> =>
  Effect.gen(function*() {
    const lostSeconds = yield* LostTimeout
    const mined = yield* minedAt(here, receipt)
    const { time } = yield* Effect.mapError((yield* HyperCoreInfo).account(book, here.pool), toUnconfirmed)
    return time >= mined + lostSeconds * 1000
  })

/** 2031: HyperCore refused the action, or has no record of it. The transaction was mined: only gas was spent. */
export const rejection = (reason: OutcomeReason): ExecutionFailure => explain(reason, "mined")

/**
 * Returns the value found, or none once it is certain that it will not appear: HyperCore's clock is past the limit, and
 * a poll after that still finds nothing.
 */
export const findOrLost = <A, R>(
  here: ConfirmContext,
  book: PerpetualsBook,
  receipt: Receipt,
  find: Effect.Effect<Option.Option<A>, InfoUnavailable, R>
): Effect.Effect<Option.Option<A>, Unconfirmed, R | HyperCoreInfo> =>
  Effect.gen(function*() {
    const found = yield* Effect.mapError(find, toUnconfirmed)
    if (Option.isSome(found)) return found
    if (!(yield* isLate(here, book, receipt))) {
      return yield* new Unconfirmed({ reason: "HyperCore has no record of it yet" })
    }
    return yield* Effect.mapError(find, toUnconfirmed)
  })
