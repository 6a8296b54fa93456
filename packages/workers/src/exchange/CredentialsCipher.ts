/** What exchanges gave their customers, under the envelope encryption of private keys. Opened only here, by the account's actor. */
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
  /** `record`: whose they are; they open for nobody else. */
  readonly seal: (record: string, credentials: Credentials) => Effect.Effect<string>
  readonly open: (record: string, ciphertext: string) => Effect.Effect<Credentials, CannotDecrypt>
}>()("vault-trader/workers/exchange/CredentialsCipher") {
  static readonly layer = (kek: Kek): Layer.Layer<CredentialsCipher> =>
    Layer.succeed(CredentialsCipher, {
      seal: (record, credentials) =>
        Effect.flatMap(Effect.orDie(Schema.encodeEffect(Text)(credentials)), (text) => encrypt(kek, purpose, record, Redacted.make(text))),
      open: (record, ciphertext) =>
        Effect.flatMap(decrypt(kek, purpose, record, ciphertext), (text) =>
          // Its own words would repeat what does not decode.
          Schema.decodeEffect(Text)(Redacted.value(text)).pipe(
            Effect.mapError(() => new Error(`the credentials of ${record} are not what was sealed`)),
            Effect.orDie
          ))
    })
}
