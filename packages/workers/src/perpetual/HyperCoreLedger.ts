/**
 * Finds the entry of HyperCore's ledger that belongs to a request, and claims it so that no other request can use it.
 */
import type { PerpetualsBook } from "@vault-trader/core/chain/NetworkConfig"
import type { Receipt } from "@vault-trader/core/gas-wallet/Submission"
import { PerpetualMoveStore } from "@vault-trader/core/perpetual/PerpetualMoveStore"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type ConfirmContext, Unconfirmed } from "../vault/Action.ts"
import { toUnconfirmed, minedAt } from "./HyperCoreConfirmation.ts"
import { HyperCoreInfo } from "./HyperCoreInfo.ts"
import type { LedgerEntry } from "./HyperCoreSchema.ts"

export type Entry = typeof LedgerEntry.Type

/** Names the entries; identical ones get different names by their order. */
const entryNames = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const counts = new Map<string, number>()
  return entries.map(({ delta: { amount, type, usdc }, hash, time }) => {
    const name = `${time}/${hash}/${type}/${usdc ?? amount ?? ""}`
    const count = counts.get(name) ?? 0
    counts.set(name, count + 1)
    return `${name}/${count}`
  })
}

/** Returns the matching entries since the transaction's block, oldest first. */
export const since = (here: ConfirmContext, book: PerpetualsBook, receipt: Receipt, fits: (entry: Entry) => boolean) =>
  Effect.gen(function*() {
    const from = yield* minedAt(here, receipt)
    const entries = yield* Effect.mapError((yield* HyperCoreInfo).ledger(book, here.pool, from), toUnconfirmed)
    return entries.filter((entry) => entry.time >= from && fits(entry)).sort((a, b) => a.time - b.time)
  })

/**
 * Claims one of these entries for this request and returns whether it succeeded. A claimed entry cannot settle another
 * request.
 */
export const claim = ({ intentId, network, pool }: ConfirmContext, entries: ReadonlyArray<Entry>) =>
  Effect.flatMap(PerpetualMoveStore, ({ claim }) =>
    Effect.map(
      Effect.mapError(claim({ intentId, network, pool, entries: entryNames(entries) }), () =>
        new Unconfirmed({ reason: "the database does not answer" })),
      Option.isSome
    ))
