import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as DataDirectoryLock from "../../src/postgres/DataDirectoryLock.ts"
import * as RunningProcess from "../../src/postgres/RunningProcess.ts"

const directory = Effect.acquireRelease(
  Effect.promise(() => mkdtemp(join(tmpdir(), "vault-trader-lock-"))),
  (path) => Effect.promise(() => rm(path, { recursive: true }))
)

const files = (path: string) => Effect.promise(() => readdir(path))

const leave = (path: string, name: string, record: string) => Effect.promise(() => writeFile(join(path, name), record))

describe("DataDirectoryLock", () => {
  it.live("gives the directory to one of many concurrent contenders", () =>
    Effect.gen(function*() {
      const path = yield* directory
      const asked = Array.from({ length: 20 }, () => Effect.result(DataDirectoryLock.acquire(path)))
      const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(Result.isSuccess).length, 1)
      assert.deepStrictEqual(
        new Set(answers.filter(Result.isFailure).map(({ failure }) => failure._tag)),
        new Set(["DataDirectoryBusy"])
      )
    }))

  it.live("gives a dead service's directory to one of many concurrent contenders", () =>
    Effect.gen(function*() {
      const path = yield* directory
      yield* leave(path, "lock.4", JSON.stringify({ pid: process.pid, startedAt: "an earlier bearer of this id" }))
      const asked = Array.from({ length: 20 }, () => Effect.result(DataDirectoryLock.acquire(path)))
      const answers = yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.strictEqual(answers.filter(Result.isSuccess).length, 1)
      assert.deepStrictEqual(yield* files(path), ["lock.5"])
    }))

  it.live("is free again when its holder has finished", () =>
    Effect.gen(function*() {
      const path = yield* directory
      yield* Effect.scoped(DataDirectoryLock.acquire(path))
      assert.deepStrictEqual(yield* files(path), [])
      yield* Effect.scoped(DataDirectoryLock.acquire(path))
    }))

  it.live("is taken from a lock file that a power cut left empty", () =>
    Effect.gen(function*() {
      const path = yield* directory
      yield* leave(path, "lock.1", "")
      yield* Effect.scoped(DataDirectoryLock.acquire(path))
    }))

  it.live("respects a running holder", () =>
    Effect.gen(function*() {
      const path = yield* directory
      const parent = yield* Effect.flatMap(RunningProcess.find(process.ppid), Effect.fromNullishOr)
      yield* leave(path, "lock.1", JSON.stringify({ pid: parent.pid, startedAt: parent.startedAt }))
      const refusal = yield* Effect.flip(DataDirectoryLock.acquire(path))
      assert.include(refusal.message, `in use by process ${parent.pid};`)
      assert.deepStrictEqual(yield* files(path), ["lock.1"])
    }))
})
