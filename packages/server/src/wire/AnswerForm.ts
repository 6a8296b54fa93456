/** Chooses the form of an endpoint's answer by the caller's `Accept` header: with boxes, or without. */
import * as MediaType from "@vault-trader/core/introspection/MediaType"
import * as Preference from "./Preference.ts"

/** The form of an answer's top-level fields: each in a one-element array, or plain. */
export type AnswerForm = "boxed" | "unboxed"

/** The media types that endpoints answer with. */
export const accepted = `${MediaType.boxed}, ${MediaType.unboxed}`

const anyType = ["*/*", "application/*"]
const formOf = (type: string): AnswerForm | undefined =>
  type === MediaType.unboxed
    ? "unboxed"
    : type === MediaType.boxed || anyType.includes(type)
    ? "boxed"
    : undefined

/**
 * Returns the form that the caller prefers: the higher quality wins, then a type that is named over `*`, then the first.
 * Boxed is the default, also for types that are not offered; `undefined` if the caller only accepts versions of the
 * service's own type that do not exist.
 */
export const preferred = (accept: string | undefined): AnswerForm | undefined => {
  if (accept === undefined || accept === "*/*") return "boxed"
  const ranges = Preference.parse(accept).filter(({ quality }) => quality > 0)
  const known = ranges.filter(({ name }) => formOf(name) !== undefined)
    .sort((one, other) =>
      other.quality - one.quality || Number(anyType.includes(one.name)) - Number(anyType.includes(other.name))
    )
  const [first] = known
  if (first !== undefined) return formOf(first.name)
  return ranges.some(({ name }) => name.startsWith("application/vnd.vault-trader.")) ? undefined : "boxed"
}
