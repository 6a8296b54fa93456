import { assert, layer } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import * as TestDatabase from "@vault-trader/testing/harness/TestDatabase"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Latch from "effect/Latch"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SqlClient from "effect/sql/SqlClient"
import * as FastCheck from "fast-check"
import { inspect } from "node:util"
import { keccak256, parseTransaction, recoverTransactionAddress, type TransactionSerializedEIP1559 } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import { CannotSign, Signer, type UnsignedTransaction } from "../../src/gas-wallet/Signer.ts"
import { holds } from "../Property.ts"
import { AnyPolicy } from "./AnyPolicy.ts"

/** Signs a single transaction. */
const one = (signer: Signer["Service"], transaction: UnsignedTransaction) =>
  Effect.map(signer.sign(transaction.from, [{ ...transaction, permit: transaction }]), ([signed]) => signed!)

const kek = { version: 1, key: Redacted.make("a1".repeat(32)) }

const Database = TestDatabase.layer({ maxConnections: 10 })

const TestSigner = Signer.layer(kek).pipe(
  Layer.provideMerge(AnyPolicy),
  Layer.provideMerge(GasWalletStore.layer),
  Layer.provideMerge(Database)
)

const transaction: UnsignedTransaction = {
  chainId: 10,
  from: "0x00000000000000000000000000000000000000aa",
  to: "0x00000000000000000000000000000000000000bb",
  data: "0xdeadbeef",
  value: 1n,
  nonce: 7n,
  gasLimit: 21_000n,
  maxFeePerGas: 3n,
  maxPriorityFeePerGas: 2n
}

const address = FastCheck.string({ unit: FastCheck.constantFrom(..."0123456789abcdef"), minLength: 40, maxLength: 40 })
  .map((digits): Address => `0x${digits}`)
const bytes = FastCheck.uint8Array({ maxLength: 300 }).map((data): Hex => `0x${Buffer.from(data).toString("hex")}`)
const wei = FastCheck.bigInt(0n, 2n ** 128n - 1n)
/** Any transaction that a lane could request: the tip is never above the fee cap. */
const transactions = FastCheck.record({
  chainId: FastCheck.integer({ min: 1, max: 2 ** 40 }),
  to: address,
  data: bytes,
  value: wei,
  nonce: FastCheck.bigInt(0n, 2n ** 53n - 1n),
  gasLimit: FastCheck.bigInt(1n, 2n ** 63n),
  fees: FastCheck.tuple(wei, wei)
}).map(({ fees: [one, other], ...rest }) => ({
  ...rest,
  maxFeePerGas: one > other ? one : other,
  maxPriorityFeePerGas: one > other ? other : one
}))

/** Everything a careless log line could do to a value. */
const shownAs = (
  value: unknown
) => [
  String(value),
  JSON.stringify(value, (_, part: unknown) => typeof part === "bigint" ? part.toString() : part),
  inspect(value, { depth: 9, showHidden: true })
]

const assertHides = (secret: string, ...values: ReadonlyArray<unknown>) => {
  for (const shown of values.flatMap(shownAs)) assert.notInclude(shown.toLowerCase(), secret.toLowerCase())
}

const newKey = Effect.sync(() => generatePrivateKey().slice(2))
const addressOf = (key: string) => privateKeyToAddress(`0x${key}`).toLowerCase()

const stored = (wallet: Address) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql<{ readonly ciphertext: string }>`select ciphertext from gas_wallets where address = ${wallet}`
  )

