/** The notices of the packages that a build contains: name, version, licence, and the text that comes with it. */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"
import { closure, packages, titleOf } from "./Lockfile.ts"

/** Files of a package that its licence wants to be passed on. */
const legal = /^(licen[cs]e|notice|copying|copyright)([-.].*)?$/i

const textsOf = (folder: string): ReadonlyArray<string> => {
  const path = Path.join(root, folder)
  return Fs.readdirSync(path)
    .filter((name) => legal.test(name) && Fs.statSync(Path.join(path, name)).isFile())
    .sort()
    .map((name) => Fs.readFileSync(Path.join(path, name), "utf8").replaceAll("\r\n", "\n").trim())
}

const declared = (folder: string): string => {
  const { license } = JSON.parse(Fs.readFileSync(Path.join(root, folder, "package.json"), "utf8")) as {
    readonly license?: string | { readonly type?: string }
  }
  return (typeof license === "object" ? license.type : license) ?? "see its text"
}

/** The packages that the console's page may contain: all that it depends on at run time. */
export const ofConsole = (): ReadonlyArray<string> =>
  closure(["packages/console"]).filter((folder) =>
    folder.includes("node_modules/") && Fs.existsSync(Path.join(root, folder, "package.json"))
  )

/** The packages of which the pages of the documentation contain parts. */
const inSite = [
  ...["vitepress", "vue", "@vue/reactivity", "@vue/runtime-core", "@vue/runtime-dom", "@vue/shared", "@vueuse/core"],
  ...["@vueuse/integrations", "@vueuse/shared", "focus-trap", "mark.js", "minisearch", "tabbable"]
]

export const ofSite = (): ReadonlyArray<string> => inSite.map((name) => `node_modules/${name}`)

/** Returns the document for a build with these packages. */
export const text = (folders: ReadonlyArray<string>): string => {
  const all = [...new Set(folders)].filter((folder) => packages[folder] !== undefined)
    .sort((a, b) => titleOf(a).localeCompare(titleOf(b), "en"))
  const entries = new Map(all.map((folder) => [
    titleOf(folder),
    [`## ${titleOf(folder)}`, `Licence: ${declared(folder)}`, ...textsOf(folder).map((each) => `~~~\n${each}\n~~~`)]
      .join("\n\n")
  ]))
  return [
    "# Notices of third parties",
    "A build of Vault Trader contains parts of the following packages, under their own licences.",
    ...entries.values()
  ].join("\n\n") + "\n"
}
