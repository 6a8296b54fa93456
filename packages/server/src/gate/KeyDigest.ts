/** Names a key in memory, so that the key itself is not kept for counting or finding it. */
import * as Redacted from "effect/Redacted"
import * as Crypto from "node:crypto"

/** The digests of keys that requests hold at the moment: each is computed once for a request. */
const known = new WeakMap<Redacted.Redacted<string>, string>()

/** Returns the digest of a key. Keys are texts in lower case once they are decoded; this one counts in any case. */
export const keyDigestOf = (apiKey: Redacted.Redacted<string>): string => {
  const digest = known.get(apiKey) ?? Crypto.hash("sha256", Redacted.value(apiKey).toLowerCase(), "base64")
  known.set(apiKey, digest)
  return digest
}
