/** What is wrong with a request, and which of several wrongs the caller is told: the order is the wire's, not luck. */
import { ValidationFailure, type ValidationCode } from "@vault-trader/core/failure/Failure"

export interface Refusal {
  readonly code: ValidationCode
  /** The parameter, and its place in the order beside its code: a missing one comes before everything. */
  readonly name: string
  readonly missing: boolean
  readonly message: string
}

/** Key lookup and the vault's existence are checked between the ranks they answer with. */
export const rankOfKey = 3
export const rankOfVault = 5
const order: ReadonlyArray<ValidationCode> = ["1000", "1001", "1002", "1003", "1004", "1005", "1007", "1008", "1009", "1010", "1006"]

/** Missing first, then by code in the wire's order. */
export const rank = ({ code, missing }: Pick<Refusal, "code" | "missing">): number => missing ? 0 : order.indexOf(code) + 1

/** The first refusal that ranks at or before `limit`, as the failure it answers with; all missing parameters are named at once. */
export const firstUpTo = (refusals: ReadonlyArray<Refusal>, limit: number): ValidationFailure | undefined => {
  const eligible = refusals.filter((refusal) => rank(refusal) <= limit).sort((a, b) => rank(a) - rank(b))
  const [first] = eligible
  if (first === undefined) return undefined
  if (!first.missing) return new ValidationFailure({ code: first.code, message: `${first.name}: ${first.message}` })
  const names = eligible.filter(({ missing }) => missing).map(({ name }) => name)
  return new ValidationFailure({
    code: "1010",
    message: `Missing required parameter${names.length > 1 ? "s" : ""}: ${names.join(", ")}`
  })
}
