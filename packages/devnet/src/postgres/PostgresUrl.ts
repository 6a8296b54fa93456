/** What the URL of a database says of its connection, as node-postgres reads it. */
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as Redacted from "effect/Redacted"
import * as Fs from "node:fs"

/** The driver itself reads neither files of certificates nor `sslmode=no-verify`, nor a URL with a name and no host. Throws where a file cannot be read. */
export const read = (url: Redacted.Redacted): PgClient.PgClientConfig => {
  const said = Redacted.value(url)
  const text = URL.canParse(said) ? said : said.replace("@/", "@localhost/")
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

const encryption = (said: URLSearchParams): PgClient.PgClientConfig["ssl"] => {
  const mode = said.get("sslmode") ?? said.get("ssl")
  if (mode === "disable" || mode === "0") return false
  const files = Object.fromEntries([["ca", "sslrootcert"], ["cert", "sslcert"], ["key", "sslkey"]].flatMap(([option = "", name = ""]) => {
    const file = said.get(name) ?? ""
    return file === "" ? [] : [[option, Fs.readFileSync(file, "utf8")]]
  }))
  if (mode === null && Object.keys(files).length === 0) return undefined
  const trusting = mode === "no-verify" || (said.get("uselibpqcompat") === "true" && (mode === "prefer" || mode === "require" && !said.has("sslrootcert")))
  return trusting ? { ...files, rejectUnauthorized: false } : files
}
