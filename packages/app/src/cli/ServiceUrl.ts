/** The URL of a service. Over plain HTTP a key is sent to this machine only. */

const loopback: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"])

/** Completes the sentence "it must be …". */
export const accepted = "an https URL without a path, or http on this machine"

/** Returns the origin of the URL; undefined when the URL cannot be used. */
export const parse = (text: string): string | undefined => {
  const url = URL.parse(text)
  if (url === null || url.username !== "" || url.password !== "" || url.pathname !== "/" || url.search !== "") {
    return undefined
  }
  return url.protocol === "https:" || (url.protocol === "http:" && loopback.has(url.hostname)) ? url.origin : undefined
}
