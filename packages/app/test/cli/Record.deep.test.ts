import { assert, layer } from "@effect/vitest"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import { SigningRecord } from "@vault-trader/workers/gas-wallet/SigningRecord"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Fs from "node:fs"
import * as Path from "node:path"

const wallet = `0x${"ab".repeat(20)}` as const
const slow = 120_000

const transaction = (nonce: bigint) => ({
  ...{ chainId: 8453, wallet, nonce, key: `intent-${nonce}/0`, kind: "call" as const, to: wallet },
  ...{
    hash: `0x${String(nonce).padStart(64, "0")}` as const,
    data: "0x12" as const,
    value: 0n,
    plan: null,
    raw: "0x02" as const,
    validUntil: null
  }
})

/** Writes a record as a process that signs would. */
const recorded = (folder: string, ...nonces: ReadonlyArray<bigint>) =>
  Effect.flatMap(SigningRecord, ({ commit }) => commit(nonces.map(transaction))).pipe(
    Effect.provide(Layer.fresh(SigningRecord.layer(folder))),
    Effect.scoped
  )

const command = (folder: string) => (...words: ReadonlyArray<string>) =>
  ServiceProcess.toItsEnd({ SIGNING_RECORD_DIR: folder }, "vault-trader", "record", ...words)

layer(Layer.empty, { excludeTestServices: true })("vault-trader record", (it) => {
  it.effect("verifies, shows, exports and imports a record", () =>
    Effect.gen(function*() {
      const home = yield* temporaryFolder
      const [from, into] = [Path.join(home, "from"), Path.join(home, "into")]
      yield* recorded(from, 4n, 5n)
      const { stderr, stdout } = yield* command(from)("verify")
      assert.strictEqual(stderr, "")
      assert.include(stdout, `${wallet} base: next nonce 6`)
      assert.match(stdout, /unbroken: 1 files, 2 lines, 2 transactions, 1 lanes/)

      const shown = yield* command(from)("show", wallet, "base")
      assert.match(shown.stdout, /base nonce 4 call intent-4\/0 0x0+4\n.*base nonce 5/)
      assert.notInclude((yield* command(from)("show", wallet, "polygon")).stdout, "intent-4")

      const file = Path.join(home, "export")
      assert.match((yield* command(from)("export", file)).stdout, /^Exported 2 transactions .* of 1 lanes/)
      assert.match((yield* command(into)("import", file)).stdout, /^Imported 2 transactions/)
      assert.include((yield* command(into)("verify")).stdout, `${wallet} base: next nonce 6`)
    }).pipe(Effect.scoped), slow)

  it.effect(
    "exits with 1 and one sentence for a damaged record, a missing one, and a file that exists",
    () =>
      Effect.gen(function*() {
        const home = yield* temporaryFolder
        const folder = Path.join(home, "record")
        const missing = yield* command(folder)("verify")
        assert.deepStrictEqual([missing.code, missing.stdout], [1, ""])
        assert.match(missing.stderr, /^There is no signing record in .*SIGNING_RECORD_DIR.*\n$/)

        yield* recorded(folder, 4n)
        const existing = yield* command(folder)("export", Path.join(folder, Fs.readdirSync(folder)[0] ?? ""))
        assert.strictEqual(existing.code, 1)
        assert.match(existing.stderr, /cannot be written \(EEXIST\)/)

        const path = Path.join(folder, Fs.readdirSync(folder)[0] ?? "")
        Fs.writeFileSync(path, Fs.readFileSync(path, "utf8").replace("intent-4", "intent-5"))
        const damaged = yield* command(folder)("verify")
        assert.deepStrictEqual([damaged.code, damaged.stdout], [1, ""])
        assert.include(damaged.stderr, `line 2 of ${path} does not match its checksum`)
      }).pipe(Effect.scoped),
    slow
  )
})
