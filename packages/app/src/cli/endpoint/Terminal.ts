/** The surroundings of a command: streams, environment, keyboard. Tests replace them. */
import type { Fetch } from "../../../../client/src/Transport.ts"
import { Unusable } from "./ExitCode.ts"

export interface Terminal {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  /** Writes to standard output. */
  readonly out: (text: string) => void
  /** Writes to standard error. */
  readonly err: (text: string) => void
  /** Columns of standard output; undefined when it is not a terminal. */
  readonly columns: number | undefined
  readonly colors: boolean
  /** Reads standard input to its end. */
  readonly readInput: () => Promise<string>
  /** Asks for a line that is not shown; undefined when standard input is not a terminal. */
  readonly askHidden: ((question: string) => Promise<string>) | undefined
  /** Calls `act` at the first Ctrl-C; the second one ends the process. Returns the function that stops it. */
  readonly onInterrupt: (act: () => void) => () => void
  readonly fetch?: Fetch
}

/** Maximum number of characters read from standard input. */
const maxInput = 1_000_000

const readInput = async (): Promise<string> => {
  let text = ""
  process.stdin.setEncoding("utf8")
  for await (const chunk of process.stdin) {
    text += String(chunk)
    if (text.length > maxInput) throw new Unusable("Standard input is too long.")
  }
  return text
}

/** Reads a line without showing it. */
const askHidden = (question: string): Promise<string> =>
  new Promise((resolve) => {
    const { stdin } = process
    let line = ""
    process.stderr.write(question)
    stdin.setRawMode(true).setEncoding("utf8").resume()
    const end = () => {
      stdin.off("data", read).setRawMode(false).pause()
      process.stderr.write("\n")
    }
    const read = (typed: string) => {
      for (const character of typed) {
        if (character === "\u0003") {
          end()
          process.exit(130)
        }
        if (character === "\r" || character === "\n" || character === "\u0004") {
          end()
          return resolve(line)
        }
        line = character === "\u007f" || character === "\b" ? line.slice(0, -1) : line + character
      }
    }
    stdin.on("data", read)
  })

/** Returns the surroundings of this process. */
export const ofProcess = (): Terminal => {
  const { env, stderr, stdin, stdout } = process
  return {
    env,
    platform: process.platform,
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    columns: stdout.isTTY ? stdout.columns : undefined,
    colors: stdout.isTTY && (env["NO_COLOR"] ?? "") === "" && env["TERM"] !== "dumb",
    readInput,
    askHidden: stdin.isTTY ? askHidden : undefined,
    onInterrupt: (act) => {
      process.once("SIGINT", act)
      return () => void process.off("SIGINT", act)
    }
  }
}
