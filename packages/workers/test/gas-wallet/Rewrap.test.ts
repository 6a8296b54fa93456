import { assert, layer } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import * as TestDatabase from "@vault-trader/testing/harness/TestDatabase"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as Envelope from "../../src/gas-wallet/Envelope.ts"
import { census, rewrap, sealed, verify } from "../../src/gas-wallet/Rewrap.ts"
import { Signer } from "../../src/gas-wallet/Signer.ts"
import { AnyPolicy } from "./AnyPolicy.ts"

const Database = TestDatabase.layer({ maxConnections: 10 })

const keys = new Map([[1, Redacted.make("a1".repeat(32))], [2, Redacted.make("b2".repeat(32))], [
  3,
  Redacted.make("c3".repeat(32))
]])
/** The key ring whose newest version is this one. */
const ring = (version: number): Envelope.Kek => ({
  version,
  key: keys.get(version)!,
  other: (asked) => asked < version ? keys.get(asked) : undefined
})
const only = (version: number): Envelope.Kek => ({ version, key: keys.get(version)! })

const empty = (from: Address) =>
  ({
    chainId: 10,
    from,
    to: from,
    data: "0x",
    value: 0n,
    nonce: 0n,
    gasLimit: 21_000n,
    maxFeePerGas: 1n,
    maxPriorityFeePerGas: 1n
  }) as const

const create = (kek: Envelope.Kek) =>
  Effect.flatMap(Signer, ({ create }) => create).pipe(Effect.provide(Signer.layer(kek).pipe(Layer.provide(AnyPolicy))))

layer(Layer.orDie(Layer.provideMerge(GasWalletStore.layer, Database)), {
  timeout: "4 minutes",
  excludeTestServices: true
})("encrypting secrets under a new key", (it) => {
  it.effect("moves all of them to the newest key, in two concurrent runs over more than a page, and each decrypts to the same secret", () =>
    Effect.gen(function*() {
      const wallets = yield* Effect.forEach(Array.from({ length: 130 }), () => create(only(1)))
      const done = yield* Effect.all([rewrap(ring(2)), rewrap(ring(2))], { concurrency: 2 })
      assert.strictEqual(done[0] + done[1], 130)
      assert.deepStrictEqual([...(yield* census())], [[2, 130]])
      const store = yield* GasWalletStore
      for (const { address, privateKey } of wallets) {
        const { reference: ciphertext } = yield* Effect.flatMap(store.key(address), Effect.fromOption)
        assert.strictEqual(
          Redacted.value(yield* Envelope.decrypt(only(2), "wallet-key", address, ciphertext)),
          Redacted.value(privateKey)
        )
      }
      assert.strictEqual(yield* rewrap(ring(2)), 0)
    }))

  it.effect("stops at a secret that does not decrypt, keeps its progress, and continues when it is run again", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from gas_wallets`
      yield* Effect.forEach(Array.from({ length: 5 }), () => create(only(2)))
      const [last] = yield* sql<
        { readonly address: string; readonly ciphertext: string }
      >`select address, ciphertext from gas_wallets order by address desc limit 1`
      yield* sql`update gas_wallets set ciphertext = ${`${last!.ciphertext.slice(0, -8)}AAAAAAA=`} where address = ${
        last!.address
      }`
      const failure = yield* Effect.flip(rewrap(ring(3)))
      assert.strictEqual(failure._tag, "CannotDecrypt")
      assert.deepStrictEqual([...(yield* census())].sort(), [[2, 1], [3, 4]])
      yield* sql`update gas_wallets set ciphertext = ${last!.ciphertext} where address = ${last!.address}`
      assert.strictEqual(yield* rewrap(ring(3)), 1)
      assert.deepStrictEqual([...(yield* census())], [[3, 5]])
    }))

  it.effect("detects a database of another key before any change, by one secret of each version", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from gas_wallets`
      yield* verify(only(1))
      yield* create(only(1))
      yield* create(only(2))
      yield* verify(ring(2))
      assert.strictEqual((yield* Effect.flip(verify(only(1))))._tag, "CannotDecrypt")
      assert.strictEqual((yield* Effect.flip(verify({ version: 1, key: keys.get(3)! })))._tag, "CannotDecrypt")
    }))

  it.effect("decrypts no secret that was moved to another row", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      yield* sql`delete from gas_wallets`
      const [one, other] = [yield* create(only(1)), yield* create(only(1))]
      yield* sql`update gas_wallets g set ciphertext = o.ciphertext from gas_wallets o where o.address <> g.address`
      const signer = yield* Effect.provide(Signer, Signer.layer(only(1)).pipe(Layer.provide(AnyPolicy)))
      for (const { address } of [one, other]) {
        const failure = yield* Effect.flip(signer.sign(address, [{ ...empty(address), permit: empty(address) }]))
        assert.strictEqual(failure._tag, "CannotSign")
      }
      assert.strictEqual((yield* Effect.flip(rewrap(ring(2))))._tag, "CannotDecrypt")
    }))

  it.effect("knows every column of the database that holds a secret", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = yield* sql<
        { readonly name: string }
      >`select table_name || '.' || column_name as name from information_schema.columns
        where table_schema = 'public' and column_name like '%ciphertext%' order by 1`
      assert.deepStrictEqual(
        columns.map(({ name }) => name),
        sealed.map(({ column, table }) => `${table}.${column}`).sort()
      )
    }))
})
