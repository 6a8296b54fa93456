/**
 * The packages that a build has as they are, in its node_modules: native addons cannot be bundled, and a sandbox of a
 * strategy reads the files of its engine and of the indicators.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"
import { closure, type LockedPackage, packages } from "./Lockfile.ts"

export const names: ReadonlyArray<string> = [
  "secp256k1",
  "quickjs-emscripten-core",
  "@jitl/quickjs-wasmfile-release-sync",
  "trading-signals"
]

const folders = closure(names.map((name) => `node_modules/${name}`))

/** Returns an entry of package-lock.json as a build has it: what is a development tool here is not one there. */
const entryOf = (folder: string): LockedPackage => {
  const { dev: _, ...entry } = packages[folder] ?? {}
  return entry
}

/** Copies the packages with what they need. Returns their folders. */
export const copyTo = (out: string): ReadonlyArray<string> => {
  for (const folder of folders) {
    Fs.cpSync(Path.join(root, folder), Path.join(out, folder), {
      recursive: true,
      // Packages inside a package have an entry of their own, when they are needed.
      filter: (path) => !Path.relative(Path.join(root, folder), path).split(Path.sep).includes("node_modules")
    })
  }
  return folders
}

/** Returns package.json and package-lock.json of a build: `npm ci` with them installs the same packages. */
export const manifests = ({ license, version }: { readonly license: string; readonly version: string }) => {
  const manifest = {
    name: "vault-trader",
    version,
    private: true,
    description: "Trade a managed on-chain vault over HTTP without touching a private key.",
    license,
    type: "module",
    bin: { "vault-trader": "vault-trader.js" },
    engines: { node: ">=22.19" },
    dependencies: Object.fromEntries(names.map((name) => [name, packages[`node_modules/${name}`]?.version ?? ""]))
  }
  const { bin, dependencies, engines } = manifest
  const lock = {
    name: manifest.name,
    version,
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: manifest.name, version, license, dependencies, bin, engines },
      ...Object.fromEntries([...folders].sort().map((folder) => [folder, entryOf(folder)]))
    }
  }
  return { "package.json": manifest, "package-lock.json": lock }
}
