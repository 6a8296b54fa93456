/** A sentence with elements inside, as one message, so that a translation may order them otherwise. */
import { cloneElement, Fragment, type ReactElement, type ReactNode } from "react"
import { t } from "./Text.ts"

/** A part of the sentence inside an element, or the place of a value. */
const markup = /<(\d+)>(.*?)<\/\1>|\u0001(\w+)\u0001/s

const nodesOf = (
  text: string,
  parts: ReadonlyArray<ReactElement>,
  values: Readonly<Record<string, ReactNode>>
): ReadonlyArray<ReactNode> => {
  const match = markup.exec(text)
  if (match === null) return text === "" ? [] : [text]
  const [whole, index, inner = "", name = ""] = match
  const part = parts[Number(index)]
  const rest = text.slice(match.index + whole.length)
  const node = part === undefined
    ? <Fragment key={rest.length}>{index === undefined ? values[name] : nodesOf(inner, parts, values)}</Fragment>
    : cloneElement(part, { key: rest.length }, ...nodesOf(inner, parts, values))
  return [text.slice(0, match.index), node, ...nodesOf(rest, parts, values)]
}

/** Draws a message: `<0>…</0>` is inside the first of the parts, and `{name}` is the value of that name. */
export function T({ message, parts = [], values = {} }: {
  readonly message: string
  readonly parts?: ReadonlyArray<ReactElement>
  readonly values?: Readonly<Record<string, ReactNode>>
}) {
  // Numbers are given as they are, for plurals. A value's text is never read as markup.
  const places = Object.entries(values).map(([name, value]) =>
    [name, typeof value === "number" ? value : `\u0001${name}\u0001`] as const
  )
  return <>{nodesOf(t(message, Object.fromEntries(places)), parts, values)}</>
}
