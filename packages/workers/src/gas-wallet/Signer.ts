/**
 * The only place where a private key is in clear. It signs three things: calls that the signing policy has permitted,
 * transactions that it has already signed at other fees, and empty transactions of a wallet to itself.
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
import type { GasCapReached, SignerAway } from "./SigningStop.ts"

/** All fields of a transaction. Amounts are in native smallest units. */
export interface UnsignedTransaction extends Call, Fees {
  readonly nonce: bigint
  readonly gasLimit: bigint
}

/** A transaction and the permission to sign its call; without one it is refused. */
export interface PermittedTransaction extends UnsignedTransaction {
  readonly permit: Permit | undefined
}

/** Signed bytes of a wallet, decoded. */
export interface ReadBack {
  readonly signed: Signed
  readonly transaction: UnsignedTransaction
}

/** The signer refuses: unknown wallet, a key that cannot be decrypted, or signed bytes that differ from the request. */
export class CannotSign extends Schema.TaggedError<CannotSign>()("CannotSign", { message: Schema.String }) {}

/** Reasons why nothing was signed. Only after `CannotSign` it is of no use to try again. */
export type NotSigned = CannotSign | GasCapReached | SignerAway | SqlError

const purpose = "wallet-key"

/** How long, and how many, encrypted keys are cached: a lane signs more often than keys are re-encrypted. */
const ciphertextTtlMillis = 60_000
const maxCiphertexts = 10_000

export class Signer extends Context.Service<Signer, {
  /**
   * Signs transactions of one wallet. The sender and every field are decoded from the signed bytes and compared with
   * the request. The key is decrypted once for all of them and erased afterwards. Nothing is signed unless every call
   * has its permit.
   */
  readonly sign: (
    from: Address,
    transactions: ReadonlyArray<PermittedTransaction>
  ) => Effect.Effect<ReadonlyArray<Signed>, NotSigned>
  /**
   * Signs a transaction of this wallet again at other fees. Everything but the fees is read from the bytes it has
   * already signed.
   */
  readonly replace: (from: Address, raw: Hex, fees: Fees) => Effect.Effect<Signed, NotSigned>
  /** Signs an empty transaction of the wallet to itself. */
  readonly fill: (
    from: Address,
    empty: Pick<UnsignedTransaction, "chainId" | "nonce" | "gasLimit" | keyof Fees>
  ) => Effect.Effect<Signed, NotSigned>
  /** Decodes signed bytes; none where they are not a transaction that this wallet has signed. */
  readonly read: (from: Address, raw: Hex) => Effect.Effect<Option.Option<ReadBack>>
  /** Creates a wallet, stores its key encrypted, and returns the key, which cannot be read again. */
  readonly create: Effect.Effect<
    { readonly address: Address; readonly privateKey: Redacted.Redacted<string> },
    SignerAway | SqlError
  >
  /** Stores a caller's key encrypted and returns its address; none where it is not a valid key. */
  readonly importKey: (
    privateKey: Redacted.Redacted<string>
  ) => Effect.Effect<Option.Option<Address>, SignerAway | SqlError>
}>()("vault-trader/workers/gas-wallet/Signer") {
  static readonly layer = (kek: Envelope.Kek): Layer.Layer<Signer, never, GasWalletStore | SigningPolicy> =>
    Layer.effect(
      Signer,
      Effect.gen(function*() {
        const wallets = yield* GasWalletStore
        const policy = yield* SigningPolicy
        const curve = yield* Effect.promise(() => Secp256k1.make())

        const keyOf = yield* keyReader(kek, wallets)
        const store = (address: Address, privateKey: Redacted.Redacted<string>, imported: boolean) =>
          Effect.flatMap(
            Envelope.encrypt(kek, purpose, address, privateKey),
            (ciphertext) => wallets.put({ address, ciphertext, imported })
          )

        /** Signs without a check. Private: each caller has already established that these may be signed. */
        const signWithKey = (
          from: Address,
          transactions: ReadonlyArray<UnsignedTransaction>
        ): Effect.Effect<ReadonlyArray<Signed>, CannotSign | SqlError> =>
          Effect.acquireUseRelease(
            Effect.map(keyOf(from), (privateKey) => Buffer.from(Redacted.value(privateKey), "hex")),
            (key) =>
              Effect.flatMap(Effect.promise(() => signAll(curve, transactions, key)), (all) =>
                all === undefined
                  ? new CannotSign({
                    message: "The signed bytes differ from the requested transaction; they were discarded."
                  })
                  : Effect.succeed(all)),
            (key) => Effect.sync(() => key.fill(0))
          )
        const signOneWithKey = (from: Address, transaction: UnsignedTransaction) =>
          Effect.flatMap(
            signWithKey(from, [transaction]),
            ([one]): Effect.Effect<Signed, CannotSign> =>
              one === undefined ? new CannotSign({ message: "A signature is missing." }) : Effect.succeed(one)
          )

        return {
          sign: (from, transactions) =>
            transactions.every(({ permit, ...call }) =>
                permit !== undefined && call.from === from && policy.admits(permit, call)
              )
              ? signWithKey(from, transactions)
              : new CannotSign({ message: "The signing policy has not permitted this transaction." }),
          replace: (from, raw, fees) =>
            Effect.flatMap(
              read(curve, from, raw),
              (earlier): Effect.Effect<Signed, CannotSign | SqlError> =>
                Option.isNone(earlier)
                  ? new CannotSign({
                    message: "Only a transaction that the wallet has already signed can be signed again."
                  })
                  : signOneWithKey(from, { ...earlier.value.transaction, ...fees })
            ),
          fill: (from, empty) => signOneWithKey(from, { ...empty, from, to: from, data: "0x", value: 0n }),
          read: (from, raw) => read(curve, from, raw),
          create: Effect.gen(function*() {
            const key = yield* Effect.sync(generatePrivateKey)
            const address = privateKeyToAddress(key).toLowerCase() as Address
            const privateKey = Redacted.make(key.slice(2))
            yield* store(address, privateKey, false)
            return { address, privateKey }
          }),
          importKey: (privateKey) =>
            Effect.gen(function*() {
              const derived = yield* Effect.option(
                Effect.try(() => privateKeyToAddress(`0x${Redacted.value(privateKey)}`))
              )
              if (Option.isNone(derived)) return Option.none()
              const address = derived.value.toLowerCase() as Address
              yield* store(address, privateKey, true)
              return Option.some(address)
            })
        }
      })
    )
}

