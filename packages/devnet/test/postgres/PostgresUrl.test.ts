import { assert, it } from "@effect/vitest"
import * as Redacted from "effect/Redacted"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as PostgresUrl from "../../src/postgres/PostgresUrl.ts"

const read = (url: string) => {
  const { url: rest, ...said } = PostgresUrl.read(Redacted.make(url))
  return { ...said, url: rest === undefined ? undefined : Redacted.value(rest) }
}

it("reads where the database is", () => {
  const url = "postgres://me:p%40ss@db.example:6543/trader?application_name=x"
  assert.deepStrictEqual(read(url), { host: "db.example", port: 6543, database: "trader", url })
  assert.deepInclude(read("postgres://me:secret@/trader?host=/cloudsql/a:b"), {
    host: "/cloudsql/a:b",
    database: "trader"
  })
  assert.deepStrictEqual(read("not a URL"), { url: "not a URL" })
})

it("reads how the connection is encrypted", () => {
  const ssl = (query: string) => read(`postgres://me@db.example/trader?${query}`).ssl
  assert.isUndefined(ssl("application_name=x"))
  assert.isFalse(ssl("sslmode=disable"))
  for (const mode of ["prefer", "require", "verify-ca", "verify-full"]) {
    assert.deepStrictEqual(ssl(`sslmode=${mode}`), {})
  }
  assert.deepStrictEqual(ssl("ssl=true"), {})
  assert.deepStrictEqual(ssl("sslmode=no-verify"), { rejectUnauthorized: false })
  assert.deepStrictEqual(ssl("sslmode=require&uselibpqcompat=true"), { rejectUnauthorized: false })
  assert.notInclude(read("postgres://me@db.example/trader?sslmode=no-verify").url, "no-verify")
  const folder = mkdtempSync(join(tmpdir(), "vault-trader-test-"))
  const file = join(folder, "ca.pem")
  writeFileSync(file, "a certificate")
  assert.deepStrictEqual(ssl(`sslmode=verify-full&sslrootcert=${encodeURIComponent(file)}`), { ca: "a certificate" })
  rmSync(folder, { recursive: true })
  assert.throws(() => ssl(`sslrootcert=${encodeURIComponent(file)}`), /ENOENT/)
})
