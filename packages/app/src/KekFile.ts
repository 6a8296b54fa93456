/**
 * The file of key-encryption keys: one per line, `v1:<64 hex characters>`; a file with only 64 hex characters is v1.
 * The highest version encrypts new secrets, all of them decrypt. A running process notices changes of the file and
 * keeps every key it has read.
 */
import type { Kek } from "@vault-trader/workers/gas-wallet/Envelope"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Result from "effect/Result"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import { CannotStart } from "./StartupFailure.ts"

type Keys = ReadonlyMap<number, Redacted.Redacted<string>>

/** Parses the keys of a file; `undefined` when the file is malformed. */
const parse = (text: string): Keys | undefined => {
  const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "")
  const [only] = lines
  if (lines.length === 1 && only !== undefined && /^[0-9a-f]{64}$/.test(only)) {
    return new Map([[1, Redacted.make(only)]])
  }
  const keys = new Map<number, Redacted.Redacted<string>>()
  for (const line of lines) {
    const [, version, key] = /^v([1-9]\d{0,8}):([0-9a-f]{64})$/.exec(line) ?? []
    if (version === undefined || key === undefined || keys.has(Number(version))) return undefined
    keys.set(Number(version), Redacted.make(key))
  }
  return keys.size === 0 ? undefined : keys
}

const read = (file: string): Result.Result<Keys, CannotStart> => {
  const text = Result.try({
    try: () => Fs.readFileSync(file, "utf8"),
    catch: () => new CannotStart({ message: `The file ${file} of the key-encryption key cannot be read.` })
  })
  return Result.flatMap(
    text,
    (found) =>
      Result.fromNullishOr(parse(found), () =>
        new CannotStart({
          message: `The file ${file} does not hold key-encryption keys: 64 lower-case hex characters, or lines of ` +
            "v<number>:<64 hex characters>, each number once."
        }))
  )
}

/** Returns a stamp that changes when the file changes, without reading it. */
const stampOf = (file: string): string => {
  const stat = Fs.statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? "" : `${stat.ino}/${stat.size}/${stat.mtimeMs}`
}

/** Reads the keys of a file and reloads them when it changes. A file that becomes malformed is ignored. */
export const follow = (file: string): Effect.Effect<Kek, CannotStart> =>
  Effect.suspend(() => {
    let stamp = stampOf(file)
    return Effect.map(Effect.fromResult(read(file)), (first) => {
      const keys = new Map(first)
      let newest = Math.max(...first.keys())
      const current = () => {
        const now = stampOf(file)
        if (now === stamp) return keys
        stamp = now
        const again = read(file)
        if (Result.isSuccess(again)) {
          for (const [version, key] of again.success) if (!keys.has(version)) keys.set(version, key)
          newest = Math.max(...again.success.keys())
        }
        return keys
      }
      return {
        get version() {
          current()
          return newest
        },
        get key() {
          return current().get(newest) ?? Redacted.make("")
        },
        other: (version: number) => current().get(version)
      }
    })
  })

/** Writes a temporary file and renames it into place, so that a reader sees either the old keys or the new ones. */
const replace = (file: string, keys: Keys) =>
  Effect.try({
    try: () => {
      const draft = `${file}.${process.pid}`
      const handle = Fs.openSync(draft, "w", 0o600)
      Fs.writeSync(
        handle,
        [...keys].sort(([a], [b]) => a - b).map(([version, key]) => `v${version}:${Redacted.value(key)}\n`).join("")
      )
      Fs.fsyncSync(handle)
      Fs.closeSync(handle)
      Fs.renameSync(draft, file)
    },
    catch: () => new CannotStart({ message: `The file ${file} of the key-encryption key cannot be written.` })
  })

/** Adds a new key as the newest and returns its version. */
export const extend = (file: string): Effect.Effect<number, CannotStart> =>
  Effect.gen(function*() {
    const keys = yield* Effect.fromResult(read(file))
    const version = Math.max(...keys.keys()) + 1
    yield* replace(file, new Map([...keys, [version, Redacted.make(Crypto.randomBytes(32).toString("hex"))]]))
    return version
  })

/** Removes all keys but the newest from the file and returns the removed versions. */
export const retire = (file: string): Effect.Effect<ReadonlyArray<number>, CannotStart> =>
  Effect.gen(function*() {
    const keys = yield* Effect.fromResult(read(file))
    const newest = Math.max(...keys.keys())
    yield* replace(file, new Map([...keys].filter(([version]) => version === newest)))
    return [...keys.keys()].filter((version) => version !== newest)
  })
