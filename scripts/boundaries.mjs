/**
 * Checks the import graph against the laws of AGENTS.md and prints one line per violation. Plain Node and the
 * TypeScript parser; `node scripts/boundaries.mjs [root]`.
 */
import { readdirSync, readFileSync } from "node:fs"
import { builtinModules } from "node:module"
import { basename, dirname, extname, join, relative, resolve } from "node:path"
import ts from "typescript"

const root = resolve(process.argv[2] ?? join(import.meta.dirname, ".."))
const scope = "@vault-trader/"

/** Packages that the source of a package may import. */
const allowed = {
  core: [],
  client: [],
  workers: ["core"],
  server: ["core"],
  mcp: ["core"],
  console: ["core"],
  devnet: ["core"],
  app: ["core", "workers", "server", "devnet", "mcp", "client"],
  testing: ["core", "workers", "server", "devnet", "app"],
  scripts: ["core", "workers", "server", "devnet", "app", "testing"]
}

/** Packages that tests may import in addition. */
const allowedInTests = ["core", "devnet", "testing"]

/**
 * The order of the folders of a package: a folder imports only folders before it, types included, and none of its own
 * group but itself. A name with a capital letter is a file in `src`; other files in `src` come last.
 */
const orders = {
  core: [
    ["chain", "configuration", "failure"],
    ["signature", "storage", "venue"],
    ["endpoint", "network"],
    ["audit"],
    ["gas-wallet", "lending", "liquidity", "market-data", "perpetual"],
    ["billing", "index-bot", "manager", "telemetry", "trading"],
    ["exchange", "fees", "introspection", "threshold-bot"],
    ["vault-order"],
    ["performance", "signal"],
    ["follower", "guardian", "vault-group"],
    ["strategy"],
    ["backtest", "intent", "webhook"],
    ["notification"],
    ["change-approval", "vault"],
    ["console"]
  ],
  workers: [
    ["address-book"],
    ["actor", "audit", "ccxt", "chain", "change-approval", "storage"],
    ["key-provider", "market-data", "platform", "venue"],
    ["billing", "manager"],
    ["network", "vault"],
    ["fees", "gas-wallet", "index-bot", "performance", "trading"],
    ["exchange", "lending", "liquidity", "perpetual", "signer", "webhook"],
    ["approval", "notification", "threshold-bot"],
    ["rehearsal", "vault-order"],
    ["follower", "guardian", "strategy"]
  ],
  server: [
    ["wire"],
    ["gate", "params"],
    ["vault"],
    [
      ...["audit", "billing", "change-approval", "exchange", "gas-wallet", "index-bot", "introspection", "manager"],
      "market-data"
    ],
    ["endpoint", "intent", "performance", "threshold-bot"],
    ["signal"],
    [
      "console",
      "fees",
      "follower",
      "guardian",
      "lending",
      "liquidity",
      "notification",
      "perpetual",
      "strategy",
      "trading",
      "vault-order",
      "webhook"
    ],
    ["vault-group"]
  ],
  console: [
    ["text"],
    ["connection"],
    ["shell"],
    ["bulk", "views"],
    ["fleet"],
    ["session"],
    ["gas-wallet"],
    ["audit", "billing", "change-approval", "intent", "vault", "webhook"],
    ["bots", "fees", "trading", "vault-order"],
    ["chart", "follower", "guardian", "notification", "strategy", "sub-key", "threshold-bot"],
    ["performance"],
    ["exchange", "index-bot", "start"],
    ["backtest", "lending", "liquidity", "perpetual"],
    ["portfolio", "style"],
    ["palette"]
  ]
}

const forbiddenNames = new Set(["index", "util", "utils", "helper", "helpers", "common", "service", "services", "misc"])
/** Versions of our own; those of external protocols are part of their names. */
const versionSuffix = /(?<!Uniswap|Aave|Compound|Curve|Sushi|Pancake|Balancer)[Vv]\d+$/

/** Exports of viem's root that open a connection to a node. */
const connections = new Set([
  ...["createClient", "createPublicClient", "createTestClient", "createWalletClient"],
  ...["custom", "fallback", "http", "ipc", "webSocket"]
])

const violations = []
const report = (file, sentence) => violations.push(`${relative(root, file.path)}${file.line ?? ""}: ${sentence}`)

const packageFolders = readdirSync(join(root, "packages"), { withFileTypes: true }).filter((entry) =>
  entry.isDirectory()
)
const files = new Map(
  [
    ...packageFolders.flatMap(({ name }) =>
      ["src", "test"].flatMap((part) =>
        walk(join(root, "packages", name, part)).map((path) => describe(path, name, part))
      )
    ),
    ...walk(join(root, "scripts")).map((path) =>
      describe(path, "scripts", path.includes("/scripts/test/") ? "test" : "src")
    )
  ].map((file) => [file.path, file])
)

