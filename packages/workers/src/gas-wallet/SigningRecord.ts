/**
 * The signing record: everything this process has signed, kept outside PostgreSQL. A transaction is recorded durably
 * after its rows are committed and before it is broadcast, so that a database that forgets its rows (a restored copy, a
 * failover) cannot make a wallet execute the same intent a second time.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type * as RecordFile from "./RecordFile.ts"
import { type Contradiction, knownOf, RecordIndex } from "./RecordIndex.ts"
import type { RecordRefused } from "./RecordRefused.ts"
import * as RecordWriter from "./RecordWriter.ts"
import type { RecordedEntry, SigningEntry } from "./SigningEntry.ts"
import type { SignerAway } from "./SigningStop.ts"

/** A transaction contradicts the record: it must not be signed or broadcast. */
export class RecordConflict extends Data.TaggedError("RecordConflict")<{
  readonly entry: SigningEntry
  /** The entry it contradicts; undefined where the record holds only that the nonce is used, not by which call. */
  readonly recorded: RecordedEntry | undefined
  readonly message: string
}> {}

/** The record cannot be written: nothing may be broadcast. */
export class RecordUnwritable extends Data.TaggedError("RecordUnwritable")<{ readonly message: string }> {}

export class SigningRecord extends Context.Service<SigningRecord, {
  /**
   * Returns the first contradiction between these entries and the record, or among them; none when they may be signed.
   * Reads memory only.
   */
  readonly check: (entries: ReadonlyArray<SigningEntry>) => Effect.Effect<Option.Option<RecordConflict>, SignerAway>
  /**
   * Appends entries and returns once they are durable. Concurrent callers share one fdatasync. Entries that are
   * recorded already (same hash) cost nothing.
   */
  readonly commit: (entries: ReadonlyArray<SigningEntry>) => Effect.Effect<void, RecordConflict | RecordUnwritable>
  /** Returns the nonce after the highest recorded one of this lane; none when the record has none. */
  readonly nextNonce: (chainId: number, wallet: Address) => Effect.Effect<Option.Option<bigint>, SignerAway>
  /** Returns everything recorded under a nonce of a lane that is still in memory. */
  readonly find: (
    chainId: number,
    wallet: Address,
    nonce: bigint
  ) => Effect.Effect<ReadonlyArray<RecordedEntry>, SignerAway>
  /** Returns everything recorded for these submissions' keys that is still in memory. */
  readonly findKeys: (keys: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<RecordedEntry>, SignerAway>
  /**
   * Reads whether the last append worked. While it did not, the lane signs nothing and readiness is red. An append is
   * tried again every few seconds, so that the record recovers by itself.
   */
  readonly status: Effect.Effect<RecordWriter.RecordStatus>
}>()("vault-trader/workers/gas-wallet/SigningRecord") {
  /** Keeps the record in the files of a folder, which belongs to this process while the layer lives. */
  static readonly layer = (
    folder: string,
    options: Partial<RecordWriter.Options> = {}
  ): Layer.Layer<SigningRecord, RecordRefused> =>
    Layer.effect(
      SigningRecord,
      Effect.map(RecordWriter.open(folder, options), ({ append, index, status }) => over(index, append, status))
    )

  /** Keeps the record in memory: for tests, and for the simulation. */
  static readonly memory: Layer.Layer<SigningRecord> = Layer.sync(SigningRecord, () => {
    const index = new RecordIndex()
    const add = (entries: ReadonlyArray<SigningEntry>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const contradiction = index.contradiction(entries)
        if (contradiction !== undefined) return Effect.fail(contradiction)
        for (const entry of entries) index.add(knownOf(entry, now))
        return Effect.void
      })
    return over(index, add, Effect.succeed({ _tag: "ok" }))
  })
}

/** Builds the service over an index and the function that makes entries durable. */
const over = (
  index: RecordIndex,
  append: (entries: ReadonlyArray<SigningEntry>) => Effect.Effect<void, Contradiction | RecordFile.AppendFailed>,
  status: Effect.Effect<RecordWriter.RecordStatus>
): SigningRecord["Service"] => ({
  check: (entries) =>
    Effect.sync(() =>
      Option.map(Option.fromUndefinedOr(index.contradiction(entries)), (fields) => new RecordConflict(fields))
    ),
  commit: (entries) =>
    Effect.suspend(() => {
      const fresh = entries.filter((entry) => !index.has(entry))
      return fresh.length === 0 ?
        Effect.void :
        Effect.mapError(
          append(fresh),
          (failure) => failure._tag === "Contradiction" ? new RecordConflict(failure) : new RecordUnwritable(failure)
        )
    }),
  nextNonce: (chainId, wallet) => Effect.sync(() => Option.fromUndefinedOr(index.next({ chainId, wallet }))),
  find: (chainId, wallet, nonce) => Effect.sync(() => index.find({ chainId, wallet, nonce })),
  findKeys: (keys) => Effect.sync(() => keys.flatMap((key) => index.findKey(key))),
  status
})
