/** Allows one process per signing record: two would each miss what the other has signed. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as Schema from "effect/Schema"
import type { Scope } from "effect/Scope"
import * as Fs from "node:fs/promises"
import * as Os from "node:os"
import * as Path from "node:path"
import * as process from "node:process"
import { RecordRefused } from "./RecordRefused.ts"

/** The process that holds a lock. `startedAt`: the machine's boot and the process's start, where they are known. */
const Holder = Schema.Struct({ pid: Schema.Int, host: Schema.String, startedAt: Schema.String })
const HolderJson = Schema.fromJsonString(Holder)

/** A holder changes its lock's time this often, so that other machines can see that it lives. */
const heartbeatSeconds = 4

const text = (path: string) => Fs.readFile(path, "utf8").catch(() => "")

/** Returns the identity of a running process; undefined where it does not run. */
const find = async (pid: number): Promise<string | undefined> => {
  const stat = await text(`/proc/${pid}/stat`)
  if (stat === "") {
    // Without /proc a process id is all there is.
    if ((await text("/proc/self/stat")) !== "") return undefined
    return await new Promise((resolve) => resolve(process.kill(pid, 0) ? "" : undefined))
  }
  const boot = (await text("/proc/sys/kernel/random/boot_id")).trim()
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
  // A zombie has ended; only its parent has not noticed.
  return fields[0] === "Z" ? undefined : `${boot}/${fields[19] ?? ""}`
}

const identity = (pid: number) => Effect.orElseSucceed(Effect.tryPromise(() => find(pid)), () => undefined)

const timeOf = (path: string) =>
  Effect.orElseSucceed(Effect.tryPromise(async () => (await Fs.stat(path)).mtimeMs), () => 0)

/** Returns the running holder of a lock. An unreadable lock, as a power cut leaves it, has none. */
const holderOf = (path: string) =>
  Effect.gen(function*() {
    const holder = yield* Schema.decodeEffect(HolderJson)(yield* Effect.promise(() => text(path)))
    const boot = (yield* Effect.promise(() => text("/proc/sys/kernel/random/boot_id"))).trim()
    if (holder.host === Os.hostname() && holder.startedAt.startsWith(boot)) {
      return (yield* identity(holder.pid)) === holder.startedAt ? Option.some(holder) : Option.none()
    }
    // Another machine or container: its process cannot be seen, but its heartbeats can.
    const before = yield* timeOf(path)
    yield* Effect.sleep(`${3 * heartbeatSeconds} seconds`)
    return (yield* timeOf(path)) === before ? Option.none() : Option.some(holder)
  }).pipe(Effect.orElseSucceed(() => Option.none<typeof Holder.Type>()))

const io = <A>(folder: string, run: () => Promise<A>) =>
  Effect.tryPromise({
    try: run,
    catch: (cause) =>
      new RecordRefused({ message: `The signing record ${folder} cannot be locked (${String(cause)}).` })
  })

const numbers = (folder: string) =>
  Effect.map(
    io(folder, () => Fs.readdir(folder)),
    (names) => names.flatMap((name) => /^lock\.(\d+)$/.exec(name)?.[1] ?? []).map(Number).sort((a, b) => a - b)
  )

/** Creates the lock atomically by linking a complete draft; returns false when another contender was faster. */
const place = (folder: string, path: string) =>
  Effect.gen(function*() {
    const startedAt = (yield* identity(process.pid)) ?? ""
    const draft = `${path}.${process.pid}.draft`
    yield* io(folder, () =>
      Fs.writeFile(draft, JSON.stringify({ pid: process.pid, host: Os.hostname(), startedAt }), { mode: 0o600 }))
    const won = yield* Effect.isSuccess(Effect.tryPromise(() =>
      Fs.link(draft, path)
    ))
    yield* io(folder, () => Fs.rm(draft, { force: true }))
    return won
  })

/**
 * Creates the lock with the next number. Locks are numbered and the highest one counts: if contenders deleted a stale
 * file and created it again, one could delete the other's.
 */
const claim = (folder: string): Effect.Effect<string, RecordRefused> =>
  Effect.gen(function*() {
    const before = yield* numbers(folder)
    const top = before.at(-1) ?? 0
    const holder = top === 0 ? Option.none() : yield* holderOf(Path.join(folder, `lock.${top}`))
    if (Option.isSome(holder)) {
      const { host, pid } = holder.value
      return yield* new RecordRefused({
        message: `The signing record ${folder} is in use by process ${pid} on ${host}: stop it, or give this process ` +
          "another folder (SIGNING_RECORD_DIR)."
      })
    }
    const path = Path.join(folder, `lock.${top + 1}`)
    const won = yield* place(folder, path)
    const isOvertaken = (yield* numbers(folder)).some((number) => number > top + 1)
    if (won && !isOvertaken) {
      yield* Effect.forEach(before, (number) =>
        io(folder, () => Fs.rm(Path.join(folder, `lock.${number}`), { force: true })))
      return path
    }
    if (won) {
      yield* io(folder, () =>
        Fs.rm(path, { force: true }))
    }
    return yield* claim(folder)
  })

/** Holds the folder until the scope closes. Takes over the lock of a process that has died. */
export const acquire = (folder: string): Effect.Effect<void, RecordRefused, Scope> =>
  Effect.gen(function*() {
    const path = yield* Effect.acquireRelease(
      claim(folder),
      (path) => Effect.promise(() => Fs.rm(path, { force: true }))
    )
    const beat = Effect.ignore(Effect.tryPromise(() => {
      const now = new Date()
      return Fs.utimes(path, now, now)
    }))
    yield* Effect.forkScoped(Effect.repeat(beat, Schedule.spaced(`${heartbeatSeconds} seconds`)))
  })