for (const file of files.values()) file.imports = readImports(file)
for (const file of files.values()) {
  checkName(file)
  for (const imported of file.imports) checkImport(file, imported)
}
checkUniqueNames()
for (const file of files.values()) if (file.owner === "console" && file.part === "src") checkPurity(file)
for (const cycle of cycles()) {
  report(files.get(cycle[0]), `a circle of imports: ${cycle.map((path) => basename(path)).join(", ")}`)
}

for (const violation of violations) console.error(violation)
console.log(`boundaries: ${files.size} files, ${violations.length} violations`)
process.exitCode = violations.length === 0 ? 0 : 1

function walk(folder) {
  let entries
  try {
    entries = readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return entry.name === "node_modules" || entry.name === "dist" ? [] : walk(path)
    return /\.(ts|tsx|mts|mjs)$/.test(entry.name) ? [path] : []
  })
}

/** `folder` is the domain noun: the first folder below `src` or `test`. */
function describe(path, owner, part) {
  const base = owner === "scripts" ? join(root, "scripts") : join(root, "packages", owner, part)
  const steps = relative(base, path).split("/")
  return { path, owner, part, steps, folder: steps.length > 1 ? steps[0] : "" }
}

/**
 * Static and dynamic imports and re-exports. Only `import type` leaves nothing at run time (`verbatimModuleSyntax`).
 */
function readImports({ path }) {
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true)
  const found = []
  const add = (node, specifier, { isDynamic = false, names = [], typeOnly = false }) => {
    const line = `:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`
    found.push({ specifier: specifier.text, typeOnly, isDynamic, names, line, target: locate(path, specifier.text) })
  }
  const visit = (node) => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      const named = node.importClause?.namedBindings
      const names = named && ts.isNamedImports(named)
        ? named.elements.map((one) => (one.propertyName ?? one.name).text)
        : []
      add(node, node.moduleSpecifier, { typeOnly: node.importClause?.isTypeOnly ?? false, names })
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      add(node, node.moduleSpecifier, { typeOnly: node.isTypeOnly })
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node, node.argument.literal, { typeOnly: true })
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      // A dynamic import runs once both modules are loaded, so it makes no cycle.
      const [first] = node.arguments
      if (first && ts.isStringLiteral(first)) add(node, first, { typeOnly: true, isDynamic: true })
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

/** Returns the file of this repository that a specifier names; `undefined` for packages. */
function locate(from, specifier) {
  if (specifier.startsWith(".")) return resolve(dirname(from), specifier)
  if (!specifier.startsWith(scope)) return undefined
  const [owner, ...rest] = specifier.slice(scope.length).split("/")
  const path = join(root, "packages", owner, "src", rest.join("/"))
  return files.has(`${path}.tsx`) ? `${path}.tsx` : `${path}.ts`
}

function checkName(file) {
  const { path, steps } = file
  const stem = basename(path).replace(/(\.(test|d))?\.[a-z]+$/, "")
  if (forbiddenNames.has(stem.toLowerCase())) report(file, `a file is named after the noun it holds, not "${stem}"`)
  if (versionSuffix.test(stem)) report(file, `"${stem}" carries a version; the name without it is free`)
  for (const folder of steps.slice(0, -1)) {
    if (forbiddenNames.has(folder)) report(file, `a folder is named after its domain, not "${folder}"`)
  }
}

/** Checks that a name leads to one file of a package, folders notwithstanding. */
function checkUniqueNames() {
  const seen = new Map()
  for (const file of files.values()) {
    const name = `${file.owner}/${basename(file.path).replace(/\.[a-z]+$/, "")}`
    const first = seen.get(name)
    if (first === undefined) seen.set(name, file)
    else report(file, `has the name of ${relative(root, first.path)}`)
  }
}

