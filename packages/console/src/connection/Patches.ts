/** Applies the patches of a stream to what it sent before. */
import * as JsonPatch from "effect/JsonPatch"
import type * as Schema from "effect/Schema"

interface Sent {
  readonly data?: unknown
  readonly patch?: ReadonlyArray<unknown> | undefined
  readonly read_at?: number | undefined
}

/** A patch that does not fit what was sent before. */
export const lost = Symbol("lost")

/**
 * Returns a function that returns the data of each item of one stream in turn: undefined where it is that of the item
 * before. What a patch leaves unchanged stays the same object.
 */
export const applied = (): (item: Sent) => unknown => {
  let current: unknown
  return ({ data, patch, read_at }) => {
    if (patch === undefined) {
      if (read_at === undefined && data !== undefined) current = data
      return data
    }
    try {
      return current = JsonPatch.apply(patch as JsonPatch.JsonPatch, current as Schema.Json)
    } catch {
      return lost
    }
  }
}
