/** `vault-trader <command>`: the service, its devnet, the demo and the operator's commands. */
import { run } from "../Command.ts"
import { execute } from "../cli/VaultTrader.ts"

run(execute(process.argv.slice(2)))
