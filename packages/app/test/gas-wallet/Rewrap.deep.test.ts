import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { Running, rows, running, trader, wallet } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"

const versions = Effect.map(
  rows(
    `select split_part(ciphertext, '.', 2)::int as version, count(*)::int as count from gas_wallets group by 1 order by 1`
  ),
  (found) => found.map(({ count, version }) => [version, count])
)

/** Runs `npm run rewrap` with these arguments, as an operator does beside the service. */
const rewrap = (...words: ReadonlyArray<string>) =>
  Effect.flatMap(Running, ({ dataDir }) => ServiceProcess.toItsEnd({ DATA_DIR: dataDir }, "rewrap", ...words))

layer(running(), { timeout: 240_000, excludeTestServices: true })("a new key-encryption key", (it) => {
  it.effect("wraps everything while the service trades, is what new wallets are wrapped by at once, and the old one can go", () =>
    Effect.gen(function*() {
      const { ask, dataDir } = yield* Running
      const file = Path.join(dataDir, "kek")
      const { apiKey, network, pool } = yield* trader()
      const trade = Effect.map(
        ask("/vaultTrade", { json: { apiKey, network, pool, from: "USDC", to: "DAI", amount: 5 } }),
        succeeded
      )
      yield* trade
      assert.deepStrictEqual(yield* versions, [[1, 1]])
      const before = Fs.readFileSync(file, "utf8").trim()

      const [ended] = yield* Effect.all([rewrap("--new-key"), trade, trade, trade], { concurrency: "unbounded" })
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.match(
        ended.stdout,
        /^Added key-encryption key v2 .*\nWrapped 1 secrets by key-encryption key v2\.\nSecrets by key: v2: 1\.\n$/
      )
      const lines = Fs.readFileSync(file, "utf8").trim().split("\n")
      assert.strictEqual(lines[0], `v1:${before}`)
      assert.match(lines[1]!, /^v2:[0-9a-f]{64}$/)
      assert.strictEqual(Fs.statSync(file).mode & 0o777, 0o600)
      for (const line of lines) assert.notInclude(ended.stdout + ended.stderr, line.slice(3))
      yield* trade
      yield* wallet
      assert.deepStrictEqual(yield* versions, [[2, 2]])

      const retired = yield* rewrap("--retire")
      assert.match(retired.stdout, /Wrapped 0 secrets.*\nSecrets by key: v2: 2\.\nTook v1 out of/)
      assert.strictEqual(Fs.readFileSync(file, "utf8").trim(), lines[1])
      yield* trade
      yield* wallet
      assert.deepStrictEqual(yield* versions, [[2, 3]])
    }))

  it.effect("is not made where the file's keys are not those of the database, and unknown arguments change nothing", () =>
    Effect.gen(function*() {
      const { dataDir } = yield* Running
      const file = Path.join(dataDir, "kek")
      const kept = Fs.readFileSync(file, "utf8")
      yield* wallet
      const unknown = yield* rewrap("--all")
      assert.deepStrictEqual([unknown.code, unknown.stderr], [
        2,
        "There is no option --all. Try npx vault-trader rewrap --help.\n"
      ])
      Fs.writeFileSync(file, `v2:${"0".repeat(64)}\n`)
      const wrong = yield* rewrap("--new-key")
      assert.strictEqual(wrong.code, 1)
      assert.match(
        wrong.stderr,
        /^The wallet-key of 0x[0-9a-f]{40} cannot be decrypted with key-encryption key v2\.\n$/
      )
      assert.strictEqual(Fs.readFileSync(file, "utf8"), `v2:${"0".repeat(64)}\n`)
      Fs.writeFileSync(file, kept)
      assert.strictEqual((yield* rewrap()).code, 0)
    }))
})
