/** A terminal that records what a command prints, and whose service answers from a list. */
import { fakeService, type Reply } from "../../../client/test/FakeService.ts"
import { dispatch } from "../../src/cli/Dispatch.ts"
import type { Terminal } from "../../src/cli/endpoint/Terminal.ts"

export const apiKey = "11111111-2222-4333-8444-555555555555"

interface Situation {
  readonly env?: Readonly<Record<string, string>>
  readonly replies?: ReadonlyArray<Reply>
  readonly input?: string
  /** The line that is typed where it is not shown; without it there is no keyboard. */
  readonly typed?: string
  readonly columns?: number
  readonly colors?: boolean
  readonly platform?: NodeJS.Platform
}

/** Runs a command line, and returns its exit code, its output and the requests that the service received. */
export const ran = async (words: ReadonlyArray<string>, situation: Situation = {}) => {
  const { colors = false, columns, env = {}, input = "", platform = "linux", replies = [], typed } = situation
  const { fetch, sent } = fakeService(...replies)
  const said = { stdout: "", stderr: "" }
  const interrupts: Array<() => void> = []
  const terminal: Terminal = {
    env: { XDG_CONFIG_HOME: "/nonexistent", ...env },
    platform,
    out: (text) => {
      said.stdout += text
    },
    err: (text) => {
      said.stderr += text
    },
    columns,
    colors,
    readInput: async () => input,
    askHidden: typed === undefined ? undefined : async () => typed,
    onInterrupt: (act) => {
      interrupts.push(act)
      return () => {}
    },
    fetch
  }
  const code = dispatch(words, terminal)
  return {
    said,
    sent,
    /** Presses Ctrl-C. */
    interrupt: () => {
      for (const act of interrupts) act()
    },
    ended: code.then((exit) => ({ code: exit, ...said, sent }))
  }
}

/** Runs a command line to its end. */
export const finished = async (words: ReadonlyArray<string>, situation: Situation = {}) =>
  (await ran(words, situation)).ended
