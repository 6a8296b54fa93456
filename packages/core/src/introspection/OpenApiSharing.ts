/** Gives what a document repeats one name: schemas in several places, and answers that several operations have. */
import { pascal } from "./OpenApiComponents.ts"
import { isObject, type Json } from "./ResponseSchema.ts"

/** Characters of a reference to a component. */
const refLength = 46
/** Characters that a component has to save. */
const minSaved = 40

type Kind = "schemas" | "responses"

interface Use {
  readonly kind: Kind
  readonly name: string
  count: number
}

/** Members of operations and schemas that do not name what is in them. */
const unnamed =
  /^(items|anyOf|oneOf|allOf|schema|content|properties|responses|requestBody|parameters|get|post|\W.*|\d+)$/

const isSchema = (value: Json): boolean => ["type", "anyOf", "oneOf", "allOf"].some((key) => key in value)

/** Returns the kind of a value that may become a component; undefined for everything else. */
const kindOf = (value: Json, key: string): Kind | undefined =>
  "$ref" in value ? undefined : key === "200" ? "responses" : isSchema(value) ? "schemas" : undefined

/** Returns the document with `change` applied to every object, from the outermost on. */
const mapped = (
  value: unknown,
  change: (value: Json, key: string, name: string) => Json,
  key = "",
  name = ""
): unknown => {
  if (Array.isArray(value)) return value.map((each) => mapped(each, change, key, name))
  if (!isObject(value)) return value
  // The properties of an object are no schema, whatever their names.
  const changed = key === "properties" ? value : change(value, key, name)
  const { operationId } = changed
  return Object.fromEntries(
    Object.entries(changed).map(([member, each]) => {
      const own = typeof operationId === "string" ? operationId : unnamed.test(member) ? name : member
      return [member, mapped(each, change, member, own)]
    })
  )
}

/** Finds the contents that are worth a component, with the name of the first place that has each. */
const repeated = (document: Json): ReadonlyMap<string, Use> => {
  const uses = new Map<string, Use>()
  mapped(document, (value, key, name) => {
    const kind = kindOf(value, key)
    if (kind === undefined) return value
    const content = JSON.stringify(value)
    const use = uses.get(content) ?? { kind, name, count: 0 }
    use.count++
    uses.set(content, use)
    return value
  })
  const saved = (content: string, { count }: Use) => (count - 1) * content.length - count * refLength
  return new Map([...uses].filter(([content, use]) => use.count > 1 && saved(content, use) > minSaved))
}

/** Returns the document with a component for each repeated content. */
export const shared = (document: Json): Json => {
  const uses = repeated({ paths: document["paths"], components: document["components"] })
  const components = document["components"] as Readonly<Record<string, Readonly<Record<string, unknown>>>>
  const names = new Map<string, string>()
  const taken = new Set(
    Object.entries(components).flatMap(([kind, each]) => Object.keys(each).map((name) => kind + name))
  )
  for (const [content, { kind, name }] of uses) {
    let index = 1
    const free = () => `${pascal(name)}${index === 1 ? "" : index}`
    while (taken.has(kind + free())) index++
    taken.add(kind + free())
    names.set(content, free())
  }
  const refer = (value: Json, key: string): Json => {
    const name = kindOf(value, key) === undefined ? undefined : names.get(JSON.stringify(value))
    return name === undefined ? value : { $ref: `#/components/${kindOf(value, key)}/${name}` }
  }
  /** Returns a component's content, in which other components may be referred to. */
  const inside = (content: string): unknown => {
    const whole = JSON.parse(content) as Json
    return mapped(whole, (value, key) => value === whole ? value : refer(value, key))
  }
  const added = (kind: Kind) =>
    Object.fromEntries(
      [...uses].flatMap(([content, use]) => use.kind === kind ? [[names.get(content) ?? "", inside(content)]] : [])
    )
  const rest = mapped({ paths: document["paths"], components }, refer) as Readonly<Record<string, Json>>
  const old = rest["components"] as Readonly<Record<string, Json>>
  return {
    ...document,
    paths: rest["paths"],
    components: {
      ...old,
      responses: { ...old["responses"], ...added("responses") },
      schemas: { ...old["schemas"], ...added("schemas") }
    }
  }
}
