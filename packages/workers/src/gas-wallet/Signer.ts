/** The only place where a private key is in clear, and the only thing it does there is sign what it was asked to sign. */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import type { Signed } from "@vault-trader/core/gas-wallet/Signatures"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { TransactionSerializableEIP1559 } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import * as Recent from "../chain/Recent.ts"
import * as Curve from "./Curve.ts"
import * as Envelope from "./Envelope.ts"

/** Everything a transaction says. Amounts in native smallest units. */
export interface UnsignedTransaction {
  readonly chainId: number
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
  readonly nonce: bigint
  readonly gasLimit: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** The signer refuses: no such wallet, a key that does not open, or bytes that do not say what was asked. */
export class CannotSign extends Schema.TaggedError<CannotSign>()("CannotSign", { message: Schema.String }) {}

const purpose = "wallet-key"

/** How long encrypted keys are kept in memory, and how many: a lane signs more often than keys are wrapped anew. */
const sealedMillis = 60_000
const sealedKept = 10_000

export class Signer extends Context.Tag("vault-trader/workers/gas-wallet/Signer")<Signer, {
  /**
   * Signed bytes whose sender and every field were read back and compared with what was asked. All of one wallet: its key is opened
   * once for all of them, and gone afterwards.
   */
  readonly sign: (from: Address, transactions: ReadonlyArray<UnsignedTransaction>) => Effect.Effect<ReadonlyArray<Signed>, CannotSign | SqlError>
  /** Makes a wallet, stores its key encrypted, and answers the key once. */
  readonly create: Effect.Effect<{ readonly address: Address; readonly privateKey: Redacted.Redacted<string> }, SqlError>
  /** Stores a caller's key encrypted, if it is one; answers its address. */
  readonly importKey: (privateKey: Redacted.Redacted<string>) => Effect.Effect<Option.Option<Address>, SqlError>
}>() {
  static readonly layer = (kek: Envelope.Kek): Layer.Layer<Signer, never, GasWalletStore> =>
    Layer.effect(
      Signer,
      Effect.gen(function*() {
        const wallets = yield* GasWalletStore
        const curve = yield* Effect.promise(() => Curve.make())

        const store = (address: Address, privateKey: Redacted.Redacted<string>) =>
          Effect.flatMap(Envelope.encrypt(kek, purpose, address, privateKey), (ciphertext) => wallets.put({ address, ciphertext }))

        // Who signs inside of a transaction holds a connection: it must not wait for somebody who waits for one.
        const sealed = Recent.unshared<string>(sealedMillis, sealedKept)
        const keyOf = (address: Address) =>
          Effect.flatMap(
            sealed(address, Effect.flatMap(
              wallets.ciphertext(address),
              Option.match({
                onNone: () => new CannotSign({ message: `There is no key for wallet ${address}.` }),
                onSome: (ciphertext) => Effect.succeed(ciphertext)
              })
            )),
            (ciphertext) => Effect.mapError(Envelope.decrypt(kek, purpose, address, ciphertext), ({ message }) => new CannotSign({ message }))
          )

        /** `undefined` for bytes that do not say what was asked. */
        const signOne = async (transaction: UnsignedTransaction, key: Uint8Array): Promise<Signed | undefined> => {
          const raw = await curve.signTransaction(serializable(transaction), key)
          const { said, sender } = await curve.read(raw)
          if (!says(said, transaction) || sender !== transaction.from) return undefined
          const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transaction
          return { raw, hash: curve.hash(raw), gasLimit, maxFeePerGas, maxPriorityFeePerGas }
        }

        const signAll = async (transactions: ReadonlyArray<UnsignedTransaction>, key: Uint8Array) => {
          const all: Array<Signed> = []
          for (const transaction of transactions) {
            const signed = await signOne(transaction, key)
            if (signed === undefined) return undefined
            all.push(signed)
          }
          return all
        }

        return {
          sign: (from, transactions) =>
            Effect.acquireUseRelease(
              Effect.map(keyOf(from), (privateKey) => Buffer.from(Redacted.value(privateKey), "hex")),
              (key) =>
                Effect.flatMap(Effect.promise(() => signAll(transactions, key)), (signed) =>
                  signed === undefined
                    ? new CannotSign({ message: "The signed bytes do not say what was asked; they were thrown away." })
                    : Effect.succeed(signed)),
              (key) => Effect.sync(() => key.fill(0))
            ),
          create: Effect.gen(function*() {
            const key = yield* Effect.sync(generatePrivateKey)
            const address = privateKeyToAddress(key).toLowerCase() as Address
            const privateKey = Redacted.make(key.slice(2))
            yield* store(address, privateKey)
            return { address, privateKey }
          }),
          importKey: (privateKey) =>
            Effect.gen(function*() {
              const derived = yield* Effect.option(Effect.try(() => privateKeyToAddress(`0x${Redacted.value(privateKey)}`)))
              if (Option.isNone(derived)) return Option.none()
              const address = derived.value.toLowerCase() as Address
              yield* store(address, privateKey)
              return Option.some(address)
            })
        }
      })
    )
}

const serializable = (transaction: UnsignedTransaction): TransactionSerializableEIP1559 => ({
  type: "eip1559" as const,
  chainId: transaction.chainId,
  to: transaction.to,
  data: transaction.data,
  value: transaction.value,
  nonce: Number(transaction.nonce),
  gas: transaction.gasLimit,
  maxFeePerGas: transaction.maxFeePerGas,
  maxPriorityFeePerGas: transaction.maxPriorityFeePerGas
})

/** Chain and every field must be what was asked for. */
const says = (said: TransactionSerializableEIP1559, asked: UnsignedTransaction): boolean =>
  said.chainId === asked.chainId && said.to?.toLowerCase() === asked.to && (said.data ?? "0x").toLowerCase() === asked.data.toLowerCase() &&
  (said.value ?? 0n) === asked.value && BigInt(said.nonce ?? 0) === asked.nonce && said.gas === asked.gasLimit &&
  said.maxFeePerGas === asked.maxFeePerGas && (said.maxPriorityFeePerGas ?? 0n) === asked.maxPriorityFeePerGas
