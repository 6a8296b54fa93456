/** Shortens the texts of a document for programs: each to its first sentence, long ones to their first clause. */
import { isObject } from "./ResponseSchema.ts"

/** A longer first sentence ends at its first colon or semicolon, if it has one. */
const maxText = 40

/** Returns the beginning of a text that says what something is. */
const briefText = (text: string): string => {
  const [sentence = ""] = text.split(/(?<=\.)\s/)
  const [clause = ""] = sentence.split(/[:;]\s/)
  return sentence.length > maxText ? clause : sentence
}

/** Returns the document with short texts, and without the examples of single parameters. */
export const brief = (value: unknown, key = ""): unknown => {
  if (Array.isArray(value)) return value.map((each) => brief(each))
  if (!isObject(value)) return value
  const isNamed = key === "properties" || key === "schemas" || key === "parameters"
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, each]): ReadonlyArray<readonly [string, unknown]> => {
      if (isNamed) return [[name, brief(each)]]
      const isText = (name === "description" || name === "summary") && typeof each === "string"
      if (isText) return [[name, briefText(each)]]
      const isExample = name === "examples" || (name === "example" && "in" in value)
      return isExample ? [] : name === "example" || name === "info" ? [[name, each]] : [[name, brief(each, name)]]
    })
  )
}
