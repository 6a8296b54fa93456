import { assert, describe, it } from "@effect/vitest"
import * as SelfSignedCertificate from "@vault-trader/testing/harness/SelfSignedCertificate"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import * as RunnerSecurity from "../../src/RunnerSecurity.ts"
import { Settings } from "../../src/Settings.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-test-"))),
  (path) => Effect.sync(() => Fs.rmSync(path, { recursive: true }))
)

const load = (env: Readonly<Record<string, string>>, host?: string) =>
  Effect.flatMap(Settings.parse(ConfigProvider.fromUnknown(env)), (settings) => RunnerSecurity.load(settings, host))

/** Returns the sentence with which the process refuses to start. */
const refusal = (env: Readonly<Record<string, string>>, host?: string) =>
  Effect.map(Effect.flip(load(env, host)), ({ message }) => message)

/** Returns the key that a server sends proof of. */
const keyOf = ({ client }: RunnerSecurity.RunnerSecurity["Service"]) => client.pskCallback?.(null)?.psk

describe("the security of runners' ports", () => {
  it.effect("is a secret in DATA_DIR that the first process makes and the others read", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* folder
      const runner = yield* load({ DATA_DIR: path }, "127.0.0.1")
      assert.strictEqual(Fs.statSync(Path.join(path, "runner-secret")).mode & 0o777, 0o600)
      assert.deepStrictEqual(keyOf(yield* load({ DATA_DIR: path })), keyOf(runner))
      assert.notDeepEqual(keyOf(yield* load({ DATA_DIR: yield* folder })), keyOf(runner))

      Fs.chmodSync(Path.join(path, "runner-secret"), 0o644)
      assert.include(yield* refusal({ DATA_DIR: path }), "is open to other accounts of this machine (mode 644)")
    })))

  it.effect("must be set for a runner that other machines reach; the start is refused otherwise", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* folder
      for (const host of ["0.0.0.0", "10.0.0.11", "::", "runner.example"]) {
        assert.match(
          yield* refusal({ DATA_DIR: path }, host),
          new RegExp(`^RUNNER_HOST=${host} lets other machines reach this runner[^.]*: set RUNNER_SECRET_FILE[^.]*\\.$`)
        )
      }
      assert.deepStrictEqual(Fs.readdirSync(path), [])
      for (const host of ["localhost", "127.0.0.2", "::1"]) yield* load({ DATA_DIR: path }, host)

      const file = Path.join(path, "shared")
      const env = { DATA_DIR: path, RUNNER_SECRET_FILE: file }
      assert.match(yield* refusal(env, "10.0.0.11"), /does not exist: write 64 hexadecimal characters/)
      Fs.writeFileSync(file, "short", { mode: 0o600 })
      assert.include(yield* refusal(env, "10.0.0.11"), "does not hold a runners' secret")
      Fs.writeFileSync(file, `${"ab".repeat(32)}\n`)
      assert.deepStrictEqual(keyOf(yield* load(env, "10.0.0.11")), Buffer.alloc(32, 0xab))
    })))

  it.effect("can be certificates of one authority, which are set together", () =>
    Effect.scoped(Effect.gen(function*() {
      const path = yield* folder
      const pair = SelfSignedCertificate.make("localhost")
      const at = (name: string) => Path.join(path, name)
      Fs.writeFileSync(at("cert"), pair.cert)
      Fs.writeFileSync(at("key"), pair.key, { mode: 0o600 })
      const env = { DATA_DIR: path, RUNNER_TLS_CERT: at("cert"), RUNNER_TLS_KEY: at("key") }
      assert.match(yield* refusal(env, "10.0.0.11"), /^RUNNER_TLS_CERT, .* are set together or not at all\.$/)
      assert.match(yield* refusal({ ...env, RUNNER_TLS_CA: at("absent") }), /^The files of RUNNER_TLS_CERT/)

      const { client, server } = yield* load({ ...env, RUNNER_TLS_CA: at("cert") }, "10.0.0.11")
      assert.deepInclude(server, { requestCert: true, rejectUnauthorized: true, minVersion: "TLSv1.3" })
      assert.deepInclude(client, { rejectUnauthorized: true, minVersion: "TLSv1.3" })

      const other = SelfSignedCertificate.make("localhost")
      Fs.writeFileSync(at("key"), other.key)
      assert.match(yield* refusal({ ...env, RUNNER_TLS_CA: at("cert") }), /^The files of RUNNER_TLS_CERT/)
      Fs.chmodSync(at("key"), 0o640)
      assert.include(yield* refusal({ ...env, RUNNER_TLS_CA: at("cert") }), "is open to other accounts")
    })))
})
