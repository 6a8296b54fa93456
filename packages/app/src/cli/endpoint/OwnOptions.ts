/** The options that every endpoint's command has besides the endpoint's own. */
import type { CommandOption } from "../CommandTable.ts"

/** How long a write's outcome is awaited, in seconds, unless an option says otherwise. */
export const defaultWaitSeconds = 120

export const connectionOptions: ReadonlyArray<CommandOption> = [
  {
    name: "profile",
    param: "profile",
    type: "text",
    description: "Profile with the service's URL, the API key, and the default network and vault."
  },
  {
    name: "service-url",
    param: "service-url",
    type: "text",
    description: "URL of the service; by default VAULT_TRADER_URL, the profile's, or this machine's at PORT (8080)."
  },
  {
    name: "api-key-file",
    param: "api-key-file",
    type: "text",
    description:
      "File of mode 0600 with the API key; - is standard input. Otherwise VAULT_TRADER_API_KEY or the profile."
  },
  {
    name: "json",
    param: "json",
    type: "flag",
    description: "Print the answer as JSON, unboxed, and nothing else on standard output."
  },
  { name: "help", param: "help", type: "flag", description: "Show this help." }
]

/** Options of commands that move funds. */
export const writeOptions: ReadonlyArray<CommandOption> = [
  {
    name: "wait",
    param: "wait",
    type: "flag",
    description:
      "Wait for the outcome (the default); --no-wait returns the first answer, with exit code 3 if it is pending."
  },
  {
    name: "wait-seconds",
    param: "wait-seconds",
    type: "integer",
    description: `Longest time to wait for the outcome in seconds, ${defaultWaitSeconds} by default; then exit code 3.`
  }
]
