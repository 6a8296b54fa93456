import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { existsSync } from "node:fs"
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as DataDirectoryLock from "../../src/postgres/DataDirectoryLock.ts"
import * as HomeMarks from "../../src/postgres/HomeMarks.ts"

/** A folder of homes, and one of data directories. */
const scene = Effect.gen(function*() {
  const folder = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "vault-trader-test-"))),
    (path) => Effect.promise(() => rm(path, { recursive: true }))
  )
  let last = 0
  return {
    path: (name: string) => join(folder, name),
    /** A home, and the data directory of this name that uses it. */
    pair: (name: string) =>
      Effect.gen(function*() {
        last += 1
        const home = join(folder, "homes", last.toString(16).padStart(16, "0"))
        const user = join(folder, name)
        yield* Effect.promise(() => mkdir(join(home, "data"), { recursive: true }))
        yield* Effect.promise(() => mkdir(user, { recursive: true }))
        yield* HomeMarks.mark(user, home)
        return {
          home,
          user,
          mark: HomeMarks.mark(user, home),
          remove: Effect.promise(() => rm(user, { recursive: true }))
        }
      }),
    sweep: HomeMarks.removeOrphans(join(folder, "homes"))
  }
})

describe("the home of a data directory", () => {
  it.live("is removed after its data directory was, and not before", () =>
    Effect.gen(function*() {
      const { pair, sweep } = yield* scene
      const one = yield* pair("one")
      const other = yield* pair("other")
      yield* one.mark
      yield* sweep
      assert.isTrue(existsSync(one.home))
      yield* one.remove
      yield* sweep
      assert.deepStrictEqual([existsSync(one.home), existsSync(other.home)], [false, true])
    }))

  it.live("is kept for a renamed data directory, and removed after that one was", () =>
    Effect.gen(function*() {
      const { pair, path, sweep } = yield* scene
      const { home, user } = yield* pair("before")
      yield* Effect.promise(() => rename(user, path("after")))
      yield* sweep
      assert.isTrue(existsSync(home))
      yield* HomeMarks.mark(path("after"), home)
      yield* Effect.promise(() => rm(path("after"), { recursive: true }))
      yield* sweep
      assert.isFalse(existsSync(home))
    }))

  it.live("is kept until the last of the data directories that use it was removed", () =>
    Effect.gen(function*() {
      const { pair, path, sweep } = yield* scene
      const { home, remove, user } = yield* pair("original")
      yield* Effect.promise(() => cp(user, path("copy"), { recursive: true }))
      yield* HomeMarks.mark(path("copy"), home)
      yield* remove
      yield* sweep
      assert.isTrue(existsSync(home))
      yield* Effect.promise(() => rm(path("copy"), { recursive: true }))
      yield* sweep
      assert.isFalse(existsSync(home))
    }))

  it.live("is kept while a service holds it, and forever if it has no mark or a user on another file system", () =>
    Effect.gen(function*() {
      const { pair, path, sweep } = yield* scene
      const held = yield* pair("held")
      const elsewhere = yield* pair("elsewhere")
      const unmarked = path("homes/00000000000000ff")
      yield* Effect.promise(() => mkdir(unmarked))
      yield* Effect.promise(() => writeFile(join(elsewhere.home, "kept"), ""))
      yield* held.remove
      yield* elsewhere.remove
      yield* Effect.scoped(Effect.andThen(DataDirectoryLock.acquire(held.home), sweep))
      const left = () => [held.home, elsewhere.home, unmarked].map((home) => existsSync(home))
      assert.deepStrictEqual(left(), [true, true, true])
      yield* sweep
      assert.deepStrictEqual(left(), [false, true, true])
    }))
})
