/**
 * The only place where private keys are used. It signs three things: calls that the signing policy has permitted,
 * transactions that it has already signed at other fees, and empty transactions of a wallet to itself. The signatures
 * come from the key provider of the wallet, and none is trusted before it was verified here.
 */
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { GasWalletStore, type StoredKey } from "@vault-trader/core/gas-wallet/GasWalletStore"
import type { Signed } from "@vault-trader/core/gas-wallet/SigningBatch"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { SqlError } from "effect/sql/SqlError"
import * as Crypto from "node:crypto"
import type { TransactionSerializableEIP1559, TransactionSerializedEIP1559 } from "viem"
import type { Fees } from "../chain/ChainClient.ts"
import { lower } from "../chain/Contract.ts"
import * as TtlCache from "../chain/TtlCache.ts"
import { type KeyFailure, KeyUnusable, type RemoteKeyProvider, type WalletKey } from "../key-provider/KeyProvider.ts"
import { KeyProviders } from "../key-provider/KeyProviders.ts"
import type { Kek } from "./Envelope.ts"
import * as LocalEnvelope from "./LocalEnvelope.ts"
import * as Secp256k1 from "./Secp256k1.ts"
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

/**
 * The signer refuses: unknown wallet, a key that cannot be decrypted, a provider that does not sign, or signed bytes that
 * differ from the request. Nothing was signed.
 */
export class CannotSign extends Schema.TaggedError<CannotSign>()("CannotSign", {
  message: Schema.String,
  /** True if the provider of the key does not sign at present: the caller tries again later. */
  isTemporary: Schema.optional(Schema.Boolean)
}) {}

const cannotSign = ({ _tag, message }: KeyFailure) =>
  new CannotSign(_tag === "KeyUnavailable" ? { message, isTemporary: true } : { message })

/** Reasons why nothing was signed. Only after a `CannotSign` that is not temporary it is of no use to try again. */
export type NotSigned = CannotSign | GasCapReached | SignerAway | SqlError

/** How long, and how many, rows of keys are cached: a lane signs more often than keys are re-encrypted. */
const storedKeyTtlMillis = 60_000
const maxStoredKeys = 10_000

/** The signing library; a test can provide a faulty one. */
export const SigningCurve = Context.Reference<Effect.Effect<Secp256k1.Secp256k1>>(
  "vault-trader/workers/gas-wallet/SigningCurve",
  { defaultValue: () => Effect.promise(() => Secp256k1.make()) }
)

