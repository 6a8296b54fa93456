/**
 * Creates and imports wallets and issues their API keys. Any number of instances may run: the database decides between
 * them.
 */
import * as Audit from "@vault-trader/core/audit/Audit"
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import type { Address } from "@vault-trader/core/chain/Address"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { privateKeyToAddress } from "viem/accounts"
import * as NewApiKey from "./NewApiKey.ts"
import { Signer } from "./Signer.ts"

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

    const issue = (wallet: Address, evict: boolean) =>
      Effect.gen(function*() {
        const { apiKey, row } = yield* generateKey
        const { ended, revoked } = yield* keys.issue({ wallet, evict, ...row })
        return { apiKey, ended, revoked }
      })

    return {
      create: ({ payload: { actor } }) =>
        Effect.gen(function*() {
          const { address, privateKey } = yield* signer.create
          const { apiKey } = yield* issue(address, false)
          return { address, privateKey, apiKey }
        }).pipe(Audit.by(actor), Effect.orDie),
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
          return { address: wallet, apiKey, revoked: issued.value.revoked, ended: issued.value.ended }
        }).pipe(Audit.by(actor)),
      issue: ({ payload }) =>
        Effect.gen(function*() {
          const address = yield* Effect.orDie(signer.importKey(payload.privateKey))
          if (Option.isNone(address)) return yield* notAKey
          return { address: address.value, ...(yield* Effect.orDie(issue(address.value, !payload.keep))) }
        }).pipe(Audit.by(payload.actor)),
      addressOf: ({ payload }) => addressOf(payload.privateKey)
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
