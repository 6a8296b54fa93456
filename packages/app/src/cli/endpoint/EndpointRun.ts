/** Runs the command of an endpoint, from its words to its exit code. */
import type { EndpointCommand } from "../CommandTable.ts"
import { exitCodes, Unusable } from "./ExitCode.ts"
import * as Invocation from "./Invocation.ts"
import * as OptionWords from "./OptionWords.ts"
import type { Terminal } from "./Terminal.ts"

/** `name` is the command as it was typed, `words` those after it. */
export const run = async (
  command: EndpointCommand,
  name: string,
  words: ReadonlyArray<string>,
  terminal: Terminal
): Promise<number> => {
  const parsed = OptionWords.parse(Invocation.optionsOf(command), words)
  if (parsed.given["help"] === true) {
    const { helpOf } = await import("./EndpointHelp.ts")
    terminal.out(helpOf(command))
    return exitCodes.success
  }
  let invocation
  try {
    invocation = await Invocation.interpret(command, parsed, terminal)
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    terminal.err(`${error.message}\nNothing was sent. Try vault-trader ${command.name} --help.\n`)
    return exitCodes.usage
  }
  if (command.kind !== "read" && invocation.filled !== undefined) terminal.err(`${invocation.filled}\n`)
  const { run: call } = await import("./EndpointCall.ts")
  return call(command, [name, ...words], invocation, terminal)
}
