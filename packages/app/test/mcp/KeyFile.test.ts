import { assert, describe, it } from "@effect/vitest"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { inspect } from "node:util"
import * as KeyFile from "../../src/KeyFile.ts"

const key = "11111111-2222-4333-8444-555555555555"

const read = (file: string | undefined, env: Readonly<Record<string, string>> = {}) =>
  Effect.provideService(KeyFile.read(file), ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env }))

const sentence = (file: string | undefined, env: Readonly<Record<string, string>> = {}) =>
  Effect.map(Effect.flip(read(file, env)), ({ message }) => message)

/** Writes a file with this mode, whatever the umask is. */
const written = (name: string, mode: number, text: string) =>
  Effect.map(temporaryFolder, (folder) => {
    const path = Path.join(folder, name)
    Fs.writeFileSync(path, text)
    Fs.chmodSync(path, mode)
    return path
  })

describe("the API key of a client", () => {
  it.effect("is read from a file of its owner, or from the environment, and does not print", () =>
    Effect.gen(function*() {
      for (const mode of [0o600, 0o400]) {
        const found = yield* read(yield* written("key", mode, `  ${key.toUpperCase()}\n`))
        assert.strictEqual(Redacted.value(found), key)
        assert.notInclude(`${inspect(found)}${JSON.stringify(found)}`, key)
      }
      assert.strictEqual(Redacted.value(yield* read(undefined, { [KeyFile.variable]: key })), key)
      const file = yield* written("key", 0o600, key)
      assert.strictEqual(Redacted.value(yield* read(file, { [KeyFile.variable]: " " })), key)
    }))

  it.effect("is refused from a file that another account can read or write, with its mode and the way out", () =>
    Effect.forEach([0o644, 0o640, 0o604, 0o620, 0o666], (mode) =>
      Effect.gen(function*() {
        const file = yield* written("key", mode, key)
        const said = yield* sentence(file)
        assert.include(said, `(mode 0${mode.toString(8)}): run chmod 600 ${file}.`)
        assert.notInclude(said, key)
      }), { discard: true }))

  it.effect("is refused when it is absent, given twice, no file, or no key, without a word of it", () =>
    Effect.gen(function*() {
      const file = yield* written("key", 0o600, key)
      assert.match(yield* sentence(undefined), /There is no API key: set VAULT_TRADER_API_KEY, or give --key-file/)
      assert.match(yield* sentence(file, { [KeyFile.variable]: key }), /Both .* keep one of them/)
      assert.match(yield* sentence(`${file}.absent`), /cannot be read/)
      assert.match(yield* sentence(Path.dirname(file)), /is not a file/)
      for (const text of [`${key}0`, `${key} ${key}`, "", `0x${"ab".repeat(32)}`]) {
        const said = yield* sentence(yield* written("wrong", 0o600, text))
        assert.match(said, /holds no API key: it must be the UUID/)
        assert.notInclude(said, key.slice(0, 8))
      }
      assert.match(yield* sentence(undefined, { [KeyFile.variable]: "x" }), /VAULT_TRADER_API_KEY holds no API key/)
    }))
})
