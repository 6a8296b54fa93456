/**
 * What the core has made of a transaction that is mined. A look either tells, or it does not yet; only the core's own clock, well past
 * the transaction's block, makes of "the core knows nothing of it" that it never will.
 */
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ConfirmContext, Unconfirmed } from "../vault/Action.ts"
import { HyperCoreInfo, type InfoUnavailable } from "./HyperCoreInfo.ts"

/** Seconds after its block for which an action that the core does not know may still act. */
export class Patience extends Context.Service<Patience, { readonly lostSeconds: number }>()("vault-trader/workers/perpetual/Patience") {}

/** The standard: far beyond the few seconds for which the core itself holds actions from the chain back. */
export const standardLostSeconds = 120

/** An answer that could not be had says nothing: the next look asks again. */
export const unheard = ({ reason }: InfoUnavailable) => new Unconfirmed({ reason: `the core's info API says nothing (${reason})` })

/** When the transaction's block was made, unix milliseconds. */
export const minedAt = ({ chain }: ConfirmContext, receipt: Receipt): Effect.Effect<number, Unconfirmed> =>
  Effect.flatMap(
    Effect.mapError(chain.blockTime(receipt.blockNumber), () => new Unconfirmed({ reason: "no node tells the block's time" })),
    (seconds) => seconds === null ? new Unconfirmed({ reason: "no node has the transaction's block" }) : Effect.succeed(seconds * 1000)
  )

/** Whether the core has had its time: its state is asked for once more after this says so, so that nothing falls in between. */
export const isLate = (here: ConfirmContext, book: PerpetualsBook, receipt: Receipt): Effect.Effect<boolean, Unconfirmed, HyperCoreInfo | Patience> =>
  Effect.gen(function*() {
    const { lostSeconds } = yield* Patience
    const mined = yield* minedAt(here, receipt)
    const { time } = yield* Effect.mapError((yield* HyperCoreInfo).account(book, here.pool), unheard)
    return time >= mined + lostSeconds * 1000
  })

/** 2031: the core said no, or never heard of it. The transaction was mined: only gas was spent. */
export const rejected = (sentence: string) =>
  new ExecutionFailure({ errorType: "exchange_rejected", message: `${sentence} The transaction was mined, so its gas is spent; nothing is charged.` })

/**
 * What is looked for, or none once it is certain that it will not come: the core's clock is past the time it has, and a look after that
 * still finds nothing.
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
    if (!(yield* isLate(here, book, receipt))) return yield* new Unconfirmed({ reason: "the core does not know of it yet" })
    return yield* Effect.mapError(find, unheard)
  })
