/** Codes that chats send: one-time codes of bindings, and those of confirmations. Only their digests are stored. */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"

/** Generates a code of 160 random bits, in the characters that a link to a bot may have. */
export const fresh = Effect.sync(() => Redacted.make(Crypto.randomBytes(20).toString("base64url")))

/** Generates the six digits that confirm a command. */
export const digits = Effect.sync(() => String(Crypto.randomInt(1_000_000)).padStart(6, "0"))

export const digestOf = (code: string): string => Crypto.createHash("sha256").update(`chat/${code}`).digest("hex")

/** Returns the digest of a confirmation's digits, bound to the confirmation. */
export const confirmationDigest = (id: string, code: string): string => digestOf(`${id}/${code}`)
