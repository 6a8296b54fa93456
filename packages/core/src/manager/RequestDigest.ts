/**
 * Computes the digest of a request's parameters that a manager's signature covers: SHA-256 of their canonical form.
 * This is the JSON array of `[name, value]` pairs, sorted by name, of every given parameter except `signature`. Values
 * are encoded as the service writes them, with members of objects sorted. A secret is `sha256:` and the hex of its
 * SHA-256, so that signing does not require showing it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Hash } from "../chain/Address.ts"
import type { Described } from "../endpoint/Param.ts"

/** The canonical form of a secret. */
export const digestPattern = /^sha256:[0-9a-f]{64}$/

/** Returns the SHA-256 of a text, as hex characters. */
export const sha256 = (text: string): Effect.Effect<string> =>
  Effect.map(
    Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))),
    (hash) => Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("")
  )

/** Sorts the members of every object in a JSON value. */
export const sorted = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(sorted)
    : typeof value === "object" && value !== null
    ? Object.fromEntries(
      Object.entries(value).filter(([, member]) => member !== undefined).sort(([one], [other]) => one < other ? -1 : 1)
        .map(([name, member]) => [name, sorted(member)])
    )
    : value

/** Returns the digest of an endpoint's parameters. `params` are decoded values or, for secrets, their digests. */
export const of = (
  described: ReadonlyArray<Described>,
  params: Readonly<Record<string, unknown>>
): Effect.Effect<Hash> =>
  Effect.gen(function*() {
    const pairs: Array<readonly [string, unknown]> = []
    for (const { encode, info, name } of described) {
      const value = params[name]
      if (name === "signature" || value === undefined) continue
      if (!info.secret) pairs.push([name, sorted(Option.getOrElse(encode(value), () => value))])
      else if (typeof value === "string" && digestPattern.test(value)) pairs.push([name, value])
      else pairs.push([name, `sha256:${yield* sha256(String(Option.getOrElse(encode(value), () => "")))}`])
    }
    pairs.sort(([one], [other]) => one < other ? -1 : 1)
    return `0x${yield* sha256(JSON.stringify(pairs))}` as const
  })
