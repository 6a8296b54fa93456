/** The configured origins of the service. Managers' signatures are bound to the first. */
import type { Hash } from "@vault-trader/core/chain/Address"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

export class Origin extends Context.Service<Origin, {
  /** All origins, `https://host[:port]`; empty if none is configured. */
  readonly urls: ReadonlyArray<string>
  /** SHA-256 of the first; null if none is configured. */
  readonly salt: Hash | null
}>()("vault-trader/server/wire/Origin") {
  static readonly layer = (urls: ReadonlyArray<string>): Layer.Layer<Origin> => {
    const [url] = urls
    return Layer.effect(
      Origin,
      url === undefined
        ? Effect.succeed({ urls, salt: null })
        : Effect.map(Effect.promise(() => crypto.subtle.digest("SHA-256", new TextEncoder().encode(url))), (hash) => ({
          urls,
          salt: `0x${Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, "0")).join("")}` as const
        }))
    )
  }
}
