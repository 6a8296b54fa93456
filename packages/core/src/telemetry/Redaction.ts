/**
 * Redacts text before it leaves the process for a log or a collector. A second defense: secrets are already redacted by
 * their types.
 */

/**
 * Hex longer than a hash: calldata, signatures, signed transactions. Their first digits are enough to recognize them.
 */
const longHex = /0x[0-9a-f]{65,}/gi
/** 32 bytes or more without 0x, which is how keys are written here; hashes have 0x. */
const bareHex = /(?<![0-9a-fx])[0-9a-f]{64,}/gi

/** Minimum length of a secret. Shorter ones could be words, and replacing them would garble the text. */
const minSecretLength = 6

/** Checks whether a part of a URL looks like a key and not like the name of a network or database. */
const looksLikeKey = (part: string) => part.length >= 24 || (part.length >= 12 && /\d/.test(part))

/** Returns the secrets of a node's URL: credentials, and parts of path and query that look like keys. */
export const secretsOfNode = (url: string): ReadonlyArray<string> => {
  if (!URL.canParse(url)) return []
  const { password, pathname, searchParams, username } = new URL(url)
  return [password, ...[...pathname.split("/"), ...searchParams.values(), username].filter(looksLikeKey)]
}

/** Returns the passwords of a database's URL. */
export const secretsOfDatabase = (url: string): ReadonlyArray<string> =>
  URL.canParse(url) ? [new URL(url).password, new URL(url).searchParams.get("password") ?? ""] : []

/** Builds a function that removes the configured secrets, and hex that looks like a key or a signed transaction. */
export const make = (secrets: ReadonlyArray<string>): (text: string) => string => {
  const words = secrets.filter((secret) => secret.length >= minSecretLength)
    // Each secret verbatim, JSON-escaped and URL-encoded.
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  const longestFirst = [...new Set(words)].sort((a, b) => b.length - a.length)
  return (text) =>
    longestFirst.reduce((rest, word) => rest.replaceAll(word, "<redacted>"), text)
      .replace(longHex, (hex) => `${hex.slice(0, 10)}…`)
      .replace(bareHex, "<redacted>")
}