export class Signer extends Context.Service<Signer, {
  /**
   * Signs transactions of one wallet. The sender and every field are decoded from the signed bytes and compared with
   * the request. A key of this service is decrypted once for all of them and erased afterwards. Nothing is signed unless
   * every call has its permit.
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
  static readonly layer = (kek: Kek): Layer.Layer<Signer, never, GasWalletStore | SigningPolicy> =>
    Layer.effect(
      Signer,
      Effect.gen(function*() {
        const wallets = yield* GasWalletStore
        const policy = yield* SigningPolicy
        const curve = yield* yield* SigningCurve

        const providers = yield* KeyProviders
        const local = LocalEnvelope.make(kek, curve)
        const keyOf = yield* keyReader(wallets)
        const store = keyStorer(wallets, local, curve)
        const signWithKey = keySigner({ curve, keyOf, local, providers })
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
            const key = yield* Effect.sync(() => Crypto.randomBytes(32))
            // The response is the only place where the key is a text.
            const privateKey = Redacted.make(key.toString("hex"))
            const address = yield* store(key, false)
            // One in 2^128 random numbers is not a key.
            return Option.isNone(address)
              ? yield* Effect.die(new Error("the random bytes are not a private key"))
              : { address: address.value, privateKey }
          }),
          importKey: (privateKey) =>
            Effect.suspend(() => {
              const text = Buffer.from(Redacted.value(privateKey), "latin1")
              const key = LocalEnvelope.parse(text)
              text.fill(0)
              return key === undefined ? Effect.succeed(Option.none()) : store(key, true)
            })
        }
      })
    )
}

/**
 * Makes the function that finds where a wallet's key is. Unshared, because a caller that signs inside a database
 * transaction holds a connection: it must not wait for another caller's read, which may be waiting for a connection.
 */
const keyReader = (wallets: GasWalletStore["Service"]) =>
  Effect.sync(() => {
    const keyOf = TtlCache.keyedUnshared<StoredKey>(storedKeyTtlMillis, maxStoredKeys)
    const readKey = (address: Address) =>
      Effect.flatMap(
        wallets.key(address),
        Option.match({
          onNone: () => new CannotSign({ message: `There is no key for wallet ${address}.` }),
          onSome: (key) => Effect.succeed(key)
        })
      )
    return (address: Address): Effect.Effect<StoredKey, CannotSign | SqlError> => keyOf(address, readKey(address))
  })

/**
 * Makes the function that stores a key, unless the wallet exists, and erases it; none where the bytes are not a key.
 */
const keyStorer = (
  wallets: GasWalletStore["Service"],
  local: ReturnType<typeof LocalEnvelope.make>,
  curve: Secp256k1.Secp256k1
) =>
(key: Buffer, imported: boolean): Effect.Effect<Option.Option<Address>, SqlError> =>
  Effect.gen(function*() {
    const address = curve.addressOf(key)
    if (address === undefined) return Option.none()
    yield* wallets.put({ address, ciphertext: yield* local.seal(address, key), imported })
    return Option.some(address)
  }).pipe(Effect.ensuring(Effect.sync(() => key.fill(0))))

/**
 * Makes the function that signs without a check. Private: each caller has already established that these may be signed.
 */
const keySigner = ({ curve, keyOf, local, providers }: {
  readonly curve: Secp256k1.Secp256k1
  readonly keyOf: (wallet: Address) => Effect.Effect<StoredKey, CannotSign | SqlError>
  readonly local: ReturnType<typeof LocalEnvelope.make>
  readonly providers: typeof KeyProviders.Service
}) =>
(
  from: Address,
  transactions: ReadonlyArray<UnsignedTransaction>
): Effect.Effect<ReadonlyArray<Signed>, CannotSign | SqlError> =>
  Effect.gen(function*() {
    const { provider, reference } = yield* keyOf(from)
    const key = { wallet: from, reference }
    const unsigned = transactions.map((transaction) => curve.unsigned(serializable(transaction)))
    const signatures = yield* Effect.mapError(
      provider === "local"
        ? local.sign(key, unsigned)
        : signRemotely(curve, providers[provider], key, unsigned),
      cannotSign
    )
    return yield* Effect.forEach(
      signatures,
      (signature, place) => verify(curve, transactions[place]!, signature)
    )
  })

const discarded = "The signed bytes differ from the requested transaction; they were discarded."

/** Decodes signed bytes again and compares the sender and every field with the request. */
const verify = (curve: Secp256k1.Secp256k1, transaction: UnsignedTransaction, signature: Secp256k1.Signature) =>
  Effect.gen(function*() {
    const raw = curve.assemble(serializable(transaction), signature)
    const { sender, transaction: decoded } = yield* Effect.promise(() => curve.read(raw))
    if (!isSameTransaction(decoded, transaction) || sender !== transaction.from) {
      return yield* new CannotSign({ message: discarded })
    }
    const { gasLimit, maxFeePerGas, maxPriorityFeePerGas } = transaction
    return { raw, hash: curve.hash(raw), gasLimit, maxFeePerGas, maxPriorityFeePerGas } satisfies Signed
  })

/** Asks a provider for signatures of a wallet. One that does not lead to the wallet's address is discarded. */
const signRemotely = (
  curve: Secp256k1.Secp256k1,
  provider: RemoteKeyProvider,
  key: WalletKey,
  unsigned: ReadonlyArray<Secp256k1.Unsigned>
): Effect.Effect<ReadonlyArray<Secp256k1.Signature>, KeyFailure> =>
  Effect.flatMap(
    provider.sign(key, unsigned),
    (signatures) =>
      Effect.forEach(unsigned, ({ digest }, place) =>
        Effect.gen(function*() {
          const { r, s } = signatures[place] ?? { r: new Uint8Array(32), s: new Uint8Array(32) }
          const signature = yield* Effect.promise(() => curve.complete(digest, r, s, key.wallet))
          return signature ?? (yield* new KeyUnusable({
            message: `The signature of ${provider.title} is not one of wallet ${key.wallet}; it was discarded.`
          }))
        }))
  )

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
