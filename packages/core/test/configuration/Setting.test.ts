import { assert, describe, it } from "@effect/vitest"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Setting from "../../src/configuration/Setting.ts"

/** Reads a configuration from an environment; returns the value or the error sentence. */
const read = <A>(config: Config.Config<A>, env: Readonly<Record<string, string>>) =>
  config.pipe(
    Effect.mapError(Setting.sentence),
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromUnknown(env, { preserveEmptyStrings: true })
    ),
    Effect.result,
    Effect.map(Result.merge)
  )

const port = Setting.make({ name: "PORT", description: "Port.", config: Setting.atLeast(0), fallback: 8080 })
const key = Setting.optional({ name: "KEY", description: "Key.", config: Config.String })

describe("Setting", () => {
  it.effect("uses the default only when it is not set", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* read(port.config, {}), 8080)
      assert.strictEqual(yield* read(port.config, { PORT: "0" }), 0)
      assert.strictEqual(yield* read(port.config, { PORT: " 9000 " }), 9000)
      assert.isUndefined(yield* read(key.config, {}))
      assert.strictEqual(yield* read(key.config, { KEY: "k" }), "k")
      assert.deepStrictEqual([port.fallback, key.fallback], ["8080", "not set"])
    }))

  it.effect("uses the default when it is empty", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* read(port.config, { PORT: "" }), 8080)
      assert.isUndefined(yield* read(key.config, { KEY: " " }))
      assert.strictEqual(
        yield* read(port.config, { PORT: "x" }),
        "The setting PORT cannot be used: must be a whole number of at least 0."
      )
    }))

  it.effect("reads switches and lists as people write them", () =>
    Effect.gen(function*() {
      for (const text of ["on", "ON", "true", "1", " On "]) {
        assert.strictEqual(yield* read(Setting.onOff("S"), { S: text }), true)
      }
      for (const text of ["off", "False", "0"]) {
        assert.strictEqual(yield* read(Setting.onOff("S"), { S: text }), false)
      }
      assert.deepStrictEqual(yield* read(Setting.list("L"), { L: " a, b ,,c " }), ["a", "b", "c"])
      assert.deepStrictEqual(yield* read(Setting.list("L"), { L: "" }), [])
    }))

  it.effect("refuses anything that is not a whole number of at least the minimum", () =>
    Effect.gen(function*() {
      for (const text of ["", "0", "-1", "1.5", "NaN", "Infinity", "1e3", "0x10", "many", "9".repeat(400)]) {
        assert.strictEqual(
          yield* read(Setting.atLeast(1)("BURST"), { BURST: text }),
          "The setting BURST cannot be used: must be a whole number of at least 1."
        )
      }
    }))
})

describe("Setting.sentence", () => {
  it.effect("names the wrong setting in one sentence and never repeats its value", () =>
    Effect.gen(function*() {
      const secret = "hunter2"
      const all = Config.all([port.config, Setting.onOff("RATE_LIMIT")])
      const wrongs = [
        { PORT: secret, RATE_LIMIT: "on" },
        { RATE_LIMIT: secret },
        { PORT: secret, RATE_LIMIT: secret },
        {}
      ]
      const sentences = yield* Effect.forEach(wrongs, (env) => read(all, env as Record<string, string>))
      for (const sentence of sentences) {
        assert.match(String(sentence), /^The setting (PORT|RATE_LIMIT) cannot be used: [^\n]+[^.]\.$/)
        assert.notInclude(String(sentence), secret)
      }
      assert.deepStrictEqual(sentences.map((sentence) => /PORT|RATE_LIMIT/.exec(String(sentence))?.[0]), [
        "PORT",
        "RATE_LIMIT",
        "PORT",
        "RATE_LIMIT"
      ])
    }))

  it.effect("reports the first of several wrong settings", () =>
    Effect.gen(function*() {
      const both = Config.all([Setting.atLeast(1)("A"), Setting.atLeast(1)("B")])
      assert.strictEqual(
        yield* read(both, { A: "x", B: "y" }),
        "The setting A cannot be used: must be a whole number of at least 1."
      )
    }))
})
