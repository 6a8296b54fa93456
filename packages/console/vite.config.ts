/** How the console is built: one page, hashed files, nothing inline, so that the policy of the gate can be strict. */
import react from "@vitejs/plugin-react"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig, type Plugin } from "vite"

/** Form fields, which many pages have not. */
const fields = /esm\/components\/(Input|NativeSelect|Checkbox|Combobox|InlineInput)|@mantine\/form/

/**
 * Modules of ours that import core's schemas, viem or the table of fleets, and those of single things' pages: a chunk of
 * shared parts must not bring those to every page.
 */
const heavy = "Faults|Parameters|Api|Form|Review|Ticket|Terms|Wallet\\.ts|WalletState|Trader|Refill\\.|Contracts|" +
  "FleetTable|Inputs|NumberField|ConfirmedChange|Steps|Timeline|VaultFilter|VaultLink|VaultSearch|Authorities|PauseBots|" +
  "Guardians\\.ts|VaultListPage|VaultItemPage|BotFields|Followers\\.ts|StrategyBots|SubKeys|Channels\\.ts|Messages|" +
  "Perpetual|Secrets|AmountField|Outcome|ManagerTransaction|KnownNetworks"

/** Modules that most pages share: components, icons, and the console's own parts. */
const parts = new RegExp(
  "@mantine/core/esm/(?!components/(NumberInput|PasswordInput))|@tabler|@tanstack/(react-)?(router|store)/|" +
    `console/src/(?!.*(${heavy}))`
)

/**
 * Names the build by the digest of its hashed files, in the page and in the service worker: by that name an open page
 * knows that the service has another build.
 */
const serviceWorker: Plugin = {
  name: "service-worker",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    const name = createHash("sha256").update(Object.keys(bundle).sort().join()).digest("hex").slice(0, 16)
    const page = bundle["index.html"]
    if (page?.type !== "asset") throw new Error("The build has no index.html.")
    page.source = String(page.source).replace("</title>", `</title>\n    <meta name="build" content="${name}" />`)
    const source = readFileSync(join(import.meta.dirname, "service-worker.js"), "utf8").replace("BUILD", name)
    this.emitFile({ type: "asset", fileName: "service-worker.js", source })
  }
}

/**
 * Moves the link of the stylesheet behind the skeleton, so that the browser draws the skeleton, whose style is in the
 * page, while the stylesheet is loaded. The script, which is a module, waits for the stylesheet also there. The root
 * comes after it: the theme's own styles, which are in the root, must win over those of the file.
 */
const skeletonFirst: Plugin = {
  name: "skeleton-first",
  apply: "build",
  transformIndexHtml: {
    order: "post",
    handler: (html) => {
      const [link] = /<link rel="stylesheet"[^>]*>/.exec(html) ?? []
      if (link === undefined) throw new Error("The page has no stylesheet.")
      return html.replace(link, "").replace("<div id=\"root\">", `${link}\n    <div id="root">`)
    }
  }
}

/** Core's modules declare actors beside schemas; what a page does not use of them may be left out. */
const treeshake = {
  manualPureFunctions: ["Schema", "Entity", "Rpc", "RpcGroup", "Context", "Data", "Endpoint", "Param", "Params"]
}

export default defineConfig({
  base: "/console/",
  plugins: [react(), skeletonFirst, serviceWorker],
  // Core reads files by the build of its parser for Node, which needs a global that browsers lack.
  resolve: { alias: { "csv-parse/sync": "csv-parse/browser/esm/sync" } },
  worker: { format: "es", rollupOptions: { treeshake } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      // Without groups a page is fifty requests. Sign-in is the entry and its imports, one file.
      output: {
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], priority: 3 },
            { name: "fields", test: fields, minShareCount: 2, priority: 2 },
            { name: "parts", test: parts, minShareCount: 5, priority: 1 }
          ]
        }
      },
      treeshake
    }
  }
})
