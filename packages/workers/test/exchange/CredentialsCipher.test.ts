import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import { CredentialsCipher } from "../../src/exchange/CredentialsCipher.ts"
import { sealed } from "../../src/gas-wallet/Rewrap.ts"
import { customer, life, persisting, Stage } from "./TestAccount.ts"

layer(Stage, { timeout: 240_000, excludeTestServices: true })("an exchange account's credentials", (it) => {
  it.effect("are found by key rotation under the record they are encrypted for, and decrypt only for it", () =>
    Effect.gen(function*() {
      const { account, credentials, id, wallet } = yield* customer({ USDT: 1 })
      const actor = yield* life(id)
      yield* persisting(actor.register({ ...account, credentials }))
      const where = sealed.find(({ table }) => table === "exchange_accounts") ??
        assert.fail("key rotation finds no such column")
      const sql = yield* SqlClient.SqlClient
      const [row] = yield* sql.unsafe<{ readonly record: string; readonly ciphertext: string }>(
        `select (${where.record})::text as record, ${where.column} as ciphertext from ${where.table} ` +
          `where wallet = '${wallet}'`
      )
      assert.strictEqual(row?.record, id)
      const box = yield* CredentialsCipher
      const opened = yield* box.open(id, row?.ciphertext ?? "")
      assert.strictEqual(Redacted.value(opened.secret), Redacted.value(credentials.secret))
      assert.notInclude(row?.ciphertext, Redacted.value(credentials.apiKey))
      const other = yield* Effect.flip(box.open(`${id}2`, row?.ciphertext ?? ""))
      assert.notInclude(other.message, Redacted.value(credentials.secret))
    }))
})
