/** Reads the connection options in a database URL as node-postgres does. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Redacted from "effect/Redacted"
import * as Fs from "node:fs"

/**
 * Handles what the driver does not: certificate files, `sslmode=no-verify`, and a URL with a user name but no host.
 * Throws when a file cannot be read.
 */
export const read = (url: Redacted.Redacted): PgClient.PgClientConfig => {
  const original = Redacted.value(url)
  const text = URL.canParse(original) ? original : original.replace("@/", "@localhost/")
  if (!URL.canParse(text)) return { url }
  const parsed = new URL(text)
  const { searchParams } = parsed
  const ssl = encryption(searchParams)
  searchParams.delete("sslmode")
  return {
    url: Redacted.make(parsed.href),
    host: searchParams.get("host") || decodeURIComponent(parsed.hostname) || undefined,
    port: Number(searchParams.get("port") || parsed.port) || undefined,
    database: decodeURIComponent(parsed.pathname.slice(1)) || undefined,
    ...ssl === undefined ? {} : { ssl }
  }
}

const encryption = (params: URLSearchParams): PgClient.PgClientConfig["ssl"] => {
  const mode = params.get("sslmode") ?? params.get("ssl")
  if (mode === "disable" || mode === "0") return false
  const files = Object.fromEntries(
    [["ca", "sslrootcert"], ["cert", "sslcert"], ["key", "sslkey"]].flatMap(([option = "", name = ""]) => {
      const file = params.get(name) ?? ""
      return file === "" ? [] : [[option, Fs.readFileSync(file, "utf8")]]
    })
  )
  if (mode === null && Object.keys(files).length === 0) return undefined
  const trusting = mode === "no-verify" ||
    (params.get("uselibpqcompat") === "true" && (mode === "prefer" || mode === "require" && !params.has("sslrootcert")))
  return trusting ? { ...files, rejectUnauthorized: false } : files
}
