/** The table of commands of a build: without those that need the devnet. */
import { localGroup } from "@vault-trader/app/cli/LocalGroup"
import type { CommandTable } from "@vault-trader/app/cli/CommandTable"

/** Returns the table without the commands that a build does not have. */
export const ofBuild = (table: CommandTable): CommandTable => ({
  ...table,
  operator: table.operator.filter(({ group }) => group !== localGroup)
})
