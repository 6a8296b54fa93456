/**
 * The only place where a private key is in clear. It signs three things: calls that the signing policy has permitted, its own
 * transactions again at other fees, and empty transactions of a wallet to itself.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { GasWalletStore } from "@vault-trader/core/gas-wallet/GasWalletStore"
import type { Signed } from "@vault-trader/core/gas-wallet/SigningBatch"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import type { TransactionSerializableEIP1559, TransactionSerializedEIP1559 } from "viem"
import { generatePrivateKey, privateKeyToAddress } from "viem/accounts"
import type { Fees } from "../chain/ChainClient.ts"
import { lower } from "../chain/Contract.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import * as Secp256k1 from "./Secp256k1.ts"
import * as Envelope from "./Envelope.ts"
import { type Call, type Permit, SigningPolicy } from "./SigningPolicy.ts"

/** Everything a transaction says. Amounts in native smallest units. */
export interface UnsignedTransaction extends Call, Fees {
  readonly nonce: bigint
  readonly gasLimit: bigint
}

/** A transaction, and the leave to sign its call; without one it is refused. */
export interface PermittedTransaction extends UnsignedTransaction {
  readonly permit: Permit | undefined
}

/** Signed bytes of a wallet, read back. */
export interface ReadBack {
  readonly signed: Signed
  readonly transaction: UnsignedTransaction
}

/** The signer refuses: no such wallet, a key that does not open, or bytes that do not say what was asked. */
export class CannotSign extends Schema.TaggedError<CannotSign>()("CannotSign", { message: Schema.String }) {}

const purpose = "wallet-key"

/** How long encrypted keys are kept in memory, and how many: a lane signs more often than keys are wrapped anew. */
const sealedMillis = 60_000
const sealedKept = 10_000

export class Signer extends Context.Service<Signer, {
  /**
   * Signed bytes whose sender and every field were read back and compared with what was asked. All of one wallet: its key is opened
   * once for all of them, and gone afterwards. None is signed unless every call has its permit.
   */
  readonly sign: (from: Address, transactions: ReadonlyArray<PermittedTransaction>) => Effect.Effect<ReadonlyArray<Signed>, CannotSign | SqlError>
  /** Signs a transaction that this wallet has signed before once more, at other fees. Everything but the fees is read from the signed bytes. */
  readonly replace: (from: Address, raw: Hex, fees: Fees) => Effect.Effect<Signed, CannotSign | SqlError>
  /** Signs an empty transaction of the wallet to itself. */
  readonly fill: (from: Address, empty: Pick<UnsignedTransaction, "chainId" | "nonce" | "gasLimit" | keyof Fees>) => Effect.Effect<Signed, CannotSign | SqlError>
  /** Reads signed bytes back; none where they are not a transaction that this wallet has signed. */
  readonly read: (from: Address, raw: Hex) => Effect.Effect<Option.Option<ReadBack>>
  /** Makes a wallet, stores its key encrypted, and answers the key once. */
  readonly create: Effect.Effect<{ readonly address: Address; readonly privateKey: Redacted.Redacted<string> }, SqlError>
  /** Stores a caller's key encrypted, if it is one; answers its address. */
  readonly importKey: (privateKey: Redacted.Redacted<string>) => Effect.Effect<Option.Option<Address>, SqlError>
}>()("vault-trader/workers/gas-wallet/Signer") {
  static readonly layer = (kek: Envelope.Kek): Layer.Layer<Signer, never, GasWalletStore | SigningPolicy> =>
    Layer.effect(
      Signer,
      Effect.gen(function*() {
        const wallets = yield* GasWalletStore
        const policy = yield* SigningPolicy
        const curve = yield* Effect.promise(() => Secp256k1.make())

        const store = (address: Address, privateKey: Redacted.Redacted<string>) =>
          Effect.flatMap(Envelope.encrypt(kek, purpose, address, privateKey), (ciphertext) => wallets.put({ address, ciphertext }))

        // Who signs inside of a transaction holds a connection: it must not wait for somebody who waits for one.
        const sealed = TtlCache.keyedUnshared<string>(sealedMillis, sealedKept)
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

        /** Not reachable from outside: whoever calls it has shown that these may be signed. */
        const signed = (from: Address, transactions: ReadonlyArray<UnsignedTransaction>): Effect.Effect<ReadonlyArray<Signed>, CannotSign | SqlError> =>
          Effect.acquireUseRelease(
            Effect.map(keyOf(from), (privateKey) => Buffer.from(Redacted.value(privateKey), "hex")),
            (key) =>
              Effect.flatMap(Effect.promise(() => signAll(transactions, key)), (all) =>
                all === undefined
                  ? new CannotSign({ message: "The signed bytes do not say what was asked; they were thrown away." })
                  : Effect.succeed(all)),
            (key) => Effect.sync(() => key.fill(0))
          )
        const signedOne = (from: Address, transaction: UnsignedTransaction) =>
          Effect.flatMap(signed(from, [transaction]), ([one]): Effect.Effect<Signed, CannotSign> =>
            one === undefined ? new CannotSign({ message: "A signature is missing." }) : Effect.succeed(one))

        const read = (from: Address, raw: Hex): Effect.Effect<Option.Option<ReadBack>> =>
          Effect.tryPromise(() => curve.read(raw as TransactionSerializedEIP1559)).pipe(
            Effect.map(({ said, sender }) => {
              const { chainId, data = "0x", gas, maxFeePerGas, maxPriorityFeePerGas = 0n, nonce = 0, to, value = 0n } = said
              if (sender !== from || typeof to !== "string" || gas === undefined || maxFeePerGas === undefined) return Option.none()
              const fees = { maxFeePerGas, maxPriorityFeePerGas }
              const transaction = { chainId, from, to: lower(to), data, value, nonce: BigInt(nonce), gasLimit: gas, ...fees }
              return Option.some({ signed: { raw, hash: curve.hash(raw), gasLimit: gas, ...fees }, transaction })
            }),
            Effect.orElseSucceed(() => Option.none())
          )

        return {
          sign: (from, transactions) =>
            transactions.every(({ permit, ...call }) => permit !== undefined && call.from === from && policy.admits(permit, call))
              ? signed(from, transactions)
              : new CannotSign({ message: "The signing policy has not permitted this transaction." }),
          replace: (from, raw, fees) =>
            Effect.flatMap(read(from, raw), (earlier): Effect.Effect<Signed, CannotSign | SqlError> =>
              Option.isNone(earlier)
                ? new CannotSign({ message: "Only a transaction that the wallet has signed itself is signed again." })
                : signedOne(from, { ...earlier.value.transaction, ...fees })),
          fill: (from, empty) => signedOne(from, { ...empty, from, to: from, data: "0x", value: 0n }),
          read,
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
