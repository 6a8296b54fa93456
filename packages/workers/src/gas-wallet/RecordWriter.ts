/**
 * Writes the signing record of this process. Concurrent callers share one append and its fdatasync. While the file
 * cannot be written every caller fails at once, and an empty append is tried until it works again.
 */
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Clock from "effect/Clock"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Queue from "effect/Queue"
import type { Scope } from "effect/Scope"
import * as Semaphore from "effect/Semaphore"
import * as Fs from "node:fs/promises"
import * as RecordFile from "./RecordFile.ts"
import * as RecordFolder from "./RecordFolder.ts"
import type { Contradiction, Mark, RecordIndex } from "./RecordIndex.ts"
import * as RecordLine from "./RecordLine.ts"
import * as RecordLock from "./RecordLock.ts"
import { RecordRefused } from "./RecordRefused.ts"
import type { SigningEntry } from "./SigningEntry.ts"

/** The state of the record's last append. */
export type RecordStatus = { readonly _tag: "ok" } | { readonly _tag: "unwritable"; readonly message: string }

export interface Options {
  /** A file of at least this size is followed by another one. */
  readonly maxBytes: number
  /** Days for which entries are kept in memory. */
  readonly days: number
  readonly disk: RecordFile.Disk
}

export const defaultDays = 7
const defaults: Options = { maxBytes: 64 * 2 ** 20, days: defaultDays, disk: RecordFile.disk }
const dayMillis = 86_400_000

/** Time between two attempts to write a record that cannot be written. */
const probeInterval = "3 seconds"
/** An append without a result for this long counts as failed, as on a network disk that hangs. */
const appendTimeoutMillis = 10_000

export interface RecordWriter {
  readonly index: RecordIndex
  /** Appends entries that have no contradiction and returns once they are durable. */
  readonly append: (
    entries: ReadonlyArray<SigningEntry>
  ) => Effect.Effect<void, Contradiction | RecordFile.AppendFailed>
  /** Appends the marks of another machine's record. */
  readonly appendMarks: (marks: ReadonlyArray<Mark>) => Effect.Effect<void, RecordFile.AppendFailed>
  readonly status: Effect.Effect<RecordStatus>
}

interface Request {
  readonly entries: ReadonlyArray<SigningEntry>
  readonly done: Deferred.Deferred<void, Contradiction | RecordFile.AppendFailed>
}

/** Creates the folder, for its owner only. */
const prepare = (folder: string) =>
  Effect.tryPromise({
    try: async () => {
      await Fs.mkdir(folder, { recursive: true, mode: 0o700 })
      await Fs.chmod(folder, 0o700)
    },
    catch: (cause) =>
      new RecordRefused({
        message: `The folder ${folder} of the signing record cannot be created (${RecordFolder.codeOf(cause)}).`
      })
  })

/** Opens the record of a folder. It belongs to this process until the scope closes. */
export const open = (
  folder: string,
  changes: Partial<Options> = {}
): Effect.Effect<RecordWriter, RecordRefused, Scope> =>
  Effect.gen(function*() {
    const options = { ...defaults, ...changes }
    const oldest = (now: number) => now - options.days * dayMillis
    yield* prepare(folder)
    yield* RecordLock.acquire(folder)
    const from = oldest(yield* Clock.currentTimeMillis)
    const contents = yield* RecordFolder.read(folder, from)
    contents.index.dropBefore(from)
    const file = yield* Effect.mapError(
      RecordFile.open({
        ...{ contents, folder, disk: options.disk, maxBytes: options.maxBytes },
        rotated: (now) => contents.index.dropBefore(oldest(now))
      }),
      ({ message }) => new RecordRefused({ message })
    )
    return yield* writing(contents.index, file)
  })

