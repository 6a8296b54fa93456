/** The commands and options of vault-trader for the completion of a shell, from the table that the commands run by. */
import type { CommandOption, CommandTable, EndpointCommand, OperatorCommand } from "../CommandTable.ts"
import * as Invocation from "../endpoint/Invocation.ts"
import { profileCommands, summary as profileSummary } from "../profile/ProfileCommand.ts"

export interface CompletedOption {
  readonly name: string
  readonly description: string
  readonly takesValue: boolean
  /** Words that are offered as its value. */
  readonly values: ReadonlyArray<string>
}

export interface CompletedCommand {
  /** All names of the command; the first one is offered. */
  readonly names: ReadonlyArray<string>
  readonly summary: string
  readonly options: ReadonlyArray<CompletedOption>
  readonly subcommands: ReadonlyArray<CompletedCommand>
}

/** The shells with a completion. */
export const shells = ["bash", "zsh", "fish"] as const
export type Shell = typeof shells[number]

/** Returns true for a word that a shell's list can hold without quotes. */
const isPlain = (word: string): boolean => /^[\w./-]+$/.test(word)

const firstSentence = (text: string): string => (/^.*?[.:;](?= |$)/.exec(text)?.[0] ?? text).replace(/[.:;]$/, "")

const optionOf = ({ description, name, type, values = [] }: CommandOption): CompletedOption => ({
  name,
  description: firstSentence(description),
  takesValue: type !== "flag",
  values: values.filter(isPlain)
})

const ofEndpoint = (command: EndpointCommand): CompletedCommand => ({
  names: [command.name, ...command.aliases, ...(command.endpoint === command.name ? [] : [command.endpoint])],
  summary: firstSentence(command.summary),
  options: Invocation.optionsOf(command).options.map(optionOf),
  subcommands: []
})

const ofOperator = ({ description, flags, name, subcommands }: OperatorCommand): CompletedCommand => ({
  names: [name],
  summary: firstSentence(description),
  options: [...flags, "help"].map((flag) => ({ name: flag, description: "", takesValue: false, values: [] })),
  subcommands: subcommands.map(ofOperator)
})

const profile: CompletedCommand = {
  names: ["profile"],
  summary: firstSentence(profileSummary),
  options: [],
  subcommands: Object.entries(profileCommands).map(([name, { options, summary }]) => ({
    names: [name],
    summary: firstSentence(summary),
    options: options.map(optionOf),
    subcommands: []
  }))
}

const completion: CompletedCommand = {
  names: ["completion"],
  summary: "Prints the completion of a shell",
  options: [],
  subcommands: shells.map((shell) => ({ names: [shell], summary: `For ${shell}`, options: [], subcommands: [] }))
}

/** Returns the networks that options take. */
const networksOf = ({ endpoints }: CommandTable): ReadonlyArray<string> =>
  endpoints.flatMap(({ options }) => options).find(({ name, values }) => name === "network" && values !== undefined)
    ?.values?.filter((name) => name !== "all") ?? []

/** Returns every command. The network names are offered for every option `--network`. */
export const completedCommands = (table: CommandTable): ReadonlyArray<CompletedCommand> => {
  const networks = networksOf(table)
  const withNetworks = (command: CompletedCommand): CompletedCommand => ({
    ...command,
    options: command.options.map((option) =>
      option.name === "network" && option.values.length === 0
        ? { ...option, takesValue: true, values: networks }
        : option
    ),
    subcommands: command.subcommands.map(withNetworks)
  })
  const operators = table.operator.flatMap(({ commands }) => commands.map(ofOperator))
  return [...operators, ...table.endpoints.map(ofEndpoint), profile, completion].map(withNetworks)
}
