/** Both implementations agree with viem, with each other, and with the chain's hash. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createKeccak } from "hash-wasm"
import { keccak256, recoverTransactionAddress, type TransactionSerializableEIP1559 } from "viem"
import { privateKeyToAddress, signTransaction } from "viem/accounts"
import * as Secp256k1 from "../../src/gas-wallet/Secp256k1.ts"

const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const keys = ["11".repeat(32), `${"00".repeat(31)}01`, "fe".repeat(32)]
const transactions: ReadonlyArray<TransactionSerializableEIP1559> = Array.from({ length: 40 }, (_, index) => ({
  type: "eip1559",
  chainId: [1, 10, 8453][index % 3]!,
  nonce: index,
  to: `0x${(index + 1).toString(16).padStart(40, "0")}`,
  value: BigInt(index) ** 9n,
  data: index % 2 === 0 ? "0x" : `0x${"ab".repeat(index * 20)}`,
  gas: 21_000n + BigInt(index),
  maxFeePerGas: 10n ** BigInt(index % 12),
  maxPriorityFeePerGas: index % 3 === 0 ? 0n : 1n
}))

describe("the curve", () => {
  for (
    const [name, make] of [["as this machine has it", Secp256k1.make], [
      "without the addon",
      async () => Secp256k1.over(await createKeccak(256), undefined)
    ]] as const
  ) {
    it.effect(`signs what viem signs, ${name}`, () =>
      Effect.promise(async () => {
        const curve = await make()
        for (const key of keys) {
          for (const transaction of transactions) {
            const { digest } = curve.unsigned(transaction)
            const raw = curve.assemble(transaction, await curve.sign(digest, Buffer.from(key, "hex")))
            assert.strictEqual(raw, await signTransaction({ privateKey: `0x${key}`, transaction }))
            assert.strictEqual(curve.hash(raw), keccak256(raw))
          }
        }
      }))

    it.effect(`reads back who signed and what, ${name}`, () =>
      Effect.promise(async () => {
        const curve = await make()
        for (const transaction of transactions) {
          const raw = await signTransaction({ privateKey: `0x${keys[0]!}`, transaction })
          const { sender, transaction: decoded } = await curve.read(raw)
          assert.strictEqual(sender, privateKeyToAddress(`0x${keys[0]!}`).toLowerCase())
          assert.strictEqual(sender, (await recoverTransactionAddress({ serializedTransaction: raw })).toLowerCase())
          assert.deepStrictEqual([decoded.nonce ?? 0, decoded.gas, decoded.chainId], [
            transaction.nonce,
            transaction.gas,
            transaction.chainId
          ])
        }
      }))

    it.effect(`completes the signature of a signer elsewhere, whose s may be high, ${name}`, () =>
      Effect.promise(async () => {
        const curve = await make()
        const word = (value: bigint) => Buffer.from(value.toString(16).padStart(64, "0"), "hex")
        for (const [index, key] of keys.entries()) {
          const secret = Buffer.from(key, "hex")
          const address = curve.addressOf(secret)!
          assert.strictEqual(address, privateKeyToAddress(`0x${key}`).toLowerCase())
          for (const transaction of transactions.slice(0, 4)) {
            const { digest } = curve.unsigned(transaction)
            const signature = await curve.sign(digest, secret)
            const [r, s] = [word(BigInt(signature.r)), word(BigInt(signature.s))]
            const high = word(order - BigInt(signature.s))
            const expected = { r: signature.r, s: signature.s, yParity: signature.yParity }
            assert.deepStrictEqual(await curve.complete(digest, r, s, address), expected)
            assert.deepStrictEqual(await curve.complete(digest, r, high, address), expected)
            const other = curve.addressOf(Buffer.from(keys[(index + 1) % keys.length]!, "hex"))!
            assert.isUndefined(await curve.complete(digest, r, s, other))
            assert.isUndefined(await curve.complete(Buffer.alloc(32, 1), r, s, address))
            for (const half of [0n, order, 2n ** 256n - 1n]) {
              assert.isUndefined(await curve.complete(digest, r, word(half), address))
              assert.isUndefined(await curve.complete(digest, word(half), s, address))
            }
          }
        }
      }))

    it.effect(`finds no address for bytes that are not a key, ${name}`, () =>
      Effect.promise(async () => {
        const curve = await make()
        for (const bytes of [Buffer.alloc(32), Buffer.alloc(32, 0xff), Buffer.alloc(31, 1), Buffer.alloc(33, 1)]) {
          assert.isUndefined(curve.addressOf(bytes))
        }
      }))
  }
})
