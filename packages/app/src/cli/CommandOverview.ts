/** `vault-trader --help`: every command by group. */
import type { CommandTable } from "./CommandTable.ts"
import { summary as profileSummary } from "./profile/ProfileCommand.ts"

const firstSentence = (text: string): string => /^.*?\.(?= |$)/.exec(text)?.[0] ?? text

/** Commands of this module's own, which are neither endpoints nor the operator's. */
const callers = [
  { name: "profile", description: profileSummary },
  { name: "completion", description: "Prints the completion of a shell: bash, zsh or fish." }
]

/** Returns the text. */
export const overviewOf = ({ endpoints, operator }: CommandTable): string => {
  const titles = [...new Set(endpoints.map(({ group }) => group))]
  const groups = [
    ...operator,
    { group: "Callers", commands: callers },
    ...titles.map((group) => ({
      group,
      commands: endpoints.filter((each) => each.group === group).map(({ aliases, name, summary }) => ({
        name: [name, ...aliases].join(", "),
        description: summary
      }))
    }))
  ]
  const column = Math.max(...groups.flatMap(({ commands }) => commands.map(({ name }) => name.length)))
  const sections = groups.map(({ commands, group }) =>
    `\n${group.toUpperCase()}\n${
      commands.map(({ description, name }) => `  ${name.padEnd(column)}  ${firstSentence(description)}\n`).join("")
    }`
  )
  return [
    "Trades managed on-chain vaults over HTTP. Every endpoint of the service is a command.\n",
    "\nUSAGE\n  vault-trader <command> [options]\n  vault-trader <command> --help\n",
    ...sections,
    "\nThe operator's commands take the service that DATA_DIR (.data) names; the others call the one of a profile,\n" +
    "of VAULT_TRADER_URL, or of this machine. docs/cli.md describes profiles, output and exit codes.\n"
  ].join("")
}
