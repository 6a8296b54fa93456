/**
 * Compiles a message for Lingui's formatter: texts, `{name}` and plurals, which is all that the console's messages use.
 * Lingui's own compiler, which knows all of ICU, would be 6 kB of every page; a test holds that both agree.
 */
import type { I18n } from "@lingui/core"

export type Compiled = ReturnType<Parameters<I18n["setMessagesCompiler"]>[0]>

/** Splits the text of a plural's case at its number signs. */
const caseOf = (text: string): Array<string> => text.split(/(#)/).filter((part) => part !== "")

const placeholder = /\{\s*(\w+)\s*(?:,\s*plural\s*,\s*((?:=?\w+\s*\{[^{}]*\}\s*)+))?\}/g

export const compileMessage = (message: string): Compiled => {
  const compiled: Array<Compiled[number]> = []
  let end = 0
  for (const { 0: whole, 1: name = "", 2: cases, index } of message.matchAll(placeholder)) {
    if (index > end) compiled.push(message.slice(end, index))
    end = index + whole.length
    compiled.push(
      cases === undefined ? [name] : [
        name,
        "plural",
        Object.fromEntries(
          [...cases.matchAll(/=?(\w+)\s*\{([^{}]*)\}/g)].map(([, key = "", text = ""]) => [key, caseOf(text)])
        )
      ]
    )
  }
  if (end < message.length || end === 0) compiled.push(message.slice(end))
  return compiled
}
