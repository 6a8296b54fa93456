/** How the console is built: one page, hashed files, nothing inline, so that the policy of the gate can be strict. */
import react from "@vitejs/plugin-react"
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { defineConfig, type Plugin } from "vite"

/** Form fields, and what forms unfold, which many pages have not. */
const fields = new RegExp(
  "@mantine/core/esm/(components/(Input|NativeSelect|Combobox|Switch|Collapse)|utils/Inline)|" +
    "@mantine/hooks/esm/use-(.*-)?collapse|@mantine/form"
)

/**
 * Modules of ours that import core's schemas, viem or the table of fleets, and those of single things' pages: a chunk of
 * shared parts must not bring those to every page.
 */
const heavy = "Faults|Parameters|Api|Form|Review|Ticket|Terms|Wallet\\.ts|WalletState|Trader|Refill\\.|Contracts|" +
  "FleetTable|Inputs|NumberField|ConfirmedChange|Steps|VaultFilter|VaultSearch|PauseBots|" +
  "Guardians\\.ts|VaultListPage|VaultItemPage|BotFields|Followers\\.ts|StrategyBots|SubKeys|Channels\\.ts|Messages|" +
  "Perpetual|Secrets|AmountField|Outcome|ManagerTransaction|KnownNetworks|FleetSelection|FleetLines|VaultOrders|" +
  "OrderFields|Charts\\.|BacktestSearch|VaultChoice|views/|Amounts|HealthFactor|useLendingAccount|" +
  "Timeline|Facts|Confirm\\.|ActionSummary"

/** Dialogs and notices, which are loaded when the page is drawn. */
const overlays = /console\/src\/shell\/Overlays\.tsx/

/** The table of many lines, with what it is made of. */
const table = /@tanstack\/(react-)?(table|virtual)|console\/src\/(fleet\/|shell\/Fleet|views\/Tags)/

/** Modules that the pages of vaults share. */
const vaults = new RegExp(
  "@mantine/core/esm/components/(SegmentedControl|FloatingIndicator)|" +
    "console/src/(vault/(HealthFactor|TraderBadge|useLendingAccount)|intent/(ActivityRow|ActionLabels|StatusStyles)|" +
    "performance/(ValueCurve|Curve|Sparkline)|chart/Charts\\.|shell/(Download|WhenNear))"
)

/** Modules that pages with orders share, and those with positions of liquidity. */
const orders = /console\/src\/vault-order\/(OrderFields|OrderRows|VaultOrders)\./
const positions = /console\/src\/liquidity\/Position/

/** Modules that the pages of bots share. */
const bots = new RegExp(
  "@mantine/core/esm/components/Tabs|console/src/(bots/PauseBots|" +
    "threshold-bot/Bot(Card|Terms|Place|StoppedAlert))|core/src/venue/VenueName"
)

/** Modules that the pages of single things share, and the dialogs that change them. */
const items = new RegExp(
  "console/src/(vault/VaultItemPage|shell/(Steps|ConfirmedChange|Timeline|Facts|Confirm|ActionSummary)\\.|" +
    "bots/BacktestSearch)"
)

/** Modules that most pages share: components, icons, and the console's own parts. */
const parts = new RegExp(
  "@mantine/core/esm/" +
    "(?!components/(NumberInput|PasswordInput|Checkbox|Combobox|List|Tabs|Switch|Collapse|SegmentedControl|Floating)|" +
    "utils/Inline)|" +
    "@mantine/hooks/esm/(?!use-(.*-)?collapse)|@tabler|" +
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

/** A page's part that is loaded at once, though it is lazy: the page is drawn before it. */
const atOnce: Readonly<Record<string, string>> = {
  "BotsPage.tsx": "portfolio/FleetOfBots.tsx",
  "portfolio/VaultsPage.tsx": "portfolio/FleetOfVaults.tsx"
}

/**
 * Writes the scripts of each page by its path. The service names them in the page of a manager who is signed in, so that
 * the browser loads them together rather than each when the one before it has run.
 */
const preloads: Plugin = {
  name: "preloads",
  apply: "build",
  enforce: "post",
  generateBundle(_, bundle) {
    const chunks = new Map(
      Object.values(bundle).flatMap((each) => each.type === "chunk" ? [[each.fileName, each]] : [])
    )
    const filesOf = (file: string, found: Set<string>): Set<string> => {
      if (found.has(file)) return found
      found.add(file)
      for (const each of chunks.get(file)?.imports ?? []) filesOf(each, found)
      return found
    }
    const fileOf = (module: string): string => {
      const chunk = [...chunks.values()].find(({ moduleIds }) =>
        moduleIds.includes(join(import.meta.dirname, "src", module))
      )
      if (chunk === undefined) throw new Error(`No script has ${module}.`)
      return chunk.fileName
    }
    const routes = readFileSync(join(import.meta.dirname, "src/Routes.tsx"), "utf8")
    const pages = [...routes.matchAll(/path: "([^"]+)",(?:(?!path:).)*?import\("\.\/([^"]+)"\)/gs)]
    if (pages.length !== routes.match(/createRoute\(\{/g)?.length) throw new Error("A route has no page.")
    const entry = filesOf(fileOf("main.tsx"), new Set())
    const files = pages.map(([, path = "", page = ""]) => {
      const modules = ["Routes.tsx", page, ...(atOnce[page] === undefined ? [] : [atOnce[page]])]
      const found = modules.reduce((all, module) => filesOf(fileOf(module), all), new Set<string>())
      return [path, [...found].filter((file) => !entry.has(file))]
    })
    this.emitFile({ type: "asset", fileName: "preloads.json", source: JSON.stringify(Object.fromEntries(files)) })
  }
}

/** Core's modules declare actors beside schemas; what a page does not use of them may be left out. */
const treeshake = {
  manualPureFunctions: ["Schema", "Entity", "Rpc", "RpcGroup", "Context", "Data", "Endpoint", "Param", "Params"]
}

export default defineConfig({
  base: "/console/",
  plugins: [react(), skeletonFirst, preloads, serviceWorker],
  // Core reads files by the build of its parser for Node, which needs a global that browsers lack.
  resolve: { alias: { "csv-parse/sync": "csv-parse/browser/esm/sync" } },
  worker: { format: "es", rollupOptions: { treeshake } },
  build: {
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 1000,
    rollupOptions: {
      // Without groups a page is fifty requests. Sign-in is the entry and its imports, one file; what every page of a
      // signed-in manager has is another.
      output: {
        codeSplitting: {
          groups: [
            { name: "base", tags: ["$initial"], priority: 7 },
            { name: "Routes", test: /console\/src\/Routes\.tsx/, priority: 6 },
            { name: "parts", test: parts, minShareCount: 4, priority: 5 },
            { name: "Overlays", test: overlays, priority: 4.5 },
            { name: "table", test: table, minShareCount: 2, priority: 4 },
            { name: "fields", test: fields, minShareCount: 2, priority: 3 },
            { name: "vaults", test: vaults, minShareCount: 2, priority: 2 },
            { name: "bots", test: bots, minShareCount: 2, priority: 1 },
            { name: "orders", test: orders, minShareCount: 2, priority: 0 },
            { name: "positions", test: positions, minShareCount: 2, priority: 0 },
            { name: "items", test: items, minShareCount: 2, priority: 0 }
          ]
        }
      },
      treeshake
    }
  }
})
