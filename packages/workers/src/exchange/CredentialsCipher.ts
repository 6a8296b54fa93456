/**
 * Encrypts exchange API credentials with the same envelope encryption as private keys. Only the account's actor
 * decrypts them, here.
 */
import { Credentials } from "@vault-trader/core/exchange/ExchangeAccount"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { type CannotDecrypt, decrypt, encrypt, type Kek } from "../gas-wallet/Envelope.ts"

const purpose = "exchange-credentials"
const Text = Schema.fromJsonString(Credentials)

export class CredentialsCipher extends Context.Service<CredentialsCipher, {
  /** Encrypts the credentials. `record` names their account; they decrypt only for that record. */
  readonly seal: (record: string, credentials: Credentials) => Effect.Effect<string>
  readonly open: (record: string, ciphertext: string) => Effect.Effect<Credentials, CannotDecrypt>
}>()("vault-trader/workers/exchange/CredentialsCipher") {
  static readonly layer = (kek: Kek): Layer.Layer<CredentialsCipher> =>
    Layer.succeed(CredentialsCipher, {
      seal: (record, credentials) =>
        Effect.flatMap(Effect.orDie(Schema.encodeEffect(Text)(credentials)), (text) =>
          encrypt(kek, purpose, record, Redacted.make(text))),
      open: (record, ciphertext) =>
        Effect.flatMap(decrypt(kek, purpose, record, ciphertext), (text) =>
          // Drops the decoding error: its text would contain the credentials.
          Schema.decodeEffect(Text)(Redacted.value(text)).pipe(
            Effect.mapError(() =>
              new Error(`the decrypted credentials of ${record} are invalid`)
            ),
            Effect.orDie
          ))
    })
}
