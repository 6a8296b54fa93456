/** The pages of the documentation site: which Markdown each is made of, and where its links lead. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, posix, relative } from "node:path"
import { root } from "../install.mjs"
import { filesBelow } from "../tool.mjs"

/** Pages of documents that are not in docs/, by their places in the clone. */
const outside = {
  "README.md": "introduction.md",
  "GLOSSARY.md": "glossary.md",
  "CHANGELOG.md": "changelog.md",
  "AGENTS.md": "contributing.md",
  "packages/testing/README.md": "testing.md",
  "packages/client/README.md": "client-typescript.md",
  "clients/python/README.md": "client-python.md",
  "clients/r/README.md": "client-r.md"
}

const inClone = (path) => relative(root, path).replaceAll("\\", "/")
const pageOf = (source) => source === "docs/README.md" ? "index.md" : source.slice("docs/".length)

/** Returns the file of each page by its source; images and dashboards are files of their own. */
export function pages() {
  const documents = filesBelow(join(root, "docs")).map(inClone).sort()
  return new Map([...documents.map((source) => [source, pageOf(source)]), ...Object.entries(outside)])
}

const isElsewhere = (target) => /^([a-z]+:|#|\/)/.test(target)

/** Returns the link as the page has it; undefined where it leads to a file that is no page. */
function relinked(source, target, files) {
  const [path, anchor] = target.split("#")
  const wanted = posix.normalize(posix.join(dirname(source), path ?? ""))
  const page = files.get(wanted)
  if (page === undefined && existsSync(join(root, wanted))) return undefined
  // A link without a page stays as it is: the check of the built pages names it.
  const from = posix.dirname(files.get(source))
  const href = page === undefined ? path : posix.relative(from, page)
  const shown = href.startsWith(".") ? href : `./${href}`
  return anchor === undefined ? shown : `${shown}#${anchor}`
}

/** Returns the text of a page: its source, with links to the places of the other pages. Code stays as it is. */
export function textOf(source, files) {
  const text = readFileSync(join(root, source), "utf8")
  return text.replace(/(^```[\s\S]*?^```$|`[^`\n]*`)|\[([^\]]*)\]\(([^)\s]+)\)/gm, (whole, code, shown, target) => {
    if (code !== undefined || isElsewhere(target)) return whole
    const href = relinked(source, target, files)
    return href === undefined ? shown : `[${shown}](${href})`
  })
}

const titleOf = (source) => /^# (.+)$/m.exec(readFileSync(join(root, source), "utf8"))?.[1] ?? source

/** Names of groups, by the reader of docs/README.md. */
const readerOf = (cell) => /^\w+/.exec(cell)?.[0]

/** Returns the groups of the sidebar, from the table of docs/README.md: a group for each reader. */
export function sidebar(files) {
  const groups = []
  for (const line of readFileSync(join(root, "docs/README.md"), "utf8").split("\n")) {
    const [, reader, target] = /^\|([^|]*)\| \[[^\]]*\]\(([^)]+)\) \|/.exec(line) ?? []
    if (target === undefined) continue
    if (reader.trim() !== "") groups.push({ text: readerOf(reader.trim()), items: [] })
    const source = posix.normalize(posix.join("docs", target))
    const page = files.get(source)
    if (page?.endsWith(".md")) groups.at(-1)?.items.push({ text: titleOf(source), link: `/${page.slice(0, -3)}` })
  }
  const more = ["GLOSSARY.md", "CHANGELOG.md"].map((source) => ({
    text: titleOf(source),
    link: `/${files.get(source).slice(0, -3)}`
  }))
  return [
    { text: "Start", items: [{ text: titleOf("README.md"), link: "/introduction" }, { text: "Documents", link: "/" }] },
    ...groups,
    { text: "More", items: more }
  ]
}

/** Lists the faults of a built site: pages without a title, and links to no file or to no heading. */
export function faultsOf(site, base) {
  const names = readdirSync(site, { recursive: true, encoding: "utf8" }).map((name) => name.replaceAll("\\", "/"))
  const files = new Set(names)
  const html = new Map(
    names.filter((name) => name.endsWith(".html")).map((name) => [name, readFileSync(join(site, name), "utf8")])
  )
  const anchors = new Map(
    Array.from(html, ([name, text]) => [name, new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id))])
  )
  const isDead = (page, target) => {
    const url = new URL(target.replaceAll("&amp;", "&"), `http://site${base}${page}`)
    if (url.origin !== "http://site") return false
    if (!url.pathname.startsWith(base)) return true
    const path = decodeURIComponent(url.pathname.slice(base.length)) || "index.html"
    const anchor = decodeURIComponent(url.hash.slice(1))
    return !files.has(path) || (anchor !== "" && !(anchors.get(path)?.has(anchor) ?? true))
  }
  html.delete("404.html")
  return Array.from(html).flatMap(([page, text]) => [
    // VitePress continues when a page cannot be rendered.
    ...(text.includes("<h1 ") ? [] : [`${page} has no title.`]),
    ...Array.from(text.matchAll(/ (?:href|src)="([^"]+)"/g), ([, target]) => target)
      .filter((target) => isDead(page, target))
      .map((target) => `${page} links to ${target}, which does not exist.`)
  ])
}
