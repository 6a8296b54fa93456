/** The sources that the simulation loads: what a result of it is about. */
import { build } from "esbuild"
import { createHash } from "node:crypto"
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"

/** A version of the simulated engine and of the simulation itself. */
export interface Sources {
  readonly count: number
  /** SHA-256 of their paths and contents, and of the lock file, in hex. */
  readonly digest: string
}

/** Follows the imports of a program of this repository. Types that are only checked do not count. */
export const ofProgram = async (program: string, folder = root): Promise<Sources> => {
  const { metafile } = await build({
    entryPoints: [Path.join(folder, program)],
    absWorkingDir: folder,
    ...{ bundle: true, write: false, metafile: true, platform: "node", format: "esm", target: "esnext" },
    logLevel: "silent",
    plugins: [{
      name: "libraries",
      setup: ({ onResolve }) => {
        onResolve(
          { filter: /^[^./]/ },
          ({ kind, path }) =>
            kind === "entry-point" || path.startsWith("@vault-trader/") ? undefined : { path, external: true }
        )
      }
    }]
  })
  const names = Object.keys(metafile.inputs).sort()
  const hash = createHash("sha256")
  for (const name of [...names, "package-lock.json"]) {
    hash.update(name).update("\0").update(Fs.readFileSync(Path.join(folder, name))).update("\0")
  }
  return { count: names.length, digest: hash.digest("hex") }
}
