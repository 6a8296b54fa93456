/**
 * Builds the documentation site from docs/ into .cache/documentation when one of its inputs has changed. `node
 * scripts/documentation.mjs` does it for a service that runs in this clone.
 */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { faultsOf, pages, sidebar, textOf } from "./documentation/Pages.mjs"
import { fail, root } from "./install.mjs"
import { digestOf, filesBelow, runTool } from "./tool.mjs"

const cache = join(root, ".cache")
/** The site for this clone's service, below `/docs`. */
const site = join(cache, "documentation")
const stamp = join(site, ".made-of")
const icon = join(root, "packages/console/src/icon.svg")

const inputs = (files) => [
  ...[...files.keys()].map((source) => join(root, source)),
  ...filesBelow(join(root, "scripts/documentation")),
  ...["scripts/documentation.mjs", "package.json", "package-lock.json"].map((name) => join(root, name)),
  icon
]

/** Writes the Markdown of all pages, with VitePress's configuration, into a folder. */
function stage(folder, files, { base, out }) {
  for (const [source, page] of files) {
    // Other files than pages and images are offered as they are.
    const path = join(folder, /\.(md|png)$/.test(page) ? "" : "public", page)
    mkdirSync(dirname(path), { recursive: true })
    if (page.endsWith(".md")) writeFileSync(path, textOf(source, files))
    else cpSync(join(root, source), path)
  }
  mkdirSync(join(folder, "public"), { recursive: true })
  cpSync(icon, join(folder, "public/icon.svg"))
  const own = join(folder, ".vitepress")
  mkdirSync(join(own, "theme"), { recursive: true })
  cpSync(join(root, "scripts/documentation/config.mjs"), join(own, "config.mjs"))
  cpSync(join(root, "scripts/documentation/theme.mjs"), join(own, "theme/index.mjs"))
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
  writeFileSync(join(own, "site.json"), JSON.stringify({ base, groups: sidebar(files), out, version }))
}

/** Writes the site as static files into a folder; ends the process when a page or a link of it is broken. */
export async function writeDocumentation(folder, base = "/docs/") {
  mkdirSync(cache, { recursive: true })
  // In the clone, because pages load VitePress from its node_modules.
  const work = mkdtempSync(join(cache, "documentation-"))
  process.once("exit", () => rmSync(work, { recursive: true, force: true }))
  const [source, out] = [join(work, "source"), join(work, "site")]
  stage(source, pages(), { base, out })
  await runTool([join(root, "node_modules/vitepress/bin/vitepress.js"), "build", source], {
    cwd: root,
    failed: "The documentation site could not be built; see VitePress's output above."
  })
  const faults = faultsOf(out, base)
  if (faults.length > 0) fail(`The documentation site has faults:\n${faults.join("\n")}`)
  // A service that reads the folder meanwhile finds all of the old site or all of the new one.
  const complete = `${folder}.new`
  rmSync(complete, { recursive: true, force: true })
  cpSync(out, complete, { recursive: true })
  rmSync(folder, { recursive: true, force: true })
  renameSync(complete, folder)
}

/** Prints one line on standard error when it builds. Returns the folder of the site. */
export async function buildDocumentation() {
  const wanted = digestOf(inputs(pages()))
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return site
  process.stderr.write("building the documentation site…\n")
  await writeDocumentation(site)
  writeFileSync(stamp, wanted)
  return site
}

if (process.argv[1] === import.meta.filename) await buildDocumentation()
