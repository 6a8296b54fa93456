/** The tutorials of docs/tutorials, as a reader would run them: each shell block, in order, against `npm start`. */
import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Context from "effect/Context"
import * as Layer from "effect/Layer"
import { temporaryFolder } from "@vault-trader/testing/harness/Harness"
import * as ServiceProcess from "@vault-trader/testing/harness/ServiceProcess"

const root = Path.join(import.meta.dirname, "../../../..")
const tutorials = Path.join(root, "docs/tutorials")

class Started extends Context.Service<Started, {
  readonly baseUrl: string
  readonly dataDir: string
}>()("vault-trader/app/test/process/Started") {
  static readonly layer = Layer.effect(
    Started,
    Effect.gen(function*() {
      const dataDir = yield* temporaryFolder
      const { baseUrl } = yield* ServiceProcess.start({ DATA_DIR: dataDir })
      return { baseUrl, dataDir }
    })
  )
}

/** Returns the commands of a tutorial, at this service. `npx` runs the command of this clone from any folder. */
const scriptOf = (name: string, { baseUrl, dataDir }: Started["Service"]): string => {
  const text = Fs.readFileSync(Path.join(tutorials, name), "utf8")
  const blocks = Array.from(text.matchAll(/^```sh\n(.*?)^```$/gms), ([, code = ""]) => code)
  const run = `npx() { shift; "${process.execPath}" "${root}/packages/app/vault-trader.mjs" "$@"; }`
  return [
    "set -euo pipefail",
    run,
    ...blocks.map((code) =>
      code.replaceAll("http://localhost:8080", baseUrl).replaceAll("localhost:8080", baseUrl)
        .replaceAll(".data/", `${dataDir}/`)
    )
  ].join("\n")
}

layer(Started.layer, { timeout: 300_000, excludeTestServices: true })("the tutorial", (it) => {
  for (const name of Fs.readdirSync(tutorials)) {
    it.effect(`${name} works as it is written`, () =>
      Effect.gen(function*() {
        const started = yield* Started
        const folder = yield* temporaryFolder
        // The script of a tutorial imports viem, as from a clone.
        Fs.symlinkSync(Path.join(root, "node_modules"), Path.join(folder, "node_modules"))
        const { status, stderr, stdout } = spawnSync("bash", ["-c", scriptOf(name, started)], {
          cwd: folder,
          env: {
            PATH: `${Path.dirname(process.execPath)}:${process.env["PATH"] ?? ""}`,
            HOME: folder,
            DATA_DIR: started.dataDir,
            VAULT_TRADER_URL: started.baseUrl
          },
          encoding: "utf8"
        })
        assert.strictEqual(status, 0, stdout + stderr)
        assert.notMatch(stdout, /"status":\s*\[?\s*"fail"/, stdout)
        assert.notMatch(stdout, /status: \[ 'fail' \]/, stdout)
      }), 240_000)
  }
})
