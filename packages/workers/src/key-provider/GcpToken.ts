/** OAuth access tokens of Google Cloud: of a service account's key file, or of the machine's metadata server. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import * as Semaphore from "effect/Semaphore"
import * as Crypto from "node:crypto"
import * as Fs from "node:fs"
import { type KeyFailure, KeyUnavailable } from "./KeyProvider.ts"
import type { ProviderClient } from "./ProviderClient.ts"

export interface GcpAccess {
  /** File of a service account's key; without it the metadata server is asked. */
  readonly credentialsFile: string | undefined
  /** Host and port of the metadata server. */
  readonly metadataHost: string
  /** Base URL of Cloud KMS. */
  readonly url: string
}

const scope = "https://www.googleapis.com/auth/cloudkms"

/** How long before its end a token is replaced. */
const marginMillis = 60_000

const Account = Schema.Struct({
  type: Schema.Literal("service_account"),
  client_email: Schema.String,
  private_key: Schema.String,
  private_key_id: Schema.optional(Schema.String),
  token_uri: Schema.String
})

const Token = Schema.Struct({ access_token: Schema.String, expires_in: Schema.Number })

const denied = (message: string) => new KeyUnavailable({ reason: "denied", message })

const readAccount = (file: string) =>
  Effect.try({
    try: () => Schema.decodeSync(Schema.fromJsonString(Account))(Fs.readFileSync(file, "utf8")),
    // Without the cause: it may quote the file.
    catch: () => denied("The file of GOOGLE_APPLICATION_CREDENTIALS is not the key of a service account.")
  })

/** Returns a JSON Web Token with which the service account asks for an access token. */
const assertion = (account: typeof Account.Type, now: number) =>
  Effect.try({
    try: () => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
      const seconds = Math.floor(now / 1000)
      const header = part({ alg: "RS256", typ: "JWT", kid: account.private_key_id })
      const claims = part({
        iss: account.client_email,
        scope,
        aud: account.token_uri,
        iat: seconds,
        exp: seconds + 3600
      })
      const signature = Crypto.sign("RSA-SHA256", Buffer.from(`${header}.${claims}`), account.private_key)
      return `${header}.${claims}.${signature.toString("base64url")}`
    },
    catch: () => denied("The private key in the file of GOOGLE_APPLICATION_CREDENTIALS cannot be used.")
  })

const request = ({ credentialsFile, metadataHost }: GcpAccess) =>
  Effect.gen(function*() {
    if (credentialsFile === undefined) {
      return HttpClientRequest.get(
        `http://${metadataHost}/computeMetadata/v1/instance/service-accounts/default/token`
      ).pipe(HttpClientRequest.setHeader("metadata-flavor", "Google"))
    }
    const account = yield* readAccount(credentialsFile)
    return HttpClientRequest.post(account.token_uri).pipe(HttpClientRequest.bodyUrlParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: yield* assertion(account, yield* Clock.currentTimeMillis)
    }))
  })

export interface GcpToken {
  /** Returns a token that is valid for a while. */
  readonly current: Effect.Effect<Redacted.Redacted<string>, KeyFailure>
  /** Drops the token: it was refused. */
  readonly forget: Effect.Effect<void>
}

/** Makes the source of tokens; one is fetched at a time and shared until shortly before its end. */
export const make = (access: GcpAccess, client: ProviderClient): Effect.Effect<GcpToken> =>
  Effect.map(Semaphore.make(1), (permit) => {
    let held: { readonly token: Redacted.Redacted<string>; readonly until: number } | undefined
    const fetchToken = client.send(request(access), ({ status, text }) =>
      status === 200
        ? Effect.mapError(
          Schema.decodeEffect(Schema.fromJsonString(Token))(text),
          () => denied("Google's token service answered with something else than a token.")
        )
        : Effect.fail(
          status === 429 || status >= 500
            ? new KeyUnavailable({
              reason: "unreachable",
              message: `Google's token service failed (HTTP ${status}).`
            })
            : denied(`Google's token service refuses the service account (HTTP ${status}).`)
        ))
    return {
      current: permit.withPermit(Effect.gen(function*() {
        const now = yield* Clock.currentTimeMillis
        if (held !== undefined && now < held.until) return held.token
        const { access_token, expires_in } = yield* fetchToken
        held = { token: Redacted.make(access_token), until: now + expires_in * 1000 - marginMillis }
        return held.token
      })),
      forget: Effect.sync(() => {
        held = undefined
      })
    }
  })