/** Keeps the state of the last append, as status, metric and log. */
const outcomes = () => {
  let failure: RecordFile.AppendFailed | undefined
  let began: number | undefined

  const worked = Effect.suspend(() => {
    const wasWritable = failure === undefined
    failure = undefined
    return Effect.andThen(
      Metrics.set(Metrics.signingRecordWritable, {}, 1),
      wasWritable ? Effect.void : Effect.logInfo("the signing record can be written again")
    )
  })
  const failed = (error: RecordFile.AppendFailed) =>
    Effect.suspend(() => {
      const wasWritable = failure === undefined
      failure = error
      return Effect.andThen(
        Metrics.set(Metrics.signingRecordWritable, {}, 0),
        wasWritable ? Effect.logError(error.message) : Effect.void
      )
    })

  return {
    failure: () => failure,
    /** Runs an append and keeps its outcome. */
    kept: <A>(append: Effect.Effect<A, RecordFile.AppendFailed>) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        began = now
        return Effect.onExit(append, (exit) => {
          began = undefined
          return Exit.isSuccess(exit) ? worked : Effect.void
        })
      }).pipe(Effect.tapError(failed)),
    status: Effect.map(Clock.currentTimeMillis, (now): RecordStatus => {
      if (failure !== undefined) return { _tag: "unwritable", message: failure.message }
      return began === undefined || now - began < appendTimeoutMillis
        ? { _tag: "ok" }
        : { _tag: "unwritable", message: "An append to the signing record has not returned for ten seconds." }
    })
  }
}

/** Appends the entries of all requests as one line, and completes the requests. */
const flusher = (
  index: RecordIndex,
  write: (payload: Effect.Effect<RecordLine.Payload>) => Effect.Effect<RecordLine.Payload, RecordFile.AppendFailed>
) =>
(requests: ReadonlyArray<Request>) =>
  Effect.gen(function*() {
    const contradiction = index.stage()
    const accepted = requests.filter(({ done, entries }) => {
      const found = contradiction(entries)
      if (found !== undefined) Deferred.doneUnsafe(done, Exit.fail(found))
      return found === undefined
    })
    const fresh = new Map<string, SigningEntry>()
    for (const entry of accepted.flatMap(({ entries }) => entries)) {
      if (!index.has(entry)) fresh.set(`${entry.chainId}/${entry.hash}`, entry)
    }
    const now = yield* Clock.currentTimeMillis
    const outcome = fresh.size === 0
      ? Exit.succeed(undefined)
      : yield* Effect.exit(write(RecordLine.entries(now, [...fresh.values()])))
    if (Exit.isSuccess(outcome) && outcome.value !== undefined) {
      for (const known of RecordLine.knownOf(outcome.value)) index.add(known)
      yield* Metrics.count(Metrics.signingRecordEntries, {}, fresh.size)
    }
    for (const { done } of accepted) Deferred.doneUnsafe(done, Exit.asVoid(outcome))
  })

/** Runs the appends of all callers, one after the other. */
const writing = (index: RecordIndex, file: RecordFile.RecordFile): Effect.Effect<RecordWriter, never, Scope> =>
  Effect.gen(function*() {
    const queue = yield* Queue.unbounded<Request>()
    const turn = yield* Semaphore.make(1)
    const { failure, kept, status } = outcomes()

    // Not interruptible: this process never leaves a line half written.
    const write = (payload: Effect.Effect<RecordLine.Payload>) =>
      kept(Effect.tap(payload, file.append)).pipe(turn.withPermits(1), Effect.uninterruptible)
    const writeEmpty = Effect.flatMap(Clock.currentTimeMillis, (now) => write(RecordLine.entries(now, [])))
    const probe = Effect.suspend(() => failure() === undefined ? Effect.void : Effect.exit(writeEmpty))

    yield* Metrics.set(Metrics.signingRecordWritable, {}, 1)
    yield* Effect.forkScoped(Effect.forever(Effect.flatMap(Queue.takeAll(queue), flusher(index, write))))
    yield* Effect.forkScoped(Effect.forever(Effect.delay(probe, probeInterval)))

    return {
      index,
      append: (entries) =>
        Effect.suspend(() => {
          const failed = failure()
          if (failed !== undefined) return Effect.fail(failed)
          const done = Deferred.makeUnsafe<void, Contradiction | RecordFile.AppendFailed>()
          Queue.offerUnsafe(queue, { entries, done })
          return Deferred.await(done)
        }),
      appendMarks: (marks) =>
        Effect.gen(function*() {
          const now = yield* Clock.currentTimeMillis
          yield* write(Effect.succeed(RecordLine.imported(now, marks)))
          for (const mark of marks) index.mark(mark)
        }),
      status
    }
  })
