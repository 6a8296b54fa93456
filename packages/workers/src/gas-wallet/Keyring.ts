/** Makes and imports wallets and issues their API keys. Any number may run: the database decides. */
import { Keyring } from "@vault-trader/core/gas-wallet/Keyring"
import { ApiKeyDigest } from "@vault-trader/core/gas-wallet/ApiKeyDigest"
import { ApiKeyStore } from "@vault-trader/core/gas-wallet/ApiKeyStore"
import type { Address } from "@vault-trader/core/chain/Address"
import { ValidationFailure } from "@vault-trader/core/endpoint/Failure"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { Signer } from "./Signer.ts"

export const KeyringLive = Keyring.toLayer(
  Effect.gen(function*() {
    const signer = yield* Signer
    const keys = yield* ApiKeyStore
    const { digest } = yield* ApiKeyDigest

    const issue = (wallet: Address) =>
      Effect.gen(function*() {
        const apiKey = Redacted.make(crypto.randomUUID())
        const { revoked } = yield* keys.issue({ wallet, digest: yield* digest(apiKey), lastFour: Redacted.value(apiKey).slice(-4) })
        return { apiKey, revoked }
      })

    return {
      create: () =>
        Effect.gen(function*() {
          const { address, privateKey } = yield* signer.create
          const { apiKey } = yield* issue(address)
          return { address, privateKey, apiKey }
        }).pipe(Effect.orDie),
      rotate: ({ payload: { wallet } }) =>
        Effect.gen(function*() {
          if (Option.isNone(yield* Effect.orDie(keys.activeOf(wallet)))) {
            return yield* new ValidationFailure({ code: "1005", message: `wallet: there is no gas wallet ${wallet} with a key` })
          }
          return { address: wallet, ...(yield* Effect.orDie(issue(wallet))) }
        }),
      issue: ({ payload }) =>
        Effect.gen(function*() {
          const address = yield* Effect.orDie(signer.importKey(payload.privateKey))
          if (Option.isNone(address)) {
            return yield* new ValidationFailure({ code: "1010", message: "privateKey: not a valid secp256k1 private key" })
          }
          return { address: address.value, ...(yield* Effect.orDie(issue(address.value))) }
        })
    }
  }),
  { concurrency: "unbounded", disableFatalDefects: true }
)