/**
 * Makes the function that decrypts a wallet's key. Unshared, because a caller that signs inside a database transaction
 * holds a connection: it must not wait for another caller's read, which may be waiting for a connection.
 */
const keyReader = (kek: Envelope.Kek, wallets: GasWalletStore["Service"]) =>
  Effect.sync(() => {
    const ciphertextOf = TtlCache.keyedUnshared<string>(ciphertextTtlMillis, maxCiphertexts)
    const readCiphertext = (address: Address) =>
      Effect.flatMap(
        wallets.ciphertext(address),
        Option.match({
          onNone: () => new CannotSign({ message: `There is no key for wallet ${address}.` }),
          onSome: (ciphertext) => Effect.succeed(ciphertext)
        })
      )
    return (address: Address): Effect.Effect<Redacted.Redacted<string>, CannotSign | SqlError> =>
      Effect.flatMap(ciphertextOf(address, readCiphertext(address)), (ciphertext) =>
        Effect.mapError(Envelope.decrypt(kek, purpose, address, ciphertext), ({ message }) =>
          new CannotSign({ message })))
  })

/** Signs one transaction; `undefined` where the signed bytes differ from the request. */
const signOne = async (
  curve: Secp256k1.Secp256k1,
  transaction: UnsignedTransaction,
  key: Uint8Array
): Promise<Signed | undefined> => {
  const raw = await curve.signTransaction(serializable(transaction), key)
  const { transaction: decoded, sender } = await curve.read(raw)
  if (!isSameTransaction(decoded, transaction) || sender !== transaction.from) return undefined
  const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transaction
  return { raw, hash: curve.hash(raw), gasLimit, maxFeePerGas, maxPriorityFeePerGas }
}

/** Signs transactions in order; `undefined` where the signed bytes of one differ from the request. */
const signAll = async (
  curve: Secp256k1.Secp256k1,
  transactions: ReadonlyArray<UnsignedTransaction>,
  key: Uint8Array
) => {
  const all: Array<Signed> = []
  for (const transaction of transactions) {
    const signed = await signOne(curve, transaction, key)
    if (signed === undefined) return undefined
    all.push(signed)
  }
  return all
}

/** Decodes signed bytes; none where they are not a transaction that this wallet has signed. */
export const read = (curve: Secp256k1.Secp256k1, from: Address, raw: Hex): Effect.Effect<Option.Option<ReadBack>> =>
  Effect.tryPromise(() => curve.read(raw as TransactionSerializedEIP1559)).pipe(
    Effect.map(({ sender, transaction: decoded }) => {
      const { chainId, data = "0x", gas, maxFeePerGas, maxPriorityFeePerGas = 0n, nonce = 0, to, value = 0n } = decoded
      if (sender !== from || typeof to !== "string" || gas === undefined || maxFeePerGas === undefined) {
        return Option.none()
      }
      const fees = { maxFeePerGas, maxPriorityFeePerGas }
      const call = { chainId, from, to: lower(to), data, value }
      const transaction = { ...call, nonce: BigInt(nonce), gasLimit: gas, ...fees }
      return Option.some({ signed: { raw, hash: curve.hash(raw), gasLimit: gas, ...fees }, transaction })
    }),
    Effect.orElseSucceed(() => Option.none())
  )

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

/** Checks that the chain and every field are the requested ones. */
const isSameTransaction = (decoded: TransactionSerializableEIP1559, requested: UnsignedTransaction): boolean =>
  decoded.chainId === requested.chainId && decoded.to?.toLowerCase() === requested.to &&
  (decoded.data ?? "0x").toLowerCase() === requested.data.toLowerCase() && (decoded.value ?? 0n) === requested.value &&
  BigInt(decoded.nonce ?? 0) === requested.nonce && decoded.gas === requested.gasLimit &&
  decoded.maxFeePerGas === requested.maxFeePerGas &&
  (decoded.maxPriorityFeePerGas ?? 0n) === requested.maxPriorityFeePerGas
