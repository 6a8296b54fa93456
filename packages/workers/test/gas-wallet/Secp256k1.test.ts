/** Both implementations agree with viem, with each other, and with the chain's hash. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { createKeccak } from "hash-wasm"
import { keccak256, recoverTransactionAddress, type TransactionSerializableEIP1559 } from "viem"
import { privateKeyToAddress, signTransaction } from "viem/accounts"
import * as Secp256k1 from "../../src/gas-wallet/Secp256k1.ts"

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
            const raw = await curve.signTransaction(transaction, Buffer.from(key, "hex"))
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
  }
})
