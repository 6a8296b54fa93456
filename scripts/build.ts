/**
 * `npm run build [-- --out folder]`: writes the service as JavaScript that needs Node and nothing else of this
 * repository, into `dist`: the bundle of every process and command, the console's page, the documents and
 * their site, the packages that cannot be bundled, their notices, and the version. The devnet is not in it.
 * `npm run build -- docs [--out folder] [--base path]`: writes the documentation site alone, as static files.
 */
import * as Fs from "node:fs"
import * as Path from "node:path"
import { parseArgs } from "node:util"
import * as CommandTable from "@vault-trader/app/cli/CommandTable"
import { buildConsole } from "./console.mjs"
import { buildDocumentation, writeDocumentation } from "./documentation.mjs"
import { fail } from "./install.mjs"
import * as BuildCommands from "./release/BuildCommands.ts"
import { bundle } from "./release/Bundle.ts"
import * as Notices from "./release/Notices.ts"
import * as RuntimePackages from "./release/RuntimePackages.ts"
import * as Sbom from "./release/Sbom.ts"
import { root } from "./RepositoryCopy.ts"

/** Starts the bundle, or says in one sentence that this Node is too old for it. */
const entry = `#!/usr/bin/env node
/** \`vault-trader <command>\`: the built service. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(\`Vault Trader needs Node 22.19 or newer; this is Node \${process.versions.node}.\\n\`)
  process.exit(1)
}
await import("./lib/vault-trader.js")
`

const megabytes = (folder: string): string => {
  const bytes = Fs.readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .reduce((sum, each) => sum + Fs.statSync(Path.join(each.parentPath, each.name)).size, 0)
  return `${(bytes / 1e6).toFixed(1)} MB`
}

const writeJson = (file: string, value: unknown): void => Fs.writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)

const write = async (out: string): Promise<void> => {
  const { license, version } = JSON.parse(Fs.readFileSync(Path.join(root, "package.json"), "utf8")) as {
    readonly license: string
    readonly version: string
  }
  await buildConsole()
  const site = await buildDocumentation()
  Fs.rmSync(out, { recursive: true, force: true })
  Fs.mkdirSync(out, { recursive: true })
  const bundled = await bundle(Path.join(out, "lib"))
  // The commands as data, which every start reads beside its code.
  Fs.mkdirSync(Path.join(out, "lib/generated"))
  const commands = JSON.stringify(BuildCommands.ofBuild(CommandTable.read()))
  Fs.writeFileSync(Path.join(out, "lib/generated/commands.json"), `${commands}\n`)
  const copied = RuntimePackages.copyTo(out)
  Fs.writeFileSync(Path.join(out, "vault-trader.js"), entry, { mode: 0o755 })
  Fs.writeFileSync(Path.join(out, "VERSION"), `${version}\n`)
  for (const [name, value] of Object.entries(RuntimePackages.manifests({ license, version }))) {
    writeJson(Path.join(out, name), value)
  }
  for (const [from, name] of [[Path.join(root, "packages/console/dist"), "console"], [site, "site"]] as const) {
    const filter = (path: string) => Path.basename(path) !== ".made-of"
    Fs.cpSync(from, Path.join(out, name), { recursive: true, filter })
  }
  Fs.mkdirSync(Path.join(out, "docs"))
  for (const name of Fs.readdirSync(Path.join(root, "docs")).filter((each) => each.endsWith(".md"))) {
    Fs.copyFileSync(Path.join(root, "docs", name), Path.join(out, "docs", name))
  }
  Fs.cpSync(Path.join(root, "packages/app/strategies"), Path.join(out, "strategies"), { recursive: true })
  Fs.copyFileSync(Path.join(root, "LICENSE"), Path.join(out, "LICENSE"))
  const contained = [...bundled, ...copied, ...Notices.ofConsole(), ...Notices.ofSite()]
  Fs.writeFileSync(Path.join(out, "THIRD-PARTY-NOTICES.md"), Notices.text(contained))
  writeJson(Path.join(out, "sbom.cdx.json"), Sbom.of(contained, { license, version }))
  const parts = ["lib", "console", "docs", "site", "node_modules"].map((name) =>
    `${name} ${megabytes(Path.join(out, name))}`
  )
  process.stdout.write(`Vault Trader ${version} in ${out}: ${megabytes(out)} (${parts.join(", ")})\n`)
}

/** Writes the documentation site, for a server that has it at `base`. */
const writeSite = async (out: string, base: string): Promise<void> => {
  if (!/^\/([\w.-]+\/)*$/.test(base)) fail(`--base is a path that begins and ends with a slash, not "${base}".`)
  await writeDocumentation(out, base)
  process.stdout.write(`Documentation site in ${out}: ${megabytes(out)}\n`)
}

const { positionals, values: { base, out } } = parseArgs({
  allowPositionals: true,
  options: { base: { type: "string", default: "/docs/" }, out: { type: "string" } }
})
const [what, ...rest] = positionals
if (rest.length > 0 || (what !== undefined && what !== "docs")) fail("Use: npm run build -- [docs] [--out folder]")
const chosen = Path.resolve(out ?? Path.join(root, what === "docs" ? ".cache/documentation-static" : "dist"))
if (what === "docs") await writeSite(chosen, base)
else await write(chosen)
