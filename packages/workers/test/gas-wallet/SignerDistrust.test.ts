/** The signer with a faulty signing library: signed bytes are decoded, and no field may differ. */
import { assert, describe, it } from "@effect/vitest"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { TransactionSerializableEIP1559 } from "viem"
import { vi } from "vitest"
import type * as Curves from "../../src/gas-wallet/Secp256k1.ts"
import { CannotSign, Signer } from "../../src/gas-wallet/Signer.ts"
import { AnyPolicy } from "./AnyPolicy.ts"

interface Parameters {
  readonly privateKey: Hex
  readonly transaction: TransactionSerializableEIP1559
}

/** A change that the library makes to its parameters before it signs. */
const library = vi.hoisted(() => ({ hears: (parameters: Parameters): Parameters => parameters }))

vi.mock("../../src/gas-wallet/Secp256k1.ts", async (original) => {
  const curves = await original<typeof Curves>()
  return {
    ...curves,
    make: async () => {
      const curve = await curves.make()
      return {
        ...curve,
        signTransaction: (transaction: TransactionSerializableEIP1559, key: Uint8Array) => {
          const heard = library.hears({ privateKey: `0x${Buffer.from(key).toString("hex")}`, transaction })
          return curve.signTransaction(heard.transaction, Buffer.from(heard.privateKey.slice(2), "hex"))
        }
      }
    }
  }
})

const Memory = Layer.sync(GasWalletStore, () => {
  const rows = new Map<Address, string>()
  return {
    put: ({ address, ciphertext }) => Effect.sync(() => void rows.set(address, ciphertext)),
    ciphertext: (address) => Effect.sync(() => Option.fromNullishOr(rows.get(address)))
  }
})
const TestSigner = Signer.layer({ version: 1, key: Redacted.make("a1".repeat(32)) }).pipe(
  Layer.provide([Memory, AnyPolicy])
)

/** Signs while the library gets other parameters. */
const signing = (hears: (parameters: Parameters) => Parameters) =>
  Effect.gen(function*() {
    const signer = yield* Signer
    const { address: from } = yield* signer.create
    library.hears = hears
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
  }).pipe(Effect.provide(TestSigner))

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
      assert.match((yield* signing((parameters) => parameters)).raw, /^0x02/)
    }))

  for (const [field, change] of Object.entries(another)) {
    it.effect(`discards bytes with another ${field}`, () =>
      Effect.gen(function*() {
        const lying = signing(({ privateKey, transaction }) => ({
          privateKey,
          transaction: { ...transaction, ...change }
        }))
        assert.deepStrictEqual(
          yield* Effect.flip(lying),
          new CannotSign({ message: "The signed bytes differ from the requested transaction; they were discarded." })
        )
      }))
  }

  it.effect("discards bytes of another key", () =>
    Effect.gen(function*() {
      const failure = yield* Effect.flip(
        signing(({ transaction }) => ({ privateKey: `0x${"11".repeat(32)}`, transaction }))
      )
      assert.instanceOf(failure, CannotSign)
    }))
})
