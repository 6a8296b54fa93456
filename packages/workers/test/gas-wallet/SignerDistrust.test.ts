/** The signer with a faulty signing library: signed bytes are decoded, and no field may differ. */
import { assert, describe, it } from "@effect/vitest"
import type { Address } from "@vault-trader/core/chain/Address"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { TransactionSerializableEIP1559 } from "viem"
import * as Secp256k1 from "../../src/gas-wallet/Secp256k1.ts"
import { CannotSign, Signer, SigningCurve } from "../../src/gas-wallet/Signer.ts"
import { AnyPolicy } from "./AnyPolicy.ts"

/** Changes that the library makes: to the transaction that it assembles, and to the key that it signs with. */
interface Changes {
  readonly transaction?: Partial<TransactionSerializableEIP1559>
  readonly key?: Uint8Array
}

/** The signing library with these changes. */
const faulty = (changes: Changes) =>
  Effect.map(Effect.promise(() => Secp256k1.make()), (curve): Secp256k1.Secp256k1 => {
    const changed = (transaction: TransactionSerializableEIP1559) => ({ ...transaction, ...changes.transaction })
    return {
      ...curve,
      unsigned: (transaction) => curve.unsigned(changed(transaction)),
      assemble: (transaction, signature) => curve.assemble(changed(transaction), signature),
      sign: (digest, key) => curve.sign(digest, changes.key ?? key)
    }
  })

const Memory = Layer.sync(GasWalletStore, () => {
  const rows = new Map<Address, string>()
  return {
    put: ({ address, ciphertext }) => Effect.sync(() => void rows.set(address, ciphertext)),
    putRemote: () => Effect.succeed(false),
    key: (address) =>
      Effect.sync(() =>
        Option.map(Option.fromNullishOr(rows.get(address)), (reference) => ({ provider: "local" as const, reference }))
      ),
    list: Effect.succeed([])
  }
})
const TestSigner = Signer.layer({ version: 1, key: Redacted.make("a1".repeat(32)) }).pipe(
  Layer.provide([Memory, AnyPolicy])
)

/** Signs while the library makes changes. */
const signing = (changes: Changes) =>
  Effect.gen(function*() {
    const signer = yield* Signer
    const { address: from } = yield* signer.create
    const call = {
      chainId: 10,
      from,
      to: "0x00000000000000000000000000000000000000bb",
      data: "0xdeadbeef",
      value: 1n
    } as const
    const [signed] = yield* signer.sign(from, [{
      ...call,
      permit: call,
      nonce: 7n,
      gasLimit: 21_000n,
      maxFeePerGas: 30n,
      maxPriorityFeePerGas: 2n
    }])
    return signed!
  }).pipe(
    Effect.provide(TestSigner.pipe(Layer.provide(Layer.succeed(SigningCurve, faulty(changes)))))
  )

const another: Readonly<Record<string, Partial<TransactionSerializableEIP1559>>> = {
  "chain": { chainId: 1 },
  "receiver": { to: "0x00000000000000000000000000000000000000cc" },
  "call": { data: "0xdeadbeee" },
  "value": { value: 2n },
  "nonce": { nonce: 8 },
  "gas limit": { gas: 21_001n },
  "fee cap": { maxFeePerGas: 31n },
  "tip": { maxPriorityFeePerGas: 3n }
}

describe("a signer that verifies its signatures", () => {
  it.effect("returns bytes that match the request", () =>
    Effect.gen(function*() {
      assert.match((yield* signing({})).raw, /^0x02/)
    }))

  for (const [field, change] of Object.entries(another)) {
    it.effect(`discards bytes with another ${field}`, () =>
      Effect.gen(function*() {
        assert.deepStrictEqual(
          yield* Effect.flip(signing({ transaction: change })),
          new CannotSign({ message: "The signed bytes differ from the requested transaction; they were discarded." })
        )
      }))
  }

  it.effect("discards bytes of another key", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(
        signing({ key: Buffer.alloc(32, 0x11) })
      )
      assert.instanceOf(failure, CannotSign)
    }))
})
