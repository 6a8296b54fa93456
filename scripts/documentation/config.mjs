/** VitePress's configuration, for the folder that documentation.mjs fills: it is copied there, with site.json beside it. */
import { createHash } from "node:crypto"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const { base, groups, out, version } = JSON.parse(readFileSync(join(import.meta.dirname, "site.json"), "utf8"))

/** Returns a heading's anchor as GitHub makes it, so that links work in both places. */
const slugify = (text) =>
  text.trim().toLowerCase().replace(/[^\p{Letter}\p{Number}\p{Mark} _-]/gu, "").replaceAll(" ", "-")

/** Moves a script of the page into a file, because the server's policy allows no inline scripts. */
function withoutInlineScripts(html) {
  return html.replace(/<script id="[^"]+">([\s\S]*?)<\/script>/g, (_, code) => {
    const name = `assets/inline.${createHash("sha256").update(code).digest("hex").slice(0, 8)}.js`
    mkdirSync(join(out, "assets"), { recursive: true })
    writeFileSync(join(out, name), code)
    return `<script src="${base}${name}"></script>`
  })
}

/** Keeps Vue from reading double braces in a text as an expression; in blocks of code VitePress does it. */
function plainBraces({ renderer: { rules } }) {
  for (const name of ["text", "code_inline"]) {
    const render = rules[name]
    rules[name] = (...given) => render(...given).replaceAll("{{", "&#123;&#123;")
  }
}

export default {
  title: "Vault Trader",
  description: "Trade a managed on-chain vault over HTTP without touching a private key.",
  lang: "en",
  base,
  outDir: out,
  head: [["link", { rel: "icon", type: "image/svg+xml", href: `${base}icon.svg` }]],
  // Names and places of the pages in a file, as the policy requires.
  metaChunk: true,
  transformHtml: withoutInlineScripts,
  markdown: { anchor: { slugify }, config: plainBraces, html: false },
  vite: { build: { chunkSizeWarningLimit: 4000 }, logLevel: "warn" },
  themeConfig: {
    logo: "/icon.svg",
    sidebar: groups,
    outline: [2, 3],
    search: { provider: "local" },
    footer: { message: `Vault Trader ${version}. Apache-2.0.` }
  }
}
