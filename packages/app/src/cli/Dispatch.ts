/** Finds the command that the words name, and runs it. Only the operator's commands load Effect. */
import * as CommandTable from "./CommandTable.ts"
import { exitCodes } from "./endpoint/ExitCode.ts"
import { quoted } from "./endpoint/OptionWords.ts"
import { hint } from "./endpoint/Suggestion.ts"
import type { Terminal } from "./endpoint/Terminal.ts"

const completion = async (words: ReadonlyArray<string>, table: CommandTable.CommandTable, terminal: Terminal) => {
  const { completedCommands, shells } = await import("./completion/CompletionTable.ts")
  const { scriptOf } = await import("./completion/CompletionScript.ts")
  const shell = shells.find((each) => each === words[0])
  if (words.length === 1 && (words[0] === "--help" || words[0] === "-h")) {
    terminal.out(
      `Prints the completion of a shell.\n\nUSAGE\n  vault-trader completion ${shells.join("|")}\n\nEXAMPLES\n` +
        "  source <(vault-trader completion bash)\n  source <(vault-trader completion zsh)\n" +
        "  vault-trader completion fish | source\n"
    )
    return exitCodes.success
  }
  if (shell === undefined || words.length > 1) {
    terminal.err(`completion takes one shell: ${shells.join(", ")}.\nTry vault-trader completion --help.\n`)
    return exitCodes.usage
  }
  terminal.out(scriptOf(shell, completedCommands(table)))
  return exitCodes.success
}

const unknown = (name: string, table: CommandTable.CommandTable, terminal: Terminal): number => {
  const names = [
    ...CommandTable.operatorCommands(table).map((each) => each.name),
    ...table.endpoints.flatMap((each) => [each.name, ...each.aliases]),
    ...["profile", "completion", "help"]
  ]
  terminal.err(`There is no command ${quoted(name)}${hint(name, names)} Try npx vault-trader --help.\n`)
  return exitCodes.usage
}

/** Resolves with the exit code; undefined for a command of the operator, which Effect runs. */
export const dispatch = async (words: ReadonlyArray<string>, terminal: Terminal): Promise<number | undefined> => {
  const [first = "--help", ...rest] = words
  const table = CommandTable.read()
  if (first === "help" && rest.length > 0) {
    return rest[0] === "help" ? dispatch([], terminal) : dispatch([...rest, "--help"], terminal)
  }
  if (first === "--help" || first === "-h" || first === "help") {
    const { overviewOf } = await import("./CommandOverview.ts")
    terminal.out(overviewOf(table))
    return exitCodes.success
  }
  if (first === "--version") {
    terminal.out(`${(await import("../ServiceVersion.ts")).version.version}\n`)
    return exitCodes.success
  }
  if (first === "profile") return (await import("./profile/ProfileCommand.ts")).run(rest, terminal)
  if (first === "completion") return completion(rest, table, terminal)
  const command = CommandTable.endpointCommand(table, first)
  if (command !== undefined) return (await import("./endpoint/EndpointRun.ts")).run(command, first, rest, terminal)
  if (first.startsWith("-") || CommandTable.operatorCommands(table).some(({ name }) => name === first)) return undefined
  return unknown(first, table, terminal)
}
