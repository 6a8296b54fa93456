/** Copies this repository, for checks that change sources. Needs the `cp` of Linux. */
import { spawnSync } from "node:child_process"
import * as Path from "node:path"

export const root = Path.join(import.meta.dirname, "..")

/**
 * Copies the files that a run needs, and `more`, into the folder; dependencies are hard links, so the folder must be on
 * the same file system. Links to packages are relative, so those of the copy point into the copy.
 */
export const copyTo = (folder: string, more: ReadonlyArray<string> = []): void => {
  for (const entry of ["package.json", "packages", "scripts", "tsconfig.base.json", "node_modules", ...more]) {
    const { status, stderr } = spawnSync("cp", [
      "-a",
      ...(entry === "node_modules" ? ["-l"] : []),
      Path.join(root, entry),
      folder
    ])
    if (status !== 0) throw new Error(`cp: ${stderr.toString()}`)
  }
}
