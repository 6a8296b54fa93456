/** Bundles the command `vault-trader` with all its processes, each in chunks that are loaded when it runs. */
import { build, type BuildOptions, type Metafile, type Plugin } from "esbuild"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import { createRequire } from "node:module"
import * as Path from "node:path"
import { pathToFileURL } from "node:url"
import { root } from "../RepositoryCopy.ts"
import { packageOf } from "./Lockfile.ts"
import { names as runtimePackages } from "./RuntimePackages.ts"

/** Modules of the app that a build has in place of others: they say that the devnet is not part of it. */
const substitutes: Readonly<Record<string, string>> = {
  "packages/app/src/LocalServices.ts": "packages/app/src/LocalServicesAbsent.ts",
  "packages/app/src/cli/LocalTools.ts": "packages/app/src/cli/LocalToolsAbsent.ts"
}

/** The files of the devnet's package that every process needs: its client of PostgreSQL. */
const ofDevnet = /^packages\/devnet\/src\/(postgres\/Postgres(Client|Url)|anvil\/RealTime)\.ts$/

/** Modules that libraries load where they are installed, and do without: addons of `ws`, and the wire format of two exchanges. */
const optional = ["bufferutil", "utf-8-validate", "protobufjs/*"]

const substitution: Plugin = {
  name: "substitution",
  setup: ({ onResolve }) => {
    onResolve({ filter: /\/Local(Services|Tools)\.ts$/ }, ({ path, resolveDir }) => {
      const found = substitutes[Path.relative(root, Path.join(resolveDir, path))]
      return found === undefined ? undefined : { path: Path.join(root, found) }
    })
  }
}

/** Names ccxt to the bundler; the source hides the name from the type checker, for which its declarations are too large. */
const exchanges: Plugin = {
  name: "exchanges",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/ccxt\/CcxtLibrary\.ts$/ }, ({ path }) => ({
      contents: Fs.readFileSync(path, "utf8").replace("import(name)", "import(\"ccxt\")"),
      loader: "ts"
    }))
  }
}

/** Writes a module that names what undici exports, which is CommonJS: without it, a dynamic import has no names. */
const namedUndici = (path: string) => {
  const names = Object.keys(createRequire(path)("undici") as object).filter((name) => name !== "default")
  return `import Undici from "undici"; export const { ${names.join(", ")} } = Undici; export default Undici`
}

/** Names the exports of undici for Effect's module of it, and for ccxt, which imports it with its first request. */
const undici: Plugin = {
  name: "undici",
  setup: ({ onLoad, onResolve }) => {
    onLoad({ filter: /\/platform-node\/dist\/Undici\.js$/ }, ({ path }) => ({
      contents: namedUndici(path),
      loader: "js"
    }))
    onResolve(
      { filter: /^undici$/ },
      ({ importer, kind }) =>
        kind === "dynamic-import" && importer.includes("/node_modules/ccxt/")
          // The bundle names a module of a namespace by its path: not by one of this machine.
          ? { path: "of-ccxt", namespace: "undici", pluginData: importer }
          : undefined
    )
    onLoad({ filter: /.*/, namespace: "undici" }, ({ pluginData }) => ({
      contents: namedUndici(String(pluginData)),
      loader: "js",
      resolveDir: Path.dirname(String(pluginData))
    }))
  }
}

/** The commit in COMMIT, or that of this clone; none where there is neither. Changes that are not committed are named. */
const commit = (): string | undefined => {
  const given = process.env["COMMIT"]
  if (given !== undefined && given !== "") return given
  const git = (...words: ReadonlyArray<string>) => spawnSync("git", words, { cwd: root, encoding: "utf8" })
  const { status, stdout } = git("rev-parse", "HEAD")
  if (status !== 0) return undefined
  return `${stdout.trim()}${git("status", "--porcelain").stdout.trim() === "" ? "" : "-modified"}`
}

/** Packages that the service loads with their first use: no start waits for these. */
const onDemand = /\/node_modules\/(ccxt|nodemailer|undici|@modelcontextprotocol)\/|\/httpApiScalar\.js$/

/** Returns the files that are loaded with this one, before any of its own code runs. */
const loadedWith = (
  { outputs }: Pick<Metafile, "outputs">,
  file: string,
  seen = new Set<string>()
): ReadonlySet<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  for (const { external, kind, path } of outputs[file]?.imports ?? []) {
    if (external !== true && kind === "import-statement") loadedWith({ outputs }, path, seen)
  }
  return seen
}

