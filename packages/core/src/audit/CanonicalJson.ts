/** The one text of a JSON value, whose digest different programs compute alike. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Sorts the members of every object in a JSON value, and leaves out members that are undefined. */
export const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
    ? Object.fromEntries(
      Object.entries(value).filter(([, member]) => member !== undefined).sort(([one], [other]) => one < other ? -1 : 1)
        .map(([name, member]) => [name, sorted(member)])
    )
    : value

/** Returns the text of a JSON value: members in the order of their names, no white space. */
export const textOf = (value: unknown): string => JSON.stringify(sorted(value))

/**
 * Computes the hex of the SHA-256 of a text's UTF-8. Web Crypto does it on another thread; the simulation, in which no
 * real time may pass, replaces it.
 */
export const Sha256 = Context.Reference<(text: string) => Effect.Effect<string>>("vault-trader/core/audit/Sha256", {
  defaultValue: () => (text) =>
    Effect.map(
      Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
      (hash) => Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("")
    )
})

/** Returns the hex of the SHA-256 of a text's UTF-8. */
export const sha256 = (text: string): Effect.Effect<string> => Effect.flatMap(Sha256, (digest) => digest(text))
