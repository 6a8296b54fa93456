/** The section of CHANGELOG.md about one version. */

/** Returns the text below the heading of the version, without it; `undefined` where there is none. */
export const of = (changelog: string, version: string): string | undefined => {
  const lines = changelog.split("\n")
  const start = lines.findIndex((line) => line.startsWith(`## [${version}]`))
  if (start === -1) return undefined
  const length = lines.slice(start + 1).findIndex((line) => line.startsWith("## ["))
  return lines.slice(start + 1, length === -1 ? undefined : start + 1 + length).join("\n").trim()
}
