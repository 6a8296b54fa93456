/** The next step of a person at a shell after each failure of the service. */
import type { ErrorType, ValidationCode } from "@vault-trader/core/failure/Failure"
import * as NextSteps from "@vault-trader/core/failure/NextSteps"

const commands = {
  getGasBalance: "balance",
  poolComposition: "composition",
  getCapabilities: "capabilities",
  getGuardians: "get-guardians",
  getFollowers: "get-followers"
}

const nextSteps = NextSteps.nextSteps({
  correct: "Correct the option and run the command again.",
  plan: "Run the command again with --dry-run to see the new plan.",
  later: "Wait a moment and run the command again.",
  person: "Ask the operator of the service; running the command again does not help.",
  key: "Give a current API key that allows the request: vault-trader profile add NAME --replace stores it.",
  limit: "The key has a limit: its manager or the operator sets it.",
  read: (endpoint) => `vault-trader ${commands[endpoint]}`
})

const isKnown = (code: string): code is ValidationCode | ErrorType => Object.hasOwn(nextSteps, code)

/** Returns the next step after a failure, by its error type or its code. */
export const after = (errorType: string | null, code: string | null): string =>
  [errorType, code].map((each) => each !== null && isKnown(each) ? nextSteps[each] : undefined)
    .find((step) => step !== undefined) ?? "Read the message above."
