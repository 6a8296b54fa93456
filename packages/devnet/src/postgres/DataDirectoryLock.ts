/**
 * One service per data directory. PostgreSQL's own lock does not see this: a second service would adopt the first one's
 * server, and whichever stopped first would take the other's database down.
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
 * Holds the directory until the scope closes. The lock of a process that died is taken over.
 *
 * Locks are numbered files and the highest number rules. A successor creates the next number, which succeeds for exactly one
 * contender; unlinking a stale file and creating it anew would let two contenders unlink each other's.
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
  Effect.map(attempt("read its data directory", () => readdir(directory)), (names) =>
    names.flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? []).map(Number).sort((a, b) => a - b))

const remove = (path: string) => attempt("release its lock", () => rm(path, { force: true }))

/** Appears whole or not at all, hence the link; `false` when another contender was faster. */
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

/** The living holder's process id. An unreadable lock is what a power cut leaves: nobody holds it. */
const holderOf = (path: string) =>
  Effect.tryPromise(() => readFile(path, "utf8")).pipe(
    Effect.flatMap(Schema.decodeUnknownEffect(Holder)),
    Effect.flatMap((holder) => Effect.map(RunningProcess.find(holder.pid), (now) => ({ holder, now }))),
    Effect.map(({ holder, now }) => now?.startedAt === holder.startedAt ? Option.some(holder.pid) : Option.none()),
    Effect.orElseSucceed(() => Option.none<number>())
  )

/** Another living service uses the directory. */
export class DataDirectoryBusy extends Schema.TaggedError<DataDirectoryBusy>()("DataDirectoryBusy", {
  directory: Schema.String,
  holder: Schema.Int
}) {
  override get message(): string {
    return `The data directory ${this.directory} is in use by process ${this.holder}; stop that service or choose another DATA_DIR.`
  }
}
