/** Builds the package into a folder and packs it, as `npm run build` and `npm pack` do in the repository. */
import { execFile } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { promisify } from "node:util"

export const execute = promisify(execFile)

export const packageFolder = Path.join(import.meta.dirname, "..")

export const tool = (path: string) => Path.join(packageFolder, "../../node_modules", path)

/** Creates a temporary folder, runs `use` with it, and removes it. */
export const inTemporaryFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-client-"))
  try {
    return await use(folder)
  } finally {
    Fs.rmSync(folder, { recursive: true, force: true })
  }
}

/** Builds the package and returns its folder and its tarball, both in `folder`. */
export const build = async (folder: string): Promise<{ readonly built: string; readonly tarball: string }> => {
  const built = Path.join(folder, "built")
  Fs.mkdirSync(built)
  for (const file of ["package.json", "README.md", "LICENSE"]) {
    Fs.copyFileSync(Path.join(packageFolder, file), Path.join(built, file))
  }
  await execute(process.execPath, [
    tool("@typescript/native/bin/tsc"),
    "-p",
    Path.join(packageFolder, "tsconfig.build.json"),
    "--outDir",
    Path.join(built, "dist")
  ])
  await execute("npm", ["pack", "--offline", "--ignore-scripts", "--pack-destination", folder], { cwd: built })
  const tarball = Fs.readdirSync(folder).find((name) => name.endsWith(".tgz"))
  if (tarball === undefined) throw new Error("npm pack made no tarball")
  return { built, tarball: Path.join(folder, tarball) }
}
