/**
 * Puts components that are referred to once in the place of the reference: a name that nothing shares is longer than
 * what it saves.
 */
import { isObject, type Json } from "./ResponseSchema.ts"

const refOf = (value: unknown): string | undefined =>
  isObject(value) && typeof value["$ref"] === "string" && Object.keys(value).length === 1 ? value["$ref"] : undefined

/** Counts each reference in a part of the document. */
const count = (value: unknown, counts: Map<string, number>): void => {
  if (Array.isArray(value)) value.forEach((each) => count(each, counts))
  if (!isObject(value)) return
  const ref = refOf(value)
  if (ref !== undefined) counts.set(ref, (counts.get(ref) ?? 0) + 1)
  Object.values(value).forEach((each) => count(each, counts))
}

const mapObject = (value: Json, change: (each: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(each)]))

/** Returns the document with each component that is referred to once in the place of the reference. */
export const inlined = (document: Json): Json => {
  const counts = new Map<string, number>()
  count(document, counts)
  const components = document["components"] as Readonly<Record<string, Json>>
  const moved = new Set<string>()
  /** Returns the component that a reference names, if nothing else does. */
  const onlyUse = (ref: string): Json | undefined => {
    const [, , kind = "", name = ""] = ref.split("/")
    const content = counts.get(ref) === 1 ? components[kind]?.[name] : undefined
    if (!isObject(content)) return undefined
    moved.add(ref)
    return content
  }
  const visit = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(visit)
    if (!isObject(value)) return value
    const ref = refOf(value)
    return mapObject((ref === undefined ? undefined : onlyUse(ref)) ?? value, visit)
  }
  const paths = visit(document["paths"])
  const kept = mapObject(components, visit) as Readonly<Record<string, Json>>
  const remaining = (kind: string, values: Json): Json =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !moved.has(`#/components/${kind}/${name}`)))
  return {
    ...document,
    paths,
    components: Object.fromEntries(
      Object.entries(kept).map(([kind, values]) => [kind, remaining(kind, values)] as const)
        .filter(([, values]) => Object.keys(values).length > 0)
    )
  }
}
