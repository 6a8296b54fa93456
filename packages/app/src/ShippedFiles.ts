/** The folders that ship with the code: beside it in a build (scripts/build.ts), at their own places in a clone. */
import * as Fs from "node:fs"
import * as Path from "node:path"

const folder = (built: string, cloned: string): string => {
  const ours = Path.join(import.meta.dirname, built)
  return Fs.existsSync(ours) ? ours : Path.join(import.meta.dirname, cloned)
}

/** Folder of the console's built page. */
export const consoleFolder: string = folder("../console", "../../console/dist")

/** Folder of the built documentation site. */
export const siteFolder: string = folder("../site", "../../../.cache/documentation")

/** The builder of that site in a clone. */
export const documentationScript: string = Path.join(import.meta.dirname, "../../../scripts/documentation.mjs")

/** Folder of the documents. */
export const documentsFolder: string = folder("../docs", "../../../docs")

/** Folder of the strategies that ship as examples. */
export const strategiesFolder: string = folder("../strategies", "../strategies")
