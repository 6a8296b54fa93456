import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as References from "effect/References"
import * as Schedule from "effect/Schedule"
import * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as RecordExport from "../../src/gas-wallet/RecordExport.ts"
import * as RecordFile from "../../src/gas-wallet/RecordFile.ts"
import * as RecordFolder from "../../src/gas-wallet/RecordFolder.ts"
import type { Options } from "../../src/gas-wallet/RecordWriter.ts"
import type { SigningEntry } from "../../src/gas-wallet/SigningEntry.ts"
import { SigningRecord } from "../../src/gas-wallet/SigningRecord.ts"
import { cancelOf, entry, hashOf, wallet } from "./SigningEntries.ts"

const dayMillis = 86_400_000

const temporary = Effect.acquireRelease(
  Effect.sync(() => Path.join(Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-record-")), "record")),
  (folder) => Effect.sync(() => Fs.rmSync(Path.dirname(folder), { recursive: true, force: true }))
)

/** Opens the record of a folder and uses it as one process would. */
const using = <A, E, R>(
  folder: string,
  use: (record: SigningRecord["Service"]) => Effect.Effect<A, E, R>,
  options: Partial<Options> = {}
) =>
  Effect.flatMap(SigningRecord, use).pipe(
    Effect.provide(Layer.fresh(SigningRecord.layer(folder, options))),
    Effect.provideService(References.MinimumLogLevel, "None"),
    Effect.scoped
  )

const committed = (folder: string, ...entries: ReadonlyArray<SigningEntry>) =>
  using(folder, ({ commit }) => Effect.forEach(entries, (one) => commit([one]), { discard: true }))

const filesOf = (folder: string) => Fs.readdirSync(folder).filter((name) => name.endsWith(".record")).sort()
const newest = (folder: string) => Path.join(folder, filesOf(folder).at(-1) ?? "")

const nth = (nonce: number, changes: Partial<SigningEntry> = {}) =>
  entry({ nonce: BigInt(nonce), key: `intent-${nonce}/0`, ...changes })

const refusal = (folder: string) => Effect.map(Effect.flip(using(folder, () => Effect.void)), ({ message }) => message)

const withoutTime = ({ recordedAt: _, ...fields }: SigningEntry & { readonly recordedAt: number }) => fields

/** Lets the files' callbacks run. */
const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))

/** Waits until a condition holds; files are read and written in real time. */
const until = <E, R>(look: Effect.Effect<boolean, E, R>): Effect.Effect<void, E, R> =>
  Effect.flatMap(look, (isReached) =>
    isReached
      ? Effect.void
      : Effect.andThen(turn, until(look)))

describe("the signing record", () => {
  it.effect("still has every committed transaction, with call and plan, after a restart", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      const one = nth(3, {
        ...{ data: `0x${"ab".repeat(3000)}`, value: 10n ** 30n, plan: { steps: ["a", { b: null }] } },
        validUntil: 1_800_000_000_000
      })
      const higher = { ...one, hash: hashOf("higher fees") }
      yield* committed(folder, one, higher, cancelOf(one))
      yield* using(folder, ({ find, findKeys, nextNonce }) =>
        Effect.gen(function*() {
          assert.deepStrictEqual((yield* find(8453, wallet, 3n)).map(withoutTime), [one, higher, cancelOf(one)])
          assert.deepStrictEqual((yield* findKeys([one.key])).map(withoutTime), [one, higher, cancelOf(one)])
          assert.deepStrictEqual(yield* nextNonce(8453, wallet), Option.some(4n))
          assert.deepStrictEqual(yield* nextNonce(10, wallet), Option.none())
        }))
      assert.strictEqual(Fs.statSync(folder).mode & 0o777, 0o700)
      assert.strictEqual(Fs.statSync(newest(folder)).mode & 0o777, 0o600)
    }))

  it.effect("refuses a contradiction at check and at commit, and records nothing of it", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      yield* using(folder, ({ check, commit, findKeys }) =>
        Effect.gen(function*() {
          yield* commit([nth(0)])
          const second = nth(0, { key: "second/0" })
          assert.isTrue(Option.isSome(yield* check([second])))
          assert.strictEqual((yield* Effect.flip(commit([nth(1), second])))._tag, "RecordConflict")
          assert.deepStrictEqual(yield* findKeys(["intent-1/0"]), [])
        }))
      assert.strictEqual((yield* RecordFolder.read(folder)).index.size, 1)
    }))

  it.effect("writes nothing for transactions that are recorded, and one line for concurrent commits", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      let syncs = 0
      const disk = {
        ...RecordFile.disk,
        sync: async (file: Parameters<RecordFile.Disk["sync"]>[0]) => {
          syncs++
          await RecordFile.disk.sync(file)
        }
      }
      yield* using(folder, ({ commit }) =>
        Effect.gen(function*() {
          const all = Array.from({ length: 200 }, (_, index) => nth(index))
          syncs = 0
          yield* Effect.forEach(all, (one) => commit([one]), { concurrency: "unbounded", discard: true })
          assert.isAtMost(syncs, 3)
          const { size } = Fs.statSync(newest(folder))
          syncs = 0
          yield* commit(all)
          assert.strictEqual(syncs, 0)
          assert.strictEqual(Fs.statSync(newest(folder)).size, size)
        }), { disk })
      assert.strictEqual((yield* RecordFolder.read(folder)).index.size, 200)
    }))

  it.effect("has one process per folder, and takes over from one that has died", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      yield* using(folder, () =>
        Effect.gen(function*() {
          assert.include(yield* refusal(folder), `process ${process.pid}`)
          assert.include(yield* refusal(folder), "SIGNING_RECORD_DIR")
        }))
      const held = JSON.stringify({ pid: 2 ** 22 + 1, host: Os.hostname(), startedAt: "" })
      const boot = Fs.readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()
      Fs.writeFileSync(Path.join(folder, "lock.7"), held.replace(`"startedAt":""`, `"startedAt":"${boot}/1"`))
      yield* committed(folder, nth(0))
      assert.deepStrictEqual(Fs.readdirSync(folder), filesOf(folder))
    }))
})

