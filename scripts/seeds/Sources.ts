/** The sources that the simulation loads: what a result of it is about. */
import { build } from "esbuild"
import { createHash } from "node:crypto"
import * as Fs from "node:fs"
import { isBuiltin } from "node:module"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"

/** A version of the simulated engine and of the simulation itself. */
export interface Sources {
  readonly count: number
  /** SHA-256 of their paths and contents, and of the names and versions of the libraries they import, in hex. */
  readonly digest: string
}

/** Returns the name of the package that an import is from. */
const packageOf = (path: string): string => path.split("/").slice(0, path.startsWith("@") ? 2 : 1).join("/")

const versionOf = (name: string, folder: string): string => {
  const file = Path.join(folder, "node_modules", name, "package.json")
  return (JSON.parse(Fs.readFileSync(file, "utf8")) as { readonly version: string }).version
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
  const add = (name: string, content: string | Buffer) => hash.update(name).update("\0").update(content).update("\0")
  for (const name of names) add(name, Fs.readFileSync(Path.join(folder, name)))
  const imported = Object.values(metafile.inputs).flatMap(({ imports }) => imports)
  const libraries = new Set(
    imported.filter(({ external, path }) => external === true && !isBuiltin(path)).map(({ path }) => packageOf(path))
  )
  for (const library of [...libraries].sort()) add(library, versionOf(library, folder))
  return { count: names.length, digest: hash.digest("hex") }
}
