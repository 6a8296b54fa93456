/** Parses the words of a command line by its options. Every problem is collected, so that all are reported at once. */
import * as Fs from "node:fs"
import type { CommandOption } from "../CommandTable.ts"
import * as Suggestion from "./Suggestion.ts"

/** The value of an option as it is sent: text, `true` or `false`, a list of texts, or a JSON structure. */
export type Given = Readonly<Record<string, unknown>>

export interface Parsed {
  /** The values by the parameter's name in the API. */
  readonly given: Given
  /** Words that belong to no option. */
  readonly operands: ReadonlyArray<string>
  /** Sentences about what cannot be used. None of them repeats a word that may be a secret. */
  readonly problems: ReadonlyArray<string>
}

/** The options of a command: those with a value or a flag, and names that are refused with a sentence. */
export interface Options {
  readonly options: ReadonlyArray<CommandOption>
  /** The sentence for each refused name; its value is not read. */
  readonly refused: Readonly<Record<string, string>>
}

/** Returns the word in quotes; not one that may be a secret pasted into the wrong place. */
export const quoted = (word: string): string =>
  word.length > 24 || /[0-9a-f]{24}|[0-9a-f]{8}-[0-9a-f]{4}/i.test(word) ? "what was given" : `'${word}'`

const flags: Readonly<Record<string, boolean>> = { true: true, "1": true, false: false, "0": false }

/** A value that cannot be used, as the end of the sentence "--name …". */
class Problem extends Error {}

const accepted = ({ accepts, values }: CommandOption): string => accepts ?? `one of ${(values ?? []).join(", ")}`

/** Returns the accepted value in its own spelling. */
const oneOf = (option: CommandOption, text: string): string => {
  if (option.values === undefined) return text
  const found = option.values.find((each) => each.toLowerCase() === text.toLowerCase())
  if (found === undefined) throw new Problem(`must be ${accepted(option)}, not ${quoted(text)}`)
  return found
}

const parsedJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new Problem("is not JSON")
  }
}

/** Returns the text of a JSON option; `@file` is the content of a file. */
const jsonText = (text: string): string => {
  if (!text.startsWith("@")) return text
  try {
    return Fs.readFileSync(text.slice(1), "utf8")
  } catch {
    throw new Problem(`names a file that cannot be read`)
  }
}

const itemsOf = (option: CommandOption, text: string): ReadonlyArray<unknown> => {
  const items = text.trim().startsWith("[") ? parsedJson(text) : text.split(",").map((each) => each.trim())
  if (!Array.isArray(items)) throw new Problem("must be a list")
  return items.map((each: unknown) => typeof each === "string" ? oneOf(option, each) : each)
}

/** Returns the value of an option; `earlier` is the one that an earlier mention of a list gave. */
const valueOf = (option: CommandOption, text: string, earlier: unknown): unknown => {
  if (text === "") throw new Problem(`needs a value${option.accepts === undefined ? "" : `: ${option.accepts}`}`)
  switch (option.type) {
    case "list":
      return [...(Array.isArray(earlier) ? earlier as ReadonlyArray<unknown> : []), ...itemsOf(option, text)]
    case "json":
      return parsedJson(jsonText(text))
    case "integer":
    case "number":
      if (Number.isNaN(Number(text)) || (option.type === "integer" && !Number.isInteger(Number(text)))) {
        throw new Problem(`must be ${option.accepts ?? "a number"}, not ${quoted(text)}`)
      }
      return text
    default:
      return oneOf(option, text)
  }
}

/** Parses the words. A value may begin with one dash, never with two. */
export const parse = ({ options, refused }: Options, words: ReadonlyArray<string>): Parsed => {
  const byName = new Map(options.flatMap((option) => [[option.name, option], [option.param, option]] as const))
  const given: Record<string, unknown> = {}
  const operands: Array<string> = []
  const problems: Array<string> = []
  const left = [...words]
  const value = () => left[0] === undefined || left[0].startsWith("--") ? undefined : left.shift()

  /** Suggests the nearest option; for a secret the one that names its file. */
  const meant = (name: string) => {
    const near = Suggestion.nearest(name, [...byName.keys(), ...Object.keys(refused)])
    if (near === undefined) return "."
    return `; did you mean --${byName.has(near) ? near : `${byName.get(`${near}-file`)?.name ?? near}`}?`
  }

  const read = (option: CommandOption, inline: string | undefined) => {
    if (option.param in given && option.type !== "list") throw new Problem("is given more than once")
    if (option.type !== "flag") {
      given[option.param] = valueOf(option, inline ?? value() ?? "", given[option.param])
      return
    }
    const next = inline ?? (left[0] !== undefined && left[0].toLowerCase() in flags ? left.shift() : "true")
    const flag = flags[next?.toLowerCase() ?? ""]
    if (flag === undefined) throw new Problem(`is on or off: leave its value out, or give true or false`)
    given[option.param] = flag
  }

  const take = (name: string, inline: string | undefined) => {
    const option = byName.get(name)
    const negated = name.startsWith("no-") ? byName.get(name.slice(3)) : undefined
    if (option !== undefined) return read(option, inline)
    if (negated?.type === "flag" && inline === undefined) return read(negated, "false")
    // The value of an unknown option may be a secret: it is not reported as a word that is too many.
    if (inline === undefined) value()
    const reason = refused[name]
    if (reason !== undefined) throw new Problem(reason)
    const shown = name.length > 40 ? "with this name" : `--${name}`
    problems.push(`There is no option ${shown}${meant(name)}`)
  }

  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    if (word === "-h") word = "--help"
    const [, name, inline] = /^--([^=]+)(?:=([\s\S]*))?$/.exec(word) ?? []
    if (name === undefined) {
      operands.push(word)
      continue
    }
    try {
      take(name, inline)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      problems.push(`--${name} ${error.message}.`)
    }
  }
  return { given, operands, problems }
}
