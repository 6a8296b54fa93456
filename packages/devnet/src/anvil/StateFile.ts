/** The state file of a chain. anvil rewrites it in place every 10 seconds, so a crash can leave it incomplete. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import { copyFile, open, readFile, rename, rm, stat } from "node:fs/promises"

/** The chain was saved incompletely and no good copy exists. */
export class StateDamaged extends Data.TaggedError("StateDamaged")<{ readonly file: string }> {
  override get message() {
    return `The saved chain ${this.file} is damaged; delete that file and start again with a new, empty chain.`
  }
}

const goodCopy = (file: string) => `${file}.good`

const isComplete = (file: string) =>
  Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.flatMap((text) => Effect.try((): unknown => JSON.parse(text))),
    Effect.isSuccess
  )

const modified = (file: string) =>
  Effect.promise(() => stat(file).then((stats) => Option.some(stats.mtimeMs), () => Option.none<number>()))

/** Ensures that the state anvil is about to load is complete, restoring the last good copy if necessary. */
export const prepare = (file: string): Effect.Effect<void, StateDamaged> =>
  Effect.gen(function*() {
    const good = goodCopy(file)
    if (Option.isNone(yield* modified(file))) {
      // The operator deleted the state to get a new chain; the copy must not restore the old one later.
      return yield* Effect.promise(() => rm(good, { force: true }))
    }
    if (yield* isComplete(file)) return
    if (!(yield* isComplete(good))) return yield* new StateDamaged({ file })
    yield* Effect.promise(() => copyFile(good, file))
    yield* Effect.logWarning(`The saved chain ${file} was damaged; its last good copy is used instead.`)
  })

const endsLikeJson = async (file: string) => {
  const handle = await open(file)
  const { size } = await handle.stat()
  const { buffer } = await handle.read(Buffer.alloc(1), 0, 1, Math.max(0, size - 1))
  await handle.close()
  return buffer.toString() === "}"
}

// A copy taken while anvil writes has a changed modification time or lacks the last brace. The next round makes
// another.
const copyOnce = (file: string) =>
  Effect.gen(function*() {
    const before = yield* modified(file)
    if (Option.isNone(before)) return
    const copy = `${goodCopy(file)}.new`
    yield* Effect.tryPromise(() => copyFile(file, copy))
    const after = yield* modified(file)
    const complete = yield* Effect.tryPromise(() => endsLikeJson(copy))
    const unchanged = Option.isSome(after) && after.value === before.value
    if (complete && unchanged) yield* Effect.tryPromise(() => rename(copy, goodCopy(file)))
  }).pipe(Effect.catch((error) => Effect.logDebug("Could not copy the saved chain", error)))

/** Keeps a complete copy of `file`, at most 15 seconds old. */
export const keepGoodCopy = (file: string): Effect.Effect<void, never, Scope.Scope> =>
  copyOnce(file).pipe(Effect.repeat(Schedule.spaced("15 seconds")), Effect.forkScoped, Effect.asVoid)
