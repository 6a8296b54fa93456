/** Errors of a request, and which of several is reported: the wire format defines the order. */
import { ValidationFailure, type ValidationCode } from "@vault-trader/core/failure/Failure"

export interface Refusal {
  readonly code: ValidationCode
  /** The parameter. A missing one is reported before all other errors. */
  readonly name: string
  readonly missing: boolean
  readonly message: string
}

/** Ranks of the key lookup's and the vault check's errors; both checks run between the others in this order. */
export const rankOfKey = 3
export const rankOfVault = 5
const order: ReadonlyArray<ValidationCode> = [
  "1000",
  "1001",
  "1002",
  "1003",
  "1004",
  "1005",
  "1007",
  "1008",
  "1009",
  "1010",
  "1006"
]

/** Returns a refusal's rank: missing parameters first, then by code in the wire's order. */
export const rank = ({ code, missing }: Pick<Refusal, "code" | "missing">): number =>
  missing ? 0 : order.indexOf(code) + 1

/** The error of a request that is reported. */
interface Reported {
  readonly code: ValidationCode
  readonly message: string
  /** True when it is about missing parameters; the message then names all of them at once. */
  readonly missing: boolean
}

/** Returns the refusal up to rank `limit` that is reported. */
export const reported = (refusals: ReadonlyArray<Refusal>, limit: number): Reported | undefined => {
  const eligible = refusals.filter((refusal) => rank(refusal) <= limit).sort((a, b) => rank(a) - rank(b))
  const [first] = eligible
  if (first === undefined) return undefined
  if (!first.missing) return { code: first.code, message: `${first.name}: ${first.message}`, missing: false }
  const names = eligible.filter(({ missing }) => missing).map(({ name }) => name)
  return {
    code: "1010",
    message: `Missing required parameter${names.length > 1 ? "s" : ""}: ${names.join(", ")}`,
    missing: true
  }
}

/** Returns the first refusal up to rank `limit` as a failure. It names all missing parameters at once. */
export const firstUpTo = (refusals: ReadonlyArray<Refusal>, limit: number): ValidationFailure | undefined => {
  const first = reported(refusals, limit)
  return first === undefined ? undefined : new ValidationFailure({ code: first.code, message: first.message })
}
