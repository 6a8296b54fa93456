import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as SqlClient from "effect/sql/SqlClient"
import * as TogetherRead from "../../src/storage/TogetherRead.ts"
import { Database, freshAddress } from "./Database.ts"

interface Row {
  readonly address: string
  readonly ciphertext: string
}

/** The read of one address, with the number of addresses of each statement. */
const reader = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const statements: Array<number> = []
  const of = yield* TogetherRead.make<string, Row>(sql, {
    read: (addresses) =>
      Effect.suspend(() => {
        statements.push(addresses.length)
        return sql<Row>`select address, ciphertext from gas_wallets where address in ${sql.in(addresses)}`
      }),
    isOf: (address) => (row) => row.address === address
  })
  const add = (address: string, text: string) =>
    sql`insert into gas_wallets (address, ciphertext) values (${address}, ${text})`
  const textsOf = (address: string) => Effect.map(of(address), (rows) => rows.map(({ ciphertext }) => ciphertext))
  return { add, sql, statements, textsOf }
})

layer(Database, { timeout: "2 minutes", excludeTestServices: true })("a read that callers share", (it) => {
  it.effect("answers each caller with its own rows, in fewer statements than callers", () =>
    Effect.gen(function*() {
      const { add, statements, textsOf } = yield* reader
      const addresses = yield* Effect.replicateEffect(freshAddress, 5)
      yield* Effect.forEach(addresses.slice(0, 4), (address, index) => add(address, `text ${index}`))
      const found = yield* Effect.forEach(addresses, textsOf, { concurrency: "unbounded" })
      assert.deepStrictEqual(found, [["text 0"], ["text 1"], ["text 2"], ["text 3"], []])
      assert.isBelow(statements.length, addresses.length)
      assert.strictEqual(statements.reduce((sum, count) => sum + count, 0), addresses.length)
    }))

  it.effect("sees what its caller's transaction has written", () =>
    Effect.gen(function*() {
      const { add, sql, statements, textsOf } = yield* reader
      const address = yield* freshAddress
      const [inside] = yield* Effect.all([
        sql.withTransaction(Effect.andThen(add(address, "mine"), textsOf(address))),
        textsOf(yield* freshAddress)
      ], { concurrency: "unbounded" })
      assert.deepStrictEqual(inside, ["mine"])
      assert.deepStrictEqual(statements, [1, 1])
    }))
})
