/** The commit that a build was made of; scripts/build.ts puts it in this place. */
declare const BUILT_OF: string | undefined

/** The version callers see at `/version`. */
export const version = {
  version: "1.0.0-rc.1",
  commit: process.env["COMMIT"] ?? (typeof BUILT_OF === "string" ? BUILT_OF : "unknown")
}
