/** The core's ledger of money: the line of a request that moved some, which is no other request's. */
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ConfirmContext, Unconfirmed } from "../vault/Action.ts"
import { unheard, minedAt } from "./HyperCoreConfirmation.ts"
import { HyperCoreInfo } from "./HyperCoreInfo.ts"
import type { LedgerEntry } from "./HyperCoreSchema.ts"

export type Entry = typeof LedgerEntry.Type

/** Lines that say the same, told apart by their order. */
const named = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const seen = new Map<string, number>()
  return entries.map(({ delta: { amount, type, usdc }, hash, time }) => {
    const name = `${time}/${hash}/${type}/${usdc ?? amount ?? ""}`
    const count = seen.get(name) ?? 0
    seen.set(name, count + 1)
    return `${name}/${count}`
  })
}

/** The lines since the transaction's block that fit. */
export const since = (here: ConfirmContext, book: PerpetualsBook, receipt: Receipt, fits: (entry: Entry) => boolean) =>
  Effect.gen(function*() {
    const from = yield* minedAt(here, receipt)
    const entries = yield* Effect.mapError((yield* HyperCoreInfo).ledger(book, here.pool, from), unheard)
    return entries.filter((entry) => entry.time >= from && fits(entry)).sort((a, b) => a.time - b.time)
  })

/** Whether one of these lines is this request's; from then on it is nobody else's. */
export const claimed = ({ intentId, network, pool }: ConfirmContext, entries: ReadonlyArray<Entry>) =>
  Effect.flatMap(PerpetualMoveStore, ({ claim }) =>
    Effect.map(
      Effect.mapError(claim({ intentId, network, pool, entries: named(entries) }), () => new Unconfirmed({ reason: "the database does not answer" })),
      Option.isSome
    ))
