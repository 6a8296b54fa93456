/** Applies the patches of a stream to what it sent before. */
import * as JsonPatch from "effect/JsonPatch"
import * as Result from "effect/Result"
import type * as Schema from "effect/Schema"

interface Sent {
  readonly data?: unknown
  readonly patch?: ReadonlyArray<unknown> | undefined
  readonly read_at?: number | undefined
}

/**
 * Returns a function that returns the data of each item of one stream in turn: as undefined where it is that of the item
 * before. It returns undefined for a patch that does not fit what was sent before. What a patch leaves unchanged stays
 * the same object.
 */
export const applied = (): (item: Sent) => { readonly data: unknown } | undefined => {
  let current: unknown
  return ({ data, patch, read_at }) => {
    if (patch === undefined) {
      if (read_at === undefined && data !== undefined) current = data
      return { data }
    }
    const next = Result.try(() => JsonPatch.apply(patch as JsonPatch.JsonPatch, current as Schema.Json))
    if (Result.isFailure(next)) return undefined
    current = next.success
    return { data: current }
  }
}