layer(TestSigner, { timeout: "4 minutes", excludeTestServices: true })("a signer", (it) => {
  it.effect("does not wait for another caller's read of the key: a signer may hold the connection that the other one waits for", () =>
    Effect.gen(function*() {
      const wallets = yield* GasWalletStore
      const { address } = yield* (yield* Signer).create
      let asked = 0
      const free = yield* Latch.make(false)
      const key = (of: Address) => ++asked === 1 ? Effect.andThen(free.await, wallets.key(of)) : wallets.key(of)
      const stuck = Layer.succeed(GasWalletStore, { ...wallets, key })
      yield* Effect.provide(
        Effect.gen(function*() {
          const signer = yield* Signer
          const waiting = yield* Effect.forkChild(one(signer, { ...transaction, from: address }))
          yield* Effect.yieldNow
          assert.strictEqual(asked, 1)
          const { raw } = yield* one(signer, { ...transaction, from: address })
          yield* free.open
          assert.strictEqual(raw, (yield* Fiber.join(waiting)).raw)
        }),
        Layer.provide(Signer.layer(kek), stuck)
      )
    }))

  it.effect("signs with the key it made, and returns the transaction's own hash", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const { address, privateKey } = yield* signer.create
      assert.strictEqual(addressOf(Redacted.value(privateKey)), address)
      const signed = yield* one(signer, { ...transaction, from: address })
      assert.strictEqual(signed.hash, keccak256(signed.raw))
      assert.deepStrictEqual(
        {
          gasLimit: signed.gasLimit,
          maxFeePerGas: signed.maxFeePerGas,
          maxPriorityFeePerGas: signed.maxPriorityFeePerGas
        },
        { gasLimit: 21_000n, maxFeePerGas: 3n, maxPriorityFeePerGas: 2n }
      )
    }))

  it.effect("puts every field of a transaction into the bytes, signed by its own wallet only", () =>
    holds(
      [transactions],
      (asked) =>
        Effect.gen(function*() {
          const signer = yield* Signer
          const key = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
          const from = Option.getOrThrow(yield* signer.importKey(Redacted.make(key)))
          const { raw } = yield* one(signer, { ...asked, from })
          const said = parseTransaction(raw as TransactionSerializedEIP1559)
          assert.deepStrictEqual({
            type: said.type,
            chainId: said.chainId,
            to: said.to?.toLowerCase(),
            data: said.data ?? "0x",
            value: said.value ?? 0n,
            nonce: BigInt(said.nonce ?? 0),
            gasLimit: said.gas,
            maxFeePerGas: said.maxFeePerGas ?? 0n,
            maxPriorityFeePerGas: said.maxPriorityFeePerGas ?? 0n,
            accessList: said.accessList ?? []
          }, { type: "eip1559", accessList: [], ...asked })
          const sender = yield* Effect.promise(() =>
            recoverTransactionAddress({ serializedTransaction: raw as TransactionSerializedEIP1559 })
          )
          assert.strictEqual(sender.toLowerCase(), from)
        }),
      { numRuns: 100 }
    ))

  it.effect("refuses a wallet without a stored key", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const failure = yield* Effect.flip(one(signer, transaction))
      assert.deepStrictEqual(failure, new CannotSign({ message: `There is no key for wallet ${transaction.from}.` }))
    }))

  it.effect("refuses when the stored key was moved to another wallet", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const wallets = yield* GasWalletStore
      const { address: rich } = yield* signer.create
      const poor: Address = "0x00000000000000000000000000000000000000cc"
      const { reference: ciphertext } = Option.getOrThrow(yield* wallets.key(rich))
      yield* wallets.put({ address: poor, ciphertext })
      const failure = yield* Effect.flip(one(signer, { ...transaction, from: poor }))
      assert.strictEqual(failure._tag, "CannotSign")
      assert.include(failure.message, `cannot be decrypted`)
    }))

  it.effect("refuses with another key-encryption key", () =>
    Effect.gen(function*() {
      const { address } = yield* (yield* Signer).create
      const other = Signer.layer({ version: 1, key: Redacted.make("b2".repeat(32)) })
      const failure = yield* Effect.flip(Effect.provide(
        Effect.flatMap(Signer, (signer) => one(signer, { ...transaction, from: address })),
        other
      ))
      assert.strictEqual(failure._tag, "CannotSign")
    }))

  it.effect("stores no key in clear, made or imported", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const made = yield* signer.create
      const key = yield* newKey
      const imported = Option.getOrThrow(yield* signer.importKey(Redacted.make(key)))
      for (const [wallet, secret] of [[made.address, Redacted.value(made.privateKey)], [imported, key]] as const) {
        const rows = yield* stored(wallet)
        assert.lengthOf(rows, 1)
        const pieces = rows[0]!.ciphertext.split(".").slice(2).map((piece) => Buffer.from(piece, "base64"))
        assert.notInclude(rows[0]!.ciphertext.toLowerCase(), secret)
        for (const piece of pieces) assert.isFalse(piece.includes(secret) || piece.includes(Buffer.from(secret, "hex")))
      }
    }))

  it.effect("imports the same key repeatedly, and keeps the first envelope", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const key = yield* newKey
      const wallet = Option.getOrThrow(yield* signer.importKey(Redacted.make(key)))
      assert.strictEqual(wallet, addressOf(key))
      const before = yield* stored(wallet)
      const again = yield* Effect.all(
        [signer.importKey(Redacted.make(key)), signer.importKey(Redacted.make(key.toUpperCase()))],
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(again, [Option.some(wallet), Option.some(wallet)])
      assert.deepStrictEqual(yield* stored(wallet), before)
      yield* one(signer, { ...transaction, from: wallet })
    }))

  it.effect("recognizes the wallet of an imported key that it made itself", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const { address, privateKey } = yield* signer.create
      assert.deepStrictEqual(yield* signer.importKey(privateKey), Option.some(address))
    }))

  const order = "fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141"
  for (
    const [what, key] of [
      ["zero", "0".repeat(64)],
      ["the curve's order", order],
      ["one more than the order", order.replace(/1$/, "2")],
      ["a key with a byte missing", "11".repeat(31)],
      ["a key with a byte too many", "11".repeat(33)],
      ["words", "zz".repeat(32)],
      ["nothing", ""]
    ] as const
  ) {
    it.effect(`imports nothing for ${what}`, () =>
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const count = sql<{ readonly wallets: number }>`select count(*)::int as wallets from gas_wallets`
        const before = yield* count
        assert.deepStrictEqual(yield* (yield* Signer).importKey(Redacted.make(key)), Option.none())
        assert.deepStrictEqual(yield* count, before)
      }))
  }

  it.effect("imports the smallest and the largest key there is", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      for (const key of [`${"0".repeat(63)}1`, order.replace(/1$/, "0")]) {
        const wallet = Option.getOrThrow(yield* signer.importKey(Redacted.make(key)))
        assert.strictEqual(wallet, addressOf(key))
        yield* one(signer, { ...transaction, from: wallet })
      }
    }))

  it.effect("shows a key in none of its results", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const created = yield* signer.create
      const secret = Redacted.value(created.privateKey)
      const imported = yield* signer.importKey(created.privateKey)
      const signed = yield* one(signer, { ...transaction, from: created.address })
      assertHides(secret, signer, created, created.privateKey, imported, signed)
    }))

  it.effect("shows a key in none of its failures and defects", () =>
    Effect.gen(function*() {
      const signer = yield* Signer
      const { address: from, privateKey } = yield* signer.create
      // A tip above the fee cap is a bug in the caller; viem throws during signing.
      const exit = yield* Effect.exit(one(signer, { ...transaction, from, maxFeePerGas: 1n, maxPriorityFeePerGas: 2n }))
      assert.isTrue(Exit.isFailure(exit))
      if (Exit.isFailure(exit)) {
        assertHides(Redacted.value(privateKey), exit, exit.cause, Cause.pretty(exit.cause), Cause.squash(exit.cause))
      }
    }))
})
