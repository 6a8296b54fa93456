/** Understands the text of a request's body: a JSON object, a form, or other text. */
import * as Schema from "effect/Schema"

const none: ReadonlyMap<string, unknown> = new Map()
const isRecord = Schema.is(Schema.Record(Schema.String, Schema.Unknown))

/** Returns own members in a map, so that `__proto__` in a body is an ordinary name. */
const members = (value: unknown): ReadonlyMap<string, unknown> =>
  isRecord(value) && !Array.isArray(value) ? new Map(Object.entries(value)) : none

/** Parses a form. A name with several values is a list, as in JSON; empty values next to others are ignored. */
const formMembers = (text: string): ReadonlyMap<string, unknown> => {
  const form = new URLSearchParams(text)
  return new Map(Array.from(new Set(form.keys()), (name) => {
    const values = Array.from(new Set(form.getAll(name))).filter((value) => value !== "")
    return [name, values.length > 1 ? values : values[0]]
  }))
}

const parseJson = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Unknown))

/** A body as it was understood. */
export interface BodyText {
  /** The members of a JSON object or of a form. */
  readonly members: ReadonlyMap<string, unknown>
  /** The text of a body that is neither. */
  readonly text?: string
  /** Says why a body that is not empty has no members, and what to send. */
  readonly fault?: string
}

const empty: BodyText = { members: none }

const formType = "application/x-www-form-urlencoded"

/** Returns the media type of a request's body without its parameters; empty if the request names none. */
export const mediaTypeOf = (contentType: string | undefined): string =>
  /^\s*([\w.+-]{1,40}\/[\w.+-]{1,40})/.exec(contentType ?? "")?.[1]?.toLowerCase() ?? ""

/** Returns true for text that is a form and nothing else: names and values without white space. */
const isForm = (text: string): boolean => /^[A-Za-z_][\w.-]*=[^\s&=]*(&[A-Za-z_][\w.-]*=[^\s&=]*)*$/.test(text)

const faultOf = (text: string, mediaType: string): string => {
  const sent = mediaType === "" ? "without a content type" : `of content type ${mediaType}`
  const reason = /^[[{]/.test(text)
    ? "it begins like JSON, and is not a JSON object"
    : "it is neither a JSON object nor a form"
  return `The body ${sent} was not read: ${reason}. Send a JSON object as application/json, or a form as ${formType}.`
}

/**
 * Understands a text by what it is, where that is certain: a JSON object whatever its content type (`curl -d` names a
 * form), a form that is sent as plain text or without a content type.
 */
export const read = (body: string, mediaType: string): BodyText => {
  // `trim` also removes a byte order mark.
  const text = body.trim()
  if (text === "") return empty
  const parsed = parseJson(text)
  if (parsed._tag === "Some" && isRecord(parsed.value) && !Array.isArray(parsed.value)) {
    return { members: members(parsed.value) }
  }
  const mayBeForm = mediaType === "" || mediaType === "text/plain" ? isForm(text) : mediaType === formType
  // A form without a value is a text: `curl -d long`.
  if (mayBeForm && text.includes("=") && !/^[[{]/.test(text)) return { members: formMembers(text) }
  const word = parsed._tag === "Some" && typeof parsed.value === "string" ? parsed.value : text
  return { members: none, text: word, fault: faultOf(text, mediaType) }
}
