/** Chooses the account that the database server runs as: PostgreSQL refuses to run as root. */
import { readFile, stat } from "node:fs/promises"
import { dirname } from "node:path"
import * as process from "node:process"
import * as Effect from "effect/Effect"
import { attempt, PostgresFailed } from "./PostgresFailed.ts"

export interface ServerAccount {
  readonly uid: number
  readonly gid: number
}

/**
 * Returns `undefined` when we are not root: the server then runs as our own account. `dataOwner` owns the existing
 * data, if any.
 */
export const choose = Effect.fn("ServerAccount.choose")(function*(dataOwner: ServerAccount | undefined) {
  if (process.getuid?.() !== 0) return undefined
  if (dataOwner !== undefined && dataOwner.uid !== 0) return dataOwner
  const accounts = yield* attempt("read /etc/passwd", () => readFile("/etc/passwd", "utf8"))
  for (const name of ["postgres", "nobody"]) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+):`, "m").exec(accounts) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return yield* new PostgresFailed({
    doing: "run as root",
    detail: "there is no account `postgres` or `nobody` to run it as"
  })
})

/** Returns whether the account may pass through every folder down to `path` (and enter or execute `path` itself). */
export const canReach = (account: ServerAccount | undefined, path: string): Effect.Effect<boolean, PostgresFailed> =>
  account === undefined
    ? Effect.succeed(true)
    : Effect.gen(function*() {
      const found = yield* attempt(`examine ${path}`, () => stat(path))
      const bit = found.uid === account.uid ? 0o100 : found.gid === account.gid ? 0o010 : 0o001
      if ((found.mode & bit) === 0) return false
      return dirname(path) === path ? true : yield* canReach(account, dirname(path))
    })
