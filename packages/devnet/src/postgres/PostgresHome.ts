/** The embedded database's folders, placed where the account that runs the server can reach them. */
import { createHash, randomBytes } from "node:crypto"
import { chmod, chown, lstat, mkdir, readFile, realpath, stat, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as process from "node:process"
import * as Effect from "effect/Effect"
import * as DataDirectoryLock from "./DataDirectoryLock.ts"
import * as HomeMarks from "./HomeMarks.ts"
import * as PostgresBinaries from "./PostgresBinaries.ts"
import { attempt, PostgresFailed } from "./PostgresFailed.ts"
import * as ServerAccount from "./ServerAccount.ts"

export interface PostgresHome {
  readonly account: ServerAccount.ServerAccount | undefined
  readonly binaries: PostgresBinaries.PostgresBinaries
  /** Owned by the account, 0700. */
  readonly data: string
  /** Owned by the account, 0700: only it and root can connect, which is why `trust` is enough. */
  readonly socketDir: string
  readonly log: string
}

/** Parent folder of homes that cannot be under the data directory. */
const refuge = "/var/lib/vault-trader"

/** Port number in the socket's file name; nothing listens on TCP. */
export const port = 5432

/** Prepares `<dataDir>/postgres` and locks it for the scope. */
export const open = Effect.fn("PostgresHome.open")(function*(dataDir: string) {
  const base = yield* attempt(`create ${dataDir}`, async () => {
    await mkdir(join(dataDir, "postgres"), { recursive: true })
    return realpath(join(dataDir, "postgres"))
  })
  yield* DataDirectoryLock.acquire(base)
  const root = yield* rootFor(base)
  // A copied data directory contains the original's note, so both would use one server.
  if (root !== base) {
    yield* DataDirectoryLock.acquire(root)
    yield* HomeMarks.mark(base, root)
    yield* Effect.logInfo(
      `The database of ${base} is in ${root}, because PostgreSQL's account may not enter that folder. Back up both. ` +
        "A start after the data directory was removed removes it."
    )
  }
  const account = yield* ServerAccount.choose(yield* ownerOf(join(root, "data")))
  if (account !== undefined) yield* Effect.forkScoped(HomeMarks.removeOrphans(refuge))
  const binaries = yield* PostgresBinaries.locate(root, account)
  const socketDir = yield* socketDirectory(root, account)
  return {
    account,
    binaries,
    data: join(root, "data"),
    socketDir,
    log: join(root, "postgres.log")
  } satisfies PostgresHome
})

/** Returns the owner of existing data: rows written as one account are never opened as another. */
const ownerOf = (path: string): Effect.Effect<ServerAccount.ServerAccount | undefined> =>
  Effect.orElseSucceed(Effect.tryPromise(() => stat(path)), () => undefined)

/**
 * Returns the folder itself if the account can reach it, otherwise a home in `refuge` that a note in the folder points
 * to.
 */
const rootFor = Effect.fn("PostgresHome.rootFor")(function*(base: string) {
  const owner = yield* ownerOf(join(base, "data"))
  const account = yield* ServerAccount.choose(owner)
  if (account === undefined) return base
  yield* attempt("open its folder to the server's account", () => chmod(base, 0o711))
  if (yield* ServerAccount.canReach(account, base)) return base
  if (owner !== undefined) {
    return yield* new PostgresFailed({
      doing: `open ${join(base, "data")}`,
      detail: `the account that owns it (uid ${owner.uid}) may not pass through the folders above it`
    })
  }
  const note = join(base, "location")
  const known = yield* Effect.option(Effect.tryPromise(() => readFile(note, "utf8")))
  // Random, not derived from the path: a data directory that is deleted and created again must not find the old rows.
  const root = known._tag === "Some" ? known.value.trim() : join(refuge, randomBytes(8).toString("hex"))
  yield* attempt(`create ${root}`, async () => {
    await mkdir(root, { recursive: true })
    await chmod(refuge, 0o711)
    await chmod(root, 0o711)
    await writeFile(note, `${root}\n`)
  })
  return root
})

/**
 * Returns the socket's folder. Socket paths are limited to 107 characters, so a deep data directory has its socket in
 * the temporary folder.
 */
const socketDirectory = Effect.fn("PostgresHome.socketDirectory")(
  function*(root: string, account: ServerAccount.ServerAccount | undefined) {
    const near = join(root, "socket")
    const short = `vault-trader-${createHash("sha256").update(root).digest("hex").slice(0, 16)}`
    const temporary = (yield* ServerAccount.canReach(account, tmpdir())) ? tmpdir() : "/tmp"
    const path = Buffer.byteLength(join(near, `.s.PGSQL.${port}`)) <= 100 ? near : join(temporary, short)
    yield* ownFolder(path, account)
    return path
  }
)

/** Creates (or checks) a folder that only the account may enter. */
export const ownFolder = Effect.fn("PostgresHome.ownFolder")(
  function*(path: string, account: ServerAccount.ServerAccount | undefined) {
    yield* attempt(`create ${path}`, () => mkdir(path, { recursive: true, mode: 0o700 }))
    const before = yield* attempt(`examine ${path}`, () => lstat(path))
    if (account !== undefined && before.isDirectory() && before.uid === 0) {
      yield* attempt(`change the owner of ${path}`, () => chown(path, account.uid, account.gid))
    }
    const found = yield* attempt(`examine ${path}`, () => lstat(path))
    const owner = account?.uid ?? process.getuid?.() ?? found.uid
    // Every account can write to the temporary folder: do not trust what another one may have created there.
    if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
      return yield* new PostgresFailed({
        doing: `use ${path}`,
        detail: "it is not a folder of the server's account alone"
      })
    }
  }
)
