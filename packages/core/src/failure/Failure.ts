/**
 * Every way a request can be refused or fail, with the codes callers see. A single table maps failures to wire codes.
 */
import * as Schema from "effect/Schema"
import { executionCodes, type ValidationCode, validationCodes } from "./FailureCodes.ts"

export { executionCodes, validationCodes }
export type { ValidationCode }

const validationCodeList = Object.keys(validationCodes) as [ValidationCode, ...Array<ValidationCode>]

export type ErrorType = keyof typeof executionCodes
export const ErrorType = Schema.Literals(Object.keys(executionCodes) as [ErrorType, ...Array<ErrorType>])

/** A request that was refused before anything happened: HTTP 200, code 1000–1010. */
export class ValidationFailure extends Schema.TaggedError<ValidationFailure>()("ValidationFailure", {
  code: Schema.Literals(validationCodeList),
  message: Schema.String,
  /**
   * The asset it is about, as the caller named it. The vault's actor sets it, because it does not know the parameter's
   * name; admission adds that name to the message. No response contains this field.
   */
  asset: Schema.optional(Schema.String)
}) {}

/** An admitted request that could not be executed: HTTP 400, code 2xxx. Final: a failed request can never be mined. */
export class ExecutionFailure extends Schema.TaggedError<ExecutionFailure>()("ExecutionFailure", {
  errorType: ErrorType,
  message: Schema.String,
  intentId: Schema.optional(Schema.String),
  txHash: Schema.optional(Schema.String)
}) {}

/** Either failure, as declared by endpoints and actors. */
export const Failure = Schema.Union([ValidationFailure, ExecutionFailure])
export type Failure = typeof Failure.Type
