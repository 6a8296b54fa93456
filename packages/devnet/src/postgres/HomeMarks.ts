/**
 * Marks of homes outside their data directories, and the removal of homes whose data directory was removed. A mark is
 * one file with two names, in the home and in the data directory (a hard link). It loses its second name when the data
 * directory is removed, and keeps it when the data directory is renamed.
 */
import { randomBytes } from "node:crypto"
import type { Dirent } from "node:fs"
import { link, lstat, readdir, readFile, rm, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as process from "node:process"
import * as Effect from "effect/Effect"
import * as DataDirectoryLock from "./DataDirectoryLock.ts"
import { attempt } from "./PostgresFailed.ts"
import * as RunningProcess from "./RunningProcess.ts"

const markPrefix = "used-by."

/** Name of a mark in the data directory. */
const ownName = "home-mark"

/** A file in homes that a data directory on another file system uses. They are never removed. */
const keptName = "kept"

const marksIn = async (home: string) => {
  const names = (await readdir(home)).filter((name) => name.startsWith(markPrefix))
  return Promise.all(names.map((name) => stat(join(home, name)).then((file) => ({ path: join(home, name), file }))))
}

/** Marks a home as used by the data directory with this folder. A file system without hard links keeps it forever. */
export const mark = (folder: string, home: string) =>
  attempt(`mark ${home}`, async () => {
    const own = join(folder, ownName)
    const known = await stat(own).catch(() => undefined)
    const marks = await marksIn(home)
    if (known !== undefined && marks.some(({ file }) => file.ino === known.ino && file.dev === known.dev)) {
      return writeFile(own, `${folder}\n`)
    }
    const path = join(home, `${markPrefix}${randomBytes(8).toString("hex")}`)
    await writeFile(path, `${folder}\n`)
    await rm(own, { force: true })
    await link(path, own).catch(async () => {
      await writeFile(join(home, keptName), `${folder}\n`)
      await rm(path)
    })
  })

/** Returns true only for a path that certainly does not exist. */
const isGone = (path: string) =>
  lstat(path).then(() => false, (error: NodeJS.ErrnoException) => error.code === "ENOENT")

/**
 * Returns the removed data directories of a home; none if one of them may still exist, or if the home has no mark.
 *
 * A data directory that was restored from a copy is no longer linked to its home, but its path exists.
 */
const removedUsers = async (home: string): Promise<ReadonlyArray<string>> => {
  const { uid } = await lstat(home)
  if (uid !== process.getuid?.() || !(await isGone(join(home, keptName)))) return []
  const users = await Promise.all((await marksIn(home)).map(async ({ file, path }) => {
    const folder = (await readFile(path, "utf8")).trim()
    return { folder, removed: folder !== "" && file.nlink === 1 && await isGone(folder) }
  }))
  return users.every(({ removed }) => removed) ? users.map(({ folder }) => folder) : []
}

const isServing = (home: string) =>
  Effect.gen(function*() {
    const text = yield* Effect.tryPromise(() => readFile(join(home, "data/postmaster.pid"), "utf8"))
    const found = yield* RunningProcess.find(Number.parseInt(text, 10))
    return found?.command.includes(`postgres -D ${join(home, "data")} `) === true
  }).pipe(Effect.orElseSucceed(() => false))

const removeIfOrphaned = (home: string) =>
  Effect.gen(function*() {
    const users = yield* attempt(`examine ${home}`, () => removedUsers(home))
    if (users.length === 0) return
    // The service of a data directory that was removed under it still holds its home.
    yield* DataDirectoryLock.acquire(home)
    if (yield* isServing(home)) return
    yield* attempt(`remove ${home}`, async () => {
      // The marks last: an interrupted removal is completed by the next one.
      for (const name of ["data", "socket"]) await rm(join(home, name), { recursive: true, force: true })
      await rm(home, { recursive: true, force: true })
    })
    yield* Effect.logInfo(`removed the database in ${home}: its data directory ${users.join(", ")} was removed`)
  }).pipe(Effect.scoped, Effect.catch(({ message }) => Effect.logDebug(message)))

/** Removes the homes in this folder whose data directories were all removed. */
export const removeOrphans = (refuge: string) =>
  Effect.gen(function*() {
    const entries = yield* Effect.orElseSucceed(
      attempt(`read ${refuge}`, () => readdir(refuge, { withFileTypes: true })),
      (): ReadonlyArray<Dirent> => []
    )
    const homes = entries.filter((entry) => entry.isDirectory() && /^[0-9a-f]{16}$/.test(entry.name))
    yield* Effect.forEach(homes, ({ name }) => removeIfOrphaned(join(refuge, name)), { discard: true })
  })
