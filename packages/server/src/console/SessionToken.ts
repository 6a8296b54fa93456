/** The session cookie. The browser holds a token of 256 random bits; the service stores its digest. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"

const name = "vault_trader_session"

/** Generates a new token. */
export const fresh = Effect.sync(() => Redacted.make(Crypto.randomBytes(32).toString("hex")))

/** Returns the digest under which a token is stored, 64 hex characters. */
export const digestOf = (token: Redacted.Redacted<string>): string =>
  Crypto.createHash("sha256").update(Redacted.value(token)).digest("hex")

/** Returns the token in a request's cookies, if it is well-formed. */
export const tokenOf = (
  headers: HttpServerRequest.HttpServerRequest["headers"]
): Redacted.Redacted<string> | undefined => {
  const found = (headers["cookie"] ?? "").split(";").map((part) => part.trim()).find((part) =>
    part.startsWith(`${name}=`)
  )?.slice(name.length + 1)
  return found !== undefined && /^[0-9a-f]{64}$/.test(found) ? Redacted.make(found) : undefined
}

/** Builds the cookie. Scripts cannot read it, and browsers do not send it from other sites. `seconds` 0 deletes it. */
export const cookie = (
  token: Redacted.Redacted<string>,
  { seconds, secure }: { readonly seconds: number; readonly secure: boolean }
): string =>
  `${name}=${Redacted.value(token)}; Path=/console; Max-Age=${seconds}; HttpOnly; SameSite=Strict${
    secure ? "; Secure" : ""
  }`
