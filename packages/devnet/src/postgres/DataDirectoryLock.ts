/**
 * Allows one service per data directory. PostgreSQL's own lock does not prevent a second one: it would adopt the first
 * service's server, and whichever stopped first would stop the other's database.
 */
import { link, readdir, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as process from "node:process"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import { attempt, type PostgresFailed } from "./PostgresFailed.ts"
import * as RunningProcess from "./RunningProcess.ts"

/**
 * Holds the directory until the scope closes. Takes over the lock of a process that died.
 *
 * Locks are numbered files and the highest number is the valid one. A successor creates the next number, which succeeds
 * for exactly one contender; deleting a stale file and creating it again would let two contenders delete each other's.
 */
export const acquire = (directory: string): Effect.Effect<string, DataDirectoryBusy | PostgresFailed, Scope> =>
  Effect.acquireRelease(claim(directory), (path) => Effect.promise(() => rm(path, { force: true })))

const claim = (directory: string): Effect.Effect<string, DataDirectoryBusy | PostgresFailed> =>
  Effect.gen(function*() {
    const before = yield* numbers(directory)
    const top = before.at(-1) ?? 0
    const holder = top === 0 ? Option.none() : yield* holderOf(join(directory, `lock.${top}`))
    if (Option.isSome(holder)) return yield* new DataDirectoryBusy({ directory, holder: holder.value })

    const path = join(directory, `lock.${top + 1}`)
    const won = yield* place(path)
    const overtaken = (yield* numbers(directory)).some((number) => number > top + 1)
    if (won && !overtaken) {
      yield* Effect.forEach(before, (number) => remove(join(directory, `lock.${number}`)))
      return path
    }
    if (won) yield* remove(path)
    return yield* claim(directory)
  })

const numbers = (directory: string) =>
  Effect.map(
    attempt("read its data directory", () => readdir(directory)),
    (names) => names.flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? []).map(Number).sort((a, b) => a - b)
  )

const remove = (path: string) => attempt("release its lock", () => rm(path, { force: true }))

/** Creates the lock file atomically by linking a complete draft; returns `false` when another contender was faster. */
const place = Effect.fn("DataDirectoryLock.place")(function*(path: string) {
  const self = yield* RunningProcess.find(process.pid)
  const draft = `${path}.${process.pid}.draft`
  const record = JSON.stringify({ pid: process.pid, startedAt: self?.startedAt ?? "" })
  yield* attempt("write its lock", () => writeFile(draft, record))
  const won = yield* Effect.isSuccess(Effect.tryPromise(() => link(draft, path)))
  yield* remove(draft)
  return won
})

const Holder = Schema.fromJsonString(Schema.Struct({ pid: Schema.Int, startedAt: Schema.String }))

/** Returns the process id of the running holder. An unreadable lock, as a power cut leaves it, has no holder. */
const holderOf = (path: string) =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Holder)),
    Effect.flatMap((holder) => Effect.map(RunningProcess.find(holder.pid), (now) => ({ holder, now }))),
    Effect.map(({ holder, now }) => now?.startedAt === holder.startedAt ? Option.some(holder.pid) : Option.none()),
    Effect.orElseSucceed(() => Option.none<number>())
  )

/** Another running service uses the directory. */
export class DataDirectoryBusy extends Schema.TaggedError<DataDirectoryBusy>()("DataDirectoryBusy", {
  directory: Schema.String,
  holder: Schema.Int
}) {
  override get message(): string {
    return `The data directory ${this.directory} is in use by process ${this.holder}; stop that service or choose another DATA_DIR.`
  }
}
