/** Finds the anvil executable: the npm package of this platform first, then the PATH. */
import * as Config from "effect/Config"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import { constants } from "node:fs"
import { access } from "node:fs/promises"
import { createRequire } from "node:module"
import { delimiter, join } from "node:path"

export class AnvilMissing extends Data.TaggedError("AnvilMissing")<{}> {
  override readonly message =
    "anvil is not installed: run npm install without --omit=optional, or put Foundry's anvil on the PATH."
}

const require = createRequire(import.meta.url)
const architectures: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" }

const packaged = Effect.try(() =>
  require.resolve(`@foundry-rs/anvil-${process.platform}-${architectures[process.arch]}/bin/anvil`)
)

const executable = (path: string) => Effect.as(Effect.tryPromise(() => access(path, constants.X_OK)), path)

const onPath = Effect.flatMap(
  Config.withDefault(Config.String("PATH"), ""),
  (path) => Effect.firstSuccessOf(path.split(delimiter).map((folder) => executable(join(folder, "anvil"))))
)

/** Path of the executable itself, not of the npm launcher, which would be one more Node process per chain. */
export const anvilBinary: Effect.Effect<string, AnvilMissing> = packaged.pipe(
  Effect.catch(() => onPath),
  Effect.mapError(() => new AnvilMissing())
)