/** Fails when a process would load at its start what it may only need later. */
const checkStart = (metafile: Metafile): void => {
  const processes = ["SingleProcess", "Gateway", "Runner", "SignerProcess"]
  for (const name of processes) {
    const [file] = Object.entries(metafile.outputs).find(([, each]) =>
      each.entryPoint === `packages/app/src/${name}.ts`
    ) ?? []
    if (file === undefined) throw new Error(`${name}.ts is not loaded on its own.`)
    const loaded = [...loadedWith(metafile, file)].flatMap((each) =>
      Object.keys(metafile.outputs[each]?.inputs ?? {}).filter((path) => onDemand.test(`/${path}`))
    )
    if (loaded.length > 0) throw new Error(`${name}.ts loads at its start: ${loaded.join(", ")}`)
  }
}

/** Fails when the devnet came into the bundle, or a library that is loaded on demand did not. */
const check = ({ inputs }: Metafile): void => {
  const paths = Object.keys(inputs)
  const devnet = paths.filter((path) => path.startsWith("packages/devnet/") && !ofDevnet.test(path))
  if (devnet.length > 0) {
    throw new Error(`The devnet is not part of a build, but these files are imported: ${devnet.join(", ")}`)
  }
  if (!paths.some((path) => path.includes("node_modules/ccxt/"))) throw new Error("ccxt is not in the bundle.")
}

/** Fails when a module would lose the names that it re-exports of a CommonJS package. */
const checkExports = (folder: string): void => {
  for (const name of Fs.readdirSync(folder)) {
    const text = Fs.readFileSync(Path.join(folder, name), "utf8")
    const [lost] = /^__reExport\(\w+, __toESM\(.*$/m.exec(text) ?? []
    if (lost !== undefined) throw new Error(`${name} has an export * of a CommonJS package: ${lost}`)
  }
}

/** Puts the paths of the sources in place of `import.meta`: modules then find their files where the sources have them. */
const sourcePaths: Plugin = {
  name: "source-paths",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.m?[jt]s$/ }, ({ path }) => {
      const text = Fs.readFileSync(path, "utf8")
      if (!text.includes("import.meta")) return undefined
      const contents = text
        .replaceAll("import.meta.dirname", JSON.stringify(Path.dirname(path)))
        .replaceAll("import.meta.url", JSON.stringify(pathToFileURL(path).href))
      return { contents, loader: path.endsWith(".ts") ? "ts" : "js" }
    })
  }
}

/** Options of every bundle. */
const options = (folder: string) =>
  ({
    absWorkingDir: root,
    // The second one is the thread of a strategy's sandbox.
    entryPoints: ["packages/app/src/bin/vault-trader.ts", "packages/workers/src/strategy/SandboxWorker.ts"],
    entryNames: "[name]",
    outdir: folder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22.19",
    // Names and lines stay readable: stack traces of a build need no source map.
    minifySyntax: true,
    legalComments: "none",
    external: [...runtimePackages, ...optional],
    // CommonJS packages call it for Node's own modules.
    banner: {
      js: "import { createRequire as requireOf } from \"node:module\"; const require = requireOf(import.meta.url);"
    },
    logLevel: "warning"
  }) satisfies BuildOptions

/** Writes the bundle into the folder. Returns the folders of the packages that are in it. */
export const bundle = async (folder: string): Promise<ReadonlyArray<string>> => {
  const { metafile } = await build({
    ...options(folder),
    define: { BUILT_OF: JSON.stringify(commit() ?? null) },
    plugins: [substitution, exchanges, undici],
    metafile: true
  })
  check(metafile)
  checkStart(metafile)
  checkExports(folder)
  return [...new Set(Object.keys(metafile.inputs).flatMap((path) => packageOf(path) ?? []))]
}

/**
 * Writes a bundle that runs in this clone as the sources do, with the devnet: it loads in a third of the time, and tests
 * start hundreds of processes.
 */
export const bundleOfClone = async (folder: string): Promise<void> => {
  await build({ ...options(folder), plugins: [exchanges, undici, sourcePaths] })
  checkExports(folder)
}
