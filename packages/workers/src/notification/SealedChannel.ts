/** The secrets of channels: encrypted as JSON, under the channel's id. */
import { ChannelSecrets } from "@vault-trader/core/notification/Channel"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { decrypt, encrypt, type Kek } from "../gas-wallet/Envelope.ts"

/** The encryption purpose of channels' secrets. */
export const purpose = "channel-secret"

const Json = Schema.fromJsonString(ChannelSecrets)

export const seal = (kek: Kek, id: string, secrets: ChannelSecrets): Effect.Effect<string> =>
  Effect.flatMap(
    Effect.orDie(Schema.encodeEffect(Json)(secrets)),
    (text) => encrypt(kek, purpose, id, Redacted.make(text))
  )

export const open = (kek: Kek, id: string, ciphertext: string) =>
  Effect.flatMap(
    decrypt(kek, purpose, id, ciphertext),
    (text) => Effect.orDie(Schema.decodeUnknownEffect(Json)(Redacted.value(text)))
  )
