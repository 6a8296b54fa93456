/** The last look at text before it leaves the process for a log or a collector. Secrets are redacted by type long before; this is the net under it. */

/** Longer than a hash: calldata, signatures, signed transactions. Their beginning is enough to recognise them by. */
const longHex = /0x[0-9a-f]{65,}/gi
/** Hashes are written with 0x; 32 bytes without it are how keys are written here. */
const bareHex = /(?<![0-9a-fx])[0-9a-f]{64,}/gi

/** Shorter ones are words; replacing them would garble what is said. */
const leastSecret = 6

/** Keys look like this, names of networks and databases do not. */
const looksLikeKey = (part: string) => part.length >= 24 || (part.length >= 12 && /\d/.test(part))

/** What of a node's URL lets somebody in: credentials, and what looks like a key in path and query. */
export const secretsOfNode = (url: string): ReadonlyArray<string> => {
  if (!URL.canParse(url)) return []
  const { password, pathname, searchParams, username } = new URL(url)
  return [password, ...[...pathname.split("/"), ...searchParams.values(), username].filter(looksLikeKey)]
}

/** What of a database's URL lets somebody in. */
export const secretsOfDatabase = (url: string): ReadonlyArray<string> =>
  URL.canParse(url) ? [new URL(url).password, new URL(url).searchParams.get("password") ?? ""] : []

/** Takes out what is configured as secret, word for word, and what looks like a key or a signed transaction. */
export const make = (secrets: ReadonlyArray<string>): (text: string) => string => {
  const words = secrets.filter((secret) => secret.length >= leastSecret)
    // As they are, as JSON writes them, and as a URL does.
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  const longestFirst = [...new Set(words)].sort((a, b) => b.length - a.length)
  return (text) =>
    longestFirst.reduce((rest, word) => rest.replaceAll(word, "<redacted>"), text)
      .replace(longHex, (hex) => `${hex.slice(0, 10)}…`)
      .replace(bareHex, "<redacted>")
}
