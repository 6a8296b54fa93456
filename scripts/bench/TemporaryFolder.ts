/** A temporary folder that is deleted with its scope. */
import * as Effect from "effect/Effect"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

/** Others may traverse the folder, so that PostgreSQL can reach its data there when it is not root. */
export const temporaryFolder = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-bench-"))
    Fs.chmodSync(folder, 0o711)
    return folder
  }),
  (folder) => Effect.sync(() => Fs.rmSync(folder, { recursive: true, force: true }))
)
