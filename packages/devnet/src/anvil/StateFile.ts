/** The file a chain survives in. anvil rewrites it in place every second, so a crash can leave half of one behind. */
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

const isWhole = (file: string) =>
  Effect.tryPromise(() => readFile(file, "utf8")).pipe(
    Effect.flatMap((text) => Effect.try((): unknown => JSON.parse(text))),
    Effect.isSuccess
  )

const modified = (file: string) =>
  Effect.promise(() => stat(file).then((stats) => Option.some(stats.mtimeMs), () => Option.none<number>()))

/** Makes sure that what anvil is about to load is whole, going back to the last good copy if it must. */
export const prepare = (file: string): Effect.Effect<void, StateDamaged> =>
  Effect.gen(function*() {
    const good = goodCopy(file)
    if (Option.isNone(yield* modified(file))) {
      // Whoever deleted the state wants a new chain; the copy must not bring the old one back later.
      return yield* Effect.promise(() => rm(good, { force: true }))
    }
    if (yield* isWhole(file)) return
    if (!(yield* isWhole(good))) return yield* new StateDamaged({ file })
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

// A copy taken while anvil writes shows in the changed time or in the missing last brace. Then the next round will do.
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
  }).pipe(Effect.catch((error) => Effect.logDebug("No good copy of the chain this time", error)))

/** Keeps a copy of `file` that is never half written, at most 15 seconds old. */
export const keepGoodCopy = (file: string): Effect.Effect<void, never, Scope.Scope> =>
  copyOnce(file).pipe(Effect.repeat(Schedule.spaced("15 seconds")), Effect.forkScoped, Effect.asVoid)