function checkImport(file, { line, names, specifier, target }) {
  const say = (sentence) => report({ ...file, line }, sentence)
  const inTest = file.part === "test"
  if (target === undefined) return checkForeign(file, specifier, names, say)

  const isCode = [".ts", ".tsx", ".mts", ".mjs", ""].includes(extname(target))
  const imported = files.get(target)
  if (imported === undefined) {
    const inside = relative(join(root, file.owner === "scripts" ? "scripts" : `packages/${file.owner}`), target)
    if (inside.startsWith("..") && file.owner !== "scripts") {
      say(`imports ${specifier}, which is outside of its package`)
    } else if (isCode && !inside.startsWith("node_modules") && !/^[^/]+\.(ts|mjs)$/.test(inside)) {
      say(`imports ${specifier}, which does not exist`)
    }
    return
  }
  if (imported.owner !== file.owner) {
    const may = [...(allowed[file.owner] ?? []), ...(inTest ? allowedInTests : [])]
    // Tests may use plain JavaScript of the scripts, such as the build of the console.
    if (inTest && imported.owner === "scripts" && target.endsWith(".mjs")) return
    if (!may.includes(imported.owner)) say(`${file.owner} must not import ${imported.owner} (${specifier})`)
    // The client's exports are its build, which a clone does not have.
    else if (specifier.startsWith(".") && file.owner !== "scripts" && imported.owner !== "client") {
      say(`crosses packages by a relative path (${specifier})`)
    }
  } else if (specifier.startsWith(scope)) {
    say(`imports its own package by name (${specifier}); use a relative path`)
  }
  if (imported.part === "test" && !inTest) say(`imports a test (${specifier})`)
  if (file.owner === "server" && !inTest && /\/chain\/[^/]*Rpc/.test(imported.path)) {
    say(`server never speaks to a node (${specifier})`)
  }
  if (file.owner === "console" && !inTest && /Store$/.test(basename(imported.path, ".ts"))) {
    say(`console must not import a store (${specifier})`)
  }
  if (imported.owner === file.owner && !inTest) {
    const order = orders[file.owner]
    const rankOf = ({ folder }) => folder === "" ? order.length : order.findIndex((group) => group.includes(folder))
    if (order !== undefined && file.folder !== imported.folder) {
      const [own, other] = [file, imported].map(rankOf)
      for (const [rank, { folder }] of [[own, file], [other, imported]]) {
        if (rank < 0) say(`the folder ${folder} has no place in the order of ${file.owner}`)
      }
      if (own >= 0 && other >= own) {
        say(`${file.folder || "src"} must not import ${imported.folder || "src"} (${specifier})`)
      }
    }
  }
}

function checkForeign(file, specifier, names, say) {
  if (file.part === "test") return
  const isPackage = (name) => specifier === name || specifier.startsWith(`${name}/`)
  if (file.owner === "core") {
    const builtin = specifier.startsWith("node:") || builtinModules.includes(specifier)
    if (builtin || ["viem", "pg", "@effect/platform-node", "@effect/sql-pg"].some(isPackage)) {
      say(`core must not import ${specifier}`)
    }
  }
  if (file.owner === "server") {
    if (isPackage("viem/accounts") || isPackage("viem/actions")) {
      say(`server never signs and never speaks to a node (${specifier})`)
    }
    for (const name of specifier === "viem" ? names.filter((one) => connections.has(one)) : []) {
      say(`server never speaks to a node (${name} of viem)`)
    }
  }
}

/** Checks that code for the browser does not reach a store, not even through core. */
function checkPurity(file) {
  for (const { line, specifier, target, typeOnly } of file.imports) {
    if (typeOnly || files.get(target)?.owner !== "core") continue
    const seen = new Set()
    const reach = (path) => {
      if (seen.has(path)) return undefined
      seen.add(path)
      const { imports } = files.get(path)
      if (/Store$/.test(basename(path, ".ts"))) return basename(path)
      for (const next of imports.filter((one) => !one.typeOnly)) {
        if (next.specifier.startsWith("@effect/sql")) return next.specifier
        const found = files.has(next.target) ? reach(next.target) : undefined
        if (found !== undefined) return found
      }
      return undefined
    }
    const impure = reach(target)
    if (impure !== undefined) report({ ...file, line }, `console reaches ${impure} through ${specifier}`)
  }
}

/** Returns the strongly connected components of the imports, types included (Tarjan). */
function cycles() {
  const index = new Map()
  const low = new Map()
  const stack = []
  const found = []
  const visit = (path) => {
    index.set(path, index.size)
    low.set(path, index.get(path))
    stack.push(path)
    const next = files.get(path).imports.filter((one) => !one.isDynamic && files.has(one.target)).map((one) =>
      one.target
    )
    for (const target of next) {
      if (!index.has(target)) visit(target)
      if (stack.includes(target)) low.set(path, Math.min(low.get(path), low.get(target)))
    }
    if (low.get(path) !== index.get(path)) return
    const component = stack.splice(stack.indexOf(path))
    if (component.length > 1 || next.includes(path)) found.push(component)
  }
  for (const path of files.keys()) if (!index.has(path)) visit(path)
  return found
}