describe("a lock of another machine or container", () => {
  const locked = Effect.gen(function*() {
    const folder = yield* temporary
    Fs.mkdirSync(folder, { recursive: true })
    const lock = Path.join(folder, "lock.1")
    Fs.writeFileSync(lock, JSON.stringify({ pid: 1, host: "another", startedAt: "boot/1" }))
    return { folder, lock }
  })

  /** Lets the start read files, and moves its clock on. */
  const patient = Effect.andThen(
    Effect.repeat(turn, { times: 50 }),
    TestClock.adjust("12 seconds")
  )

  it.effect("is taken over when it shows no sign of life for twelve seconds", () =>
    Effect.gen(function*() {
      const { folder } = yield* locked
      const start = yield* Effect.forkChild(committed(folder, nth(0)))
      yield* until(Effect.andThen(patient, Effect.sync(() => start.pollUnsafe() !== undefined)))
      yield* Fiber.join(start)
    }))

  it.effect("refuses the start while it is alive", () =>
    Effect.gen(function*() {
      const { folder, lock } = yield* locked
      let beats = 0
      const beat = Effect.sync(() => Fs.utimesSync(lock, ++beats, beats))
      yield* Effect.forkChild(Effect.repeat(beat, Schedule.spaced("4 seconds")))
      const start = yield* Effect.forkChild(refusal(folder))
      yield* until(Effect.andThen(patient, Effect.sync(() => start.pollUnsafe() !== undefined)))
      assert.include(yield* Fiber.join(start), "process 1 on another")
    }))
})

