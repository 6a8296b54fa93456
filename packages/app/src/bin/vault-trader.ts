/** `vault-trader <command>`: the endpoints, the service, its devnet, the demo and the operator's commands. */
import { dispatch } from "../cli/Dispatch.ts"
import { ofProcess } from "../cli/endpoint/Terminal.ts"

const words = process.argv.slice(2)
/** Ends a caller's command whose reader, such as `head`, has closed the pipe. */
const closed = ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1)
process.stdout.on("error", closed)
const code = await dispatch(words, ofProcess())
if (code === undefined) {
  process.stdout.off("error", closed)
  // The operator's commands need Effect and the packages of the service, which take a second to load.
  const [{ run }, { execute }] = await Promise.all([import("../Command.ts"), import("../cli/VaultTrader.ts")])
  run(execute(words))
} else process.exitCode = code
