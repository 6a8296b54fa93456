/**
 * Gas wallets whose private keys are at a key management service: an operator adds them, and issues their API keys, since
 * no owner has a private key as a proof.
 */
import * as Audit from "@vault-trader/core/audit/Audit"
import type { Address, Hex } from "@vault-trader/core/chain/Address"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import { GasWalletStore, type RemoteProvider } from "@vault-trader/core/gas-wallet/GasWalletStore"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as SqlClient from "effect/sql/SqlClient"
import * as Crypto from "node:crypto"
import { keccak256, toBytes } from "viem"
import { publicKeyToAddress } from "viem/accounts"
import { type KeyFailure, KeyUnusable, type RemoteKeyProvider } from "../key-provider/KeyProvider.ts"
import { KeyProviders } from "../key-provider/KeyProviders.ts"
import * as NewApiKey from "./NewApiKey.ts"
import * as Secp256k1 from "./Secp256k1.ts"

/** The wallet was not added, or no key was issued; nothing was changed. */
export class WalletRefused extends Data.TaggedError("WalletRefused")<{ readonly message: string }> {}

/** Starts no transaction: those start with 0x02 here. */
const checkPrefix = Buffer.from("\x19Vault Trader checks a key provider: ")

/** Reads the public key behind a provider's name, lets the provider sign a random text, and returns the address. */
const addressAt = (provider: RemoteKeyProvider, reference: string): Effect.Effect<Address, KeyFailure> =>
  Effect.gen(function*() {
    const publicKey: Hex = `0x04${Buffer.from(yield* provider.publicKey(reference)).toString("hex")}`
    const wallet = publicKeyToAddress(publicKey).toLowerCase() as Address
    const bytes = Buffer.concat([checkPrefix, Crypto.randomBytes(32)])
    const digest = toBytes(keccak256(bytes))
    const [signature] = yield* provider.sign({ wallet, reference }, [{ bytes, digest }])
    const curve = yield* Effect.promise(() => Secp256k1.make())
    const { r, s } = signature ?? { r: new Uint8Array(32), s: new Uint8Array(32) }
    return (yield* Effect.promise(() => curve.complete(digest, r, s, wallet))) === undefined
      ? yield* new KeyUnusable({ message: `The signature of ${provider.title} does not match its public key.` })
      : wallet
  })

/** Adds the wallet of a provider's key, and issues its API key. */
export const add = Effect.fn("RemoteWallet.add")(
  function*({ provider, reference }: { readonly provider: RemoteProvider; readonly reference: string }) {
    const sql = yield* SqlClient.SqlClient
    const wallets = yield* GasWalletStore
    const keys = yield* ApiKeyStore
    const { apiKey, row } = yield* NewApiKey.generate(yield* ApiKeyDigest)
    const address = yield* Effect.mapError(
      addressAt((yield* KeyProviders)[provider], reference),
      ({ message }) => new WalletRefused({ message: `${message} No wallet was added.` })
    )
    yield* Audit.transaction(
      sql,
      Effect.gen(function*() {
        if (!(yield* wallets.putRemote({ address, provider, reference }))) {
          return yield* new WalletRefused({ message: `The wallet ${address} of this key exists; nothing was changed.` })
        }
        yield* keys.issue({ wallet: address, ...row })
      })
    )
    return { address, apiKey }
  }
)

/**
 * Issues a new API key for a wallet whose key is at a provider; the old one is revoked at once. `evict` also ends every
 * other way to act for the wallet, as `getNewApiKey` does.
 */
export const issueKey = Effect.fn("RemoteWallet.issueKey")(
  function*({ evict, wallet }: { readonly wallet: Address; readonly evict: boolean }) {
    const keys = yield* ApiKeyStore
    const stored = yield* (yield* GasWalletStore).key(wallet)
    if (Option.isNone(stored)) {
      return yield* new WalletRefused({ message: `There is no gas wallet ${wallet} here; nothing was changed.` })
    }
    if (stored.value.provider === "local") {
      return yield* new WalletRefused({
        message: `The owner of ${wallet} holds its private key: getNewApiKey issues its API keys. Nothing was changed.`
      })
    }
    const { apiKey, row } = yield* NewApiKey.generate(yield* ApiKeyDigest)
    const { ended, revoked } = yield* keys.issue({ wallet, evict, ...row })
    return { apiKey, ended, revoked }
  }
)