describe("a file of the signing record", () => {
  const three = Effect.gen(function*() {
    const folder = yield* temporary
    yield* committed(folder, nth(0), nth(1), nth(2))
    const path = newest(folder)
    return { folder, path, lines: Fs.readFileSync(path, "utf8").split("\n") }
  })

  it.effect("loses an incomplete last line at start, and nothing else", () =>
    Effect.gen(function*() {
      const { folder, lines, path } = yield* three
      const last = lines[3] ?? ""
      const whole = lines.slice(0, 3).join("\n")
      const torn = [
        `${whole}\n${last.slice(0, 40)}`,
        `${whole}\n${last}`,
        // Pages that the disk never received.
        `${whole}\n${last.slice(0, 40)}${"\0".repeat(100)}${last.slice(140)}\n`,
        `${whole}\n${"\0".repeat(4096)}`
      ]
      for (const text of torn) {
        Fs.writeFileSync(path, text)
        yield* using(folder, ({ commit, findKeys, nextNonce }) =>
          Effect.gen(function*() {
            assert.strictEqual((yield* findKeys(["intent-1/0"])).length, 1)
            assert.strictEqual((yield* findKeys(["intent-2/0"])).length, 0)
            assert.deepStrictEqual(yield* nextNonce(8453, wallet), Option.some(2n))
            yield* commit([nth(2)])
          }))
        assert.strictEqual((yield* RecordFolder.read(folder)).index.size, 3)
      }
    }))

  it.effect("is removed where a crash left nothing but the beginning of its header", () =>
    Effect.gen(function*() {
      const { folder } = yield* three
      Fs.writeFileSync(Path.join(folder, RecordFolder.nameOf(2, "2100-01-01")), "4 {\"signing")
      yield* committed(folder, nth(3))
      assert.strictEqual((yield* RecordFolder.read(folder)).index.size, 4)
    }))

  it.effect("refuses the start when a line was changed, removed or moved, and names file and line", () =>
    Effect.gen(function*() {
      const { folder, lines, path } = yield* three
      const [head = "", one = "", two = "", last = ""] = lines
      const cases: ReadonlyArray<readonly [number, ReadonlyArray<string>]> = [
        [2, [head, one.replace("intent-0", "intent-9"), two, last]],
        [4, [head, one, two, last.replace("intent-2", "intent-9")]],
        [2, [head, two, last]],
        [3, [head, one, last, two]],
        [2, [head, "", one, two, last]],
        [1, [one, two, last]],
        [1, [head.replace("\"at\":0", "\"at\":1"), one, two, last]]
      ]
      for (const [line, changed] of cases) {
        Fs.writeFileSync(path, `${changed.join("\n")}\n`)
        const message = yield* refusal(folder)
        assert.include(message, `line ${line} of ${path}`)
        assert.include(message, "docs/deploy.md")
      }
    }))

  it.effect("is followed by another when it is full and when its day is over; a missing one is noticed", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      yield* using(
        folder,
        ({ commit }) => Effect.forEach([0, 1, 2, 3], (nonce) => commit([nth(nonce)]), { discard: true }),
        { maxBytes: 500 }
      )
      assert.isAbove(filesOf(folder).length, 2)
      yield* TestClock.adjust(dayMillis)
      yield* committed(folder, nth(4))
      assert.match(newest(folder), /1970-01-02\.record$/)
      const { files, index } = yield* RecordFolder.read(folder)
      assert.strictEqual(index.size, 5)
      assert.strictEqual(files.length, filesOf(folder).length)
      Fs.rmSync(Path.join(folder, filesOf(folder)[1] ?? ""))
      assert.include(yield* refusal(folder), "missing")
    }))

  it.effect("is not loaded once it is old: the next nonce remains, and a call under an older one is refused", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      yield* committed(folder, nth(0), nth(1))
      yield* TestClock.adjust(dayMillis)
      yield* committed(folder, nth(2))
      const expectOld = ({ check, find, nextNonce }: SigningRecord["Service"]) =>
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* nextNonce(8453, wallet), Option.some(3n))
          assert.deepStrictEqual(yield* find(8453, wallet, 0n), [])
          assert.strictEqual((yield* find(8453, wallet, 2n)).length, 1)
          const conflict = yield* check([nth(0, { key: "second/0" })])
          assert.isTrue(Option.isSome(conflict) && conflict.value.recorded === undefined)
          assert.isTrue(Option.isNone(yield* check([nth(3)])))
        })
      yield* TestClock.adjust(2 * dayMillis)
      yield* using(folder, expectOld, { days: 2 })
      const { files, index } = yield* RecordFolder.read(folder, 2 * dayMillis)
      assert.deepStrictEqual([files.length, index.size], [1, 1])
      assert.strictEqual(index.next({ chainId: 8453, wallet }), 3n)
      // The same in a process that runs on while the file becomes old.
      const running = yield* temporary
      yield* using(running, (record) =>
        Effect.gen(function*() {
          yield* record.commit([nth(0), nth(1)])
          yield* TestClock.adjust("2 minutes")
          yield* record.commit([nth(2)])
          yield* expectOld(record)
        }), { days: 1 / 1440, maxBytes: 1 })
    }))
})

/** A disk on which the switch decides how many bytes of a write arrive. */
const failing = () => {
  const state = { fails: false }
  const disk: RecordFile.Disk = {
    write: async (file, bytes, position) => {
      if (!state.fails) return await RecordFile.disk.write(file, bytes, position)
      await file.write(bytes, 0, Math.floor(bytes.length / 2), position)
      throw Object.assign(new Error("no space left on device"), { code: "ENOSPC" })
    },
    sync: RecordFile.disk.sync
  }
  return { disk, state }
}

