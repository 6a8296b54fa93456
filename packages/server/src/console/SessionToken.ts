/** The cookie of a session: 256 random bits for the browser, a digest for us. */
import * as Effect from "effect/Effect"
import type * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"

const name = "vault_trader_session"

/** A token nobody has. */
export const fresh = Effect.sync(() => Redacted.make(Crypto.randomBytes(32).toString("hex")))

/** What is kept of a token: 64 hex characters. */
export const digestOf = (token: Redacted.Redacted<string>): string => Crypto.createHash("sha256").update(Redacted.value(token)).digest("hex")

/** The token a request carries, as far as it looks like one. */
export const tokenOf = (headers: HttpServerRequest.HttpServerRequest["headers"]): Redacted.Redacted<string> | undefined => {
  const found = (headers["cookie"] ?? "").split(";").map((part) => part.trim()).find((part) => part.startsWith(`${name}=`))?.slice(name.length + 1)
  return found !== undefined && /^[0-9a-f]{64}$/.test(found) ? Redacted.make(found) : undefined
}

/** Never readable by scripts, never sent along from another site. `seconds` 0 takes it away. */
export const cookie = (token: Redacted.Redacted<string>, { seconds, secure }: { readonly seconds: number; readonly secure: boolean }): string =>
  `${name}=${Redacted.value(token)}; Path=/console; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`
