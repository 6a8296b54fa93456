/**
 * Creates and imports wallets and issues their API keys. Any number of instances may run: the database decides between
 * them.
 */
import * as Audit from "@vault-trader/core/audit/Audit"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import type { AccessKind } from "@vault-trader/core/gas-wallet/Ended"
import type { Address } from "@vault-trader/core/chain/Address"
import { explain } from "@vault-trader/core/failure/Explanation"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { privateKeyToAddress } from "viem/accounts"
import * as NewApiKey from "./NewApiKey.ts"
import { Signer } from "./Signer.ts"

const signerAway = Effect.suspend(() => Effect.fail(explain({ _tag: "SignerAway" })))

const notAKey = new ValidationFailure({ code: "1010", message: "privateKey: not a valid secp256k1 private key" })

const addressOf = (privateKey: Redacted.Redacted<string>) =>
  Effect.try({
    try: () => privateKeyToAddress(`0x${Redacted.value(privateKey)}`).toLowerCase() as Address,
    catch: () => notAKey
  })

export const KeyringLive = Keyring.toLayer(
  Effect.gen(function*() {
    const signer = yield* Signer
    const keys = yield* ApiKeyStore
    const generateKey = NewApiKey.generate(yield* ApiKeyDigest)

    const issue = (wallet: Address, evict?: { readonly keep: ReadonlyArray<AccessKind> }) =>
      Effect.gen(function*() {
        const { apiKey, row } = yield* generateKey
        const { ended, kept, revoked } = yield* keys.issue({
          wallet,
          ...(evict === undefined ? {} : { evict }),
          ...row
        })
        return { apiKey, ended, kept, revoked }
      })

    /** Returns the address of a key whose wallet is stored, or is stored now. A wallet with a key needs no signer. */
    const importKey = (privateKey: Redacted.Redacted<string>) =>
      Effect.catchTag(signer.importKey(privateKey), "SignerAway", () =>
        Effect.gen(function*() {
          const address = yield* addressOf(privateKey)
          return Option.isSome(yield* keys.activeOf(address)) ? Option.some(address) : yield* signerAway
        }))

    return {
      create: ({ payload: { actor } }) =>
        Effect.gen(function*() {
          const { address, privateKey } = yield* signer.create
          const { apiKey } = yield* issue(address)
          return { address, privateKey, apiKey }
        }).pipe(
          Effect.catchTag("SignerAway", () => signerAway),
          Audit.by(actor),
          Effect.catchTag("SqlError", Effect.die)
        ),
      rotate: ({ payload: { actor, manager, wallet } }) =>
        Effect.gen(function*() {
          if (Option.isNone(yield* Effect.orDie(keys.activeOf(wallet)))) {
            return yield* new ValidationFailure({
              code: "1005",
              message: `wallet: there is no gas wallet ${wallet} with a key`
            })
          }
          const { apiKey, row } = yield* generateKey
          const issued = yield* Effect.orDie(keys.rotate({ wallet, manager, ...row }))
          if (Option.isNone(issued)) {
            return yield* new ValidationFailure({
              code: "1005",
              message: `wallet: ${wallet} is not in your list of gas wallets; nothing was changed`
            })
          }
          const { ended, kept, revoked } = issued.value
          return { address: wallet, apiKey, revoked, ended, kept }
        }).pipe(Audit.by(actor)),
      issue: ({ payload }) =>
        Effect.gen(function*() {
          const address = yield* importKey(payload.privateKey)
          if (Option.isNone(address)) return yield* notAKey
          return { address: address.value, ...(yield* issue(address.value, { keep: payload.keep })) }
        }).pipe(Audit.by(payload.actor), Effect.catchTag("SqlError", Effect.die)),
      addressOf: ({ payload }) => addressOf(payload.privateKey)
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
