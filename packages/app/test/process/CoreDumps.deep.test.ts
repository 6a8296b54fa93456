import { assert, describe, it, layer } from "@effect/vitest"
import { Devnet } from "@vault-trader/devnet/devnet/Devnet"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkConfig"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { buildConsole } from "../../../../scripts/console.mjs"
import * as CoreDumps from "../../src/CoreDumps.ts"
import { NetworksFile } from "../../src/Networks.ts"

layer(Devnet.layer({ networks: ["polygon"] }), { timeout: 240_000, excludeTestServices: true })(
  "a process that holds keys",
  (it) => {
    it.effect("writes none of its memory into core dumps, and warns of options that show it", () =>
      Effect.gen(function*() {
        yield* Effect.promise(() => buildConsole())
        const { books } = yield* Devnet
        const dataDir = yield* ServiceProcess.dataDirectory
        const NETWORKS_FILE = Path.join(dataDir, "networks.json")
        Fs.writeFileSync(
          NETWORKS_FILE,
          yield* Schema.encodeEffect(NetworksFile)(books as Arr.NonEmptyReadonlyArray<NetworkBook>)
        )
        // It inherits another filter, so the assertion below can fail. A service in this process may have changed ours.
        Fs.writeFileSync("/proc/self/coredump_filter", "0x33")
        let log = ""
        const env = { DATA_DIR: dataDir, NETWORKS_FILE, NODE_OPTIONS: "--heapsnapshot-signal=SIGUSR2" }
        const { pid } = yield* ServiceProcess.start(env, (text) => {
          log += text
        })
        const filter = Fs.readFileSync(`/proc/${pid}/coredump_filter`, "utf8")
        assert.strictEqual(Number.parseInt(filter, 16), 0)
        const limits = Fs.readFileSync(`/proc/${pid}/limits`, "utf8")
        assert.match(limits, /^Max core file size +0 +0 +bytes/m)
        assert.include(log, "--heapsnapshot-signal=SIGUSR2 can show this process's memory")
        assert.notInclude(log, "Core dumps of this process may contain private keys")
      }).pipe(Effect.scoped))
  }
)

describe("a system on which core dumps cannot be switched off", () => {
  it.effect("is named in the log", () =>
    Effect.gen(function*() {
      const lines: Array<string> = []
      const logger = Logger.make(({ message }) => {
        lines.push(String(message))
      })
      const absent = Path.join(import.meta.dirname, "absent", "filter")
      yield* Effect.provide(CoreDumps.disableAt(absent), Logger.layer([logger]))
      assert.lengthOf(lines, 1)
      assert.match(
        lines[0]!,
        /^Core dumps of this process may contain private keys: .* cannot be written on this system/
      )
    }))
})