describe("a signing record that cannot be written", () => {
  it.effect("fails commits, reports it, and recovers by itself", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      const { disk, state } = failing()
      yield* using(folder, ({ commit, findKeys, status }) =>
        Effect.gen(function*() {
          yield* commit([nth(0)])
          state.fails = true
          const failure = yield* Effect.flip(commit([nth(1)]))
          assert.strictEqual(failure._tag, "RecordUnwritable")
          assert.include(failure.message, "ENOSPC")
          assert.deepStrictEqual(yield* findKeys(["intent-1/0"]), [])
          assert.strictEqual((yield* status)._tag, "unwritable")
          // A transaction that is recorded needs no append.
          yield* commit([nth(0)])
          assert.strictEqual((yield* Effect.flip(commit([nth(2)])))._tag, "RecordUnwritable")

          state.fails = false
          yield* TestClock.adjust("3 seconds")
          yield* until(Effect.map(status, ({ _tag }) => _tag === "ok"))
          yield* commit([nth(1)])
        }), { disk })
      const { index, torn } = yield* RecordFolder.read(folder)
      assert.deepStrictEqual([index.size, torn], [2, undefined])
    }))

  it.effect("does not write to a file that was removed or changed by another program", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      yield* using(folder, ({ commit, status }) =>
        Effect.gen(function*() {
          yield* commit([nth(0)])
          const path = newest(folder)
          Fs.renameSync(path, `${path}.away`)
          assert.match((yield* Effect.flip(commit([nth(1)]))).message, /ENOENT/)
          Fs.writeFileSync(path, Fs.readFileSync(`${path}.away`))
          yield* TestClock.adjust("3 seconds")
          yield* until(Effect.map(status, (now) => now._tag === "unwritable" && /another program/.test(now.message)))
          Fs.renameSync(`${path}.away`, path)
          yield* TestClock.adjust("3 seconds")
          yield* until(Effect.map(status, ({ _tag }) => _tag === "ok"))
          yield* commit([nth(1)])
        }))
      assert.strictEqual((yield* RecordFolder.read(folder)).index.size, 2)
    }))

  it.effect("counts as unwritable while an append does not return", () =>
    Effect.gen(function*() {
      const folder = yield* temporary
      let release = () => {}
      const held = new Promise<void>((resolve) => {
        release = resolve
      })
      let isHeld = false
      const disk = { ...RecordFile.disk, sync: () => isHeld ? held : Promise.resolve() }
      yield* using(folder, ({ commit, status }) =>
        Effect.gen(function*() {
          isHeld = true
          const fiber = yield* Effect.forkChild(commit([nth(0)]))
          yield* until(Effect.sync(() => Fs.readFileSync(newest(folder), "utf8").includes("intent-0")))
          assert.strictEqual((yield* status)._tag, "ok")
          yield* TestClock.adjust("10 seconds")
          assert.strictEqual((yield* status)._tag, "unwritable")
          release()
          yield* until(Effect.sync(() => fiber.pollUnsafe() !== undefined))
          assert.strictEqual((yield* status)._tag, "ok")
        }), { disk })
    }))
})

describe("an export of the signing record", () => {
  const other: Address = "0x00000000000000000000000000000000000000cc"

  it.effect("brings entries and next nonces into another folder, where they are checked", () =>
    Effect.gen(function*() {
      const [from, into] = [yield* temporary, yield* temporary]
      yield* committed(from, nth(0), nth(1), cancelOf(nth(1)))
      yield* committed(into, nth(5, { wallet: other }))
      const file = `${from}.export`
      assert.deepStrictEqual(yield* RecordExport.write(from, file, 7), { lanes: 1, entries: 3 })
      assert.deepStrictEqual(yield* Effect.scoped(RecordExport.merge(into, file, {})), { lanes: 1, entries: 3 })
      // A second import adds nothing.
      assert.deepStrictEqual(yield* Effect.scoped(RecordExport.merge(into, file, {})), { lanes: 1, entries: 0 })
      yield* using(into, ({ check, find, nextNonce }) =>
        Effect.gen(function*() {
          assert.deepStrictEqual(yield* nextNonce(8453, wallet), Option.some(2n))
          assert.deepStrictEqual(yield* nextNonce(8453, other), Option.some(6n))
          assert.deepStrictEqual((yield* find(8453, wallet, 1n)).map(withoutTime), [nth(1), cancelOf(nth(1))])
          assert.isTrue(Option.isSome(yield* check([nth(0, { key: "second/0" })])))
        }))
    }))

  it.effect("is refused when it contradicts the folder, is incomplete, or the service runs", () =>
    Effect.gen(function*() {
      const [from, into] = [yield* temporary, yield* temporary]
      yield* committed(from, nth(0), nth(1))
      yield* committed(into, nth(1, { key: "second/0" }))
      const file = `${from}.export`
      yield* RecordExport.write(from, file, 7)
      const merged = Effect.map(
        Effect.flip(Effect.scoped(RecordExport.merge(into, file, {}))),
        ({ message }) => message
      )
      assert.match(yield* merged, /^Nothing was imported.*intent-1\/0.*second\/0/)
      assert.strictEqual((yield* RecordFolder.read(into)).index.size, 1)
      const whole = Fs.readFileSync(file, "utf8")
      Fs.writeFileSync(file, whole.split("\n").slice(0, -2).map((line) => `${line}\n`).join(""))
      assert.include(yield* merged, "not a complete export")
      Fs.writeFileSync(file, whole.replace("intent-1", "intent-2"))
      assert.include(yield* merged, `of ${file} does not match its checksum`)
      Fs.writeFileSync(file, whole)
      const scope = yield* Scope.make()
      yield* Layer.buildWithScope(SigningRecord.layer(into), scope)
      assert.include(yield* merged, "is in use")
      yield* Scope.close(scope, Exit.void)
    }))
})
