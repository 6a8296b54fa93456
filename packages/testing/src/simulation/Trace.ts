/** The trace of a run: a running hash over all lines, and the lines themselves when they are kept. */
import { createHash } from "node:crypto"

export interface Trace {
  readonly add: (...words: ReadonlyArray<unknown>) => void
  /** Hash of all lines so far: two runs with the same digest were the same. */
  readonly digest: () => string
  /** Empty unless lines are kept. */
  readonly lines: ReadonlyArray<string>
}

export const make = (keepsLines: boolean): Trace => {
  const hash = createHash("sha256")
  const lines: Array<string> = []
  let unhashed = ""
  return {
    add: (...words) => {
      const line = words.join(" ")
      unhashed += `${line}\n`
      if (keepsLines) lines.push(line)
      if (unhashed.length < 65_536) return
      hash.update(unhashed)
      unhashed = ""
    },
    digest: () => hash.copy().update(unhashed).digest("hex"),
    lines
  }
}

/** Renders parameters as text, including the values JSON has no notation for. */
export const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => typeof part === "bigint" ? `${part}n` : part) ?? "undefined"

/** Returns the first line in which two traces differ, with the lines before it; `undefined` when they are the same. */
export const difference = (
  one: ReadonlyArray<string>,
  other: ReadonlyArray<string>,
  context = 3
): string | undefined => {
  const length = Math.max(one.length, other.length)
  for (let at = 0; at < length; at++) {
    if (one[at] === other[at]) continue
    const before = one.slice(Math.max(0, at - context), at).map((line) => `    ${line}`)
    return [`  line ${at + 1}:`, ...before, `  < ${one[at] ?? "(the end)"}`, `  > ${other[at] ?? "(the end)"}`].join(
      "\n"
    )
  }
  return undefined
}
