/**
 * The packages that each package of this repository depends on at run time, with the reason for each, as
 * docs/dependencies.md lists them. dependency-reasons.json has the reasons; one that is missing fails.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { root } from "../RepositoryCopy.ts"
import { closure, packages, resolved } from "./Lockfile.ts"

const scope = "@vault-trader/"

/** Packages of this repository whose code a build contains. */
const inBuild: ReadonlySet<string> = new Set(["app", "console", "core", "mcp", "server", "workers"])

const reasons = JSON.parse(
  Fs.readFileSync(Path.join(import.meta.dirname, "dependency-reasons.json"), "utf8")
) as Readonly<Record<string, string>>

/** A package of this repository, and what it depends on besides others of this repository. */
interface Owner {
  readonly name: string
  readonly dependencies: ReadonlyArray<string>
}

const owners = (): ReadonlyArray<Owner> =>
  Fs.readdirSync(Path.join(root, "packages")).sort().map((name) => {
    const text = Fs.readFileSync(Path.join(root, "packages", name, "package.json"), "utf8")
    const { dependencies = {} } = JSON.parse(text) as { readonly dependencies?: Readonly<Record<string, string>> }
    return { name, dependencies: Object.keys(dependencies).filter((each) => !each.startsWith(scope)).sort() }
  })

/** Returns what is wrong with the reasons: a dependency without one, or one for a package that nothing depends on. */
export const faults = (): ReadonlyArray<string> => {
  const used = new Set(owners().flatMap(({ dependencies }) => dependencies))
  return [
    ...[...used].filter((name) => (reasons[name] ?? "") === "").map((name) => `${name} has no reason`),
    ...Object.keys(reasons).filter((name) => !used.has(name)).map((name) => `${name} is not a dependency`)
  ]
}

const rowOf = (owner: string, name: string): string => {
  const folder = resolved(`packages/${owner}`, name) ?? ""
  const others = closure([folder]).length - 1
  return `| ${name} | ${packages[folder]?.version ?? ""} | ${others} | ${reasons[name] ?? ""} |`
}

const tableOf = ({ dependencies, name }: Owner): string =>
  [
    `### ${name}${inBuild.has(name) ? "" : " (not in a build)"}`,
    "",
    ...dependencies.length === 0
      ? ["None."]
      : ["| Package | Version | Brings | Why |", "|---|---|---|---|", ...dependencies.map((each) => rowOf(name, each))]
  ].join("\n")

const begin = "<!-- generated: npm run dependencies -->"
const end = "<!-- end of generated -->"

/** Returns the document with new tables. */
export const withTables = (document: string): string => {
  const [before] = document.split(begin)
  const [, after = ""] = document.split(end)
  return `${before}${begin}\n\n${owners().map(tableOf).join("\n\n")}\n\n${end}${after}`
}
