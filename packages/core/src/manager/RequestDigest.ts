/**
 * Computes the digest of a request's parameters that a manager's signature covers: SHA-256 of their canonical form.
 * This is the JSON array of `[name, value]` pairs, sorted by name, of every given parameter except `signature`. Values
 * are encoded as the service writes them, with members of objects sorted. A secret is `sha256:` and the hex of its
 * SHA-256, so that signing does not require showing it.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as CanonicalJson from "../audit/CanonicalJson.ts"
import type { Hash } from "../chain/Address.ts"
import type { Described } from "../endpoint/Param.ts"

/** The canonical form of a secret. */
export const digestPattern = /^sha256:[0-9a-f]{64}$/

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
      if (!info.secret) pairs.push([name, CanonicalJson.sorted(Option.getOrElse(encode(value), () => value))])
      else if (typeof value === "string" && digestPattern.test(value)) pairs.push([name, value])
      else {pairs.push([
          name,
          `sha256:${yield* CanonicalJson.sha256(String(Option.getOrElse(encode(value), () => "")))}`
        ])}
    }
    pairs.sort(([one], [other]) => one < other ? -1 : 1)
    return `0x${yield* CanonicalJson.sha256(JSON.stringify(pairs))}` as const
  })
