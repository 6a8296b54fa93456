/** package-lock.json: which packages are installed where, and what each of them needs. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"

/** An installed package, as package-lock.json describes it. */
export interface LockedPackage {
  /** The package's own name, where it is installed under another one. */
  readonly name?: string
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  /** True for a workspace's link. */
  readonly link?: boolean
  readonly resolved?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Everything that is installed, by its folder below the root; `""` is the root itself. */
export const packages = (
  JSON.parse(Fs.readFileSync(Path.join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
).packages

/** Returns the folder of the package that a file belongs to; `undefined` for the repository's own files. */
export const packageOf = (path: string): string | undefined =>
  /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0]

/** Returns the name of the package in a folder. */
export const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf("node_modules/") + 13)

/** Returns name and version of an installed package. */
export const titleOf = (folder: string): string => `${nameOf(folder)} ${packages[folder]?.version ?? ""}`.trim()

/** Returns where Node finds a package that a file in the folder imports; `undefined` where it is not installed. */
export const resolved = (folder: string, name: string): string | undefined => {
  const parts = folder === "" ? [] : folder.split("/")
  for (let length = parts.length; length >= 0; length--) {
    if (parts[length - 1] === "node_modules") continue
    const place = [...parts.slice(0, length), "node_modules", name].join("/")
    const found = packages[place]
    if (found !== undefined) return found.link === true ? found.resolved : place
  }
  return undefined
}

/** Returns the folders of everything that these packages need at run time, themselves included. */
export const closure = (folders: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = new Set(folders)
  for (const folder of found) {
    const { dependencies, optionalDependencies } = packages[folder] ?? {}
    for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = resolved(folder, name)
      if (place !== undefined) found.add(place)
    }
  }
  return [...found]
}
