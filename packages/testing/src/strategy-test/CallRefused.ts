/** The failure of a call to the service, and the reader of the service's bodies. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

export type Body = Readonly<Record<string, unknown>>

/** The service refused a call or failed to carry it out. */
export class CallRefused extends Data.TaggedError("CallRefused")<{
  readonly httpStatus: number
  /** The body's `status_code`; undefined when there is none, as for an unknown path. */
  readonly code: string | undefined
  /** The body's `error_type`; undefined when the request was not accepted. */
  readonly errorType: string | undefined
  readonly message: string
}> {}

/** A response before its body is parsed. */
export interface Response {
  readonly status: number
  readonly text: string
}

const parse = (text: string): Body | undefined => {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value as Body : undefined
  } catch {
    return undefined
  }
}

/** Returns the fields of a body. A success has each field in a one-element array, which is unwrapped. */
const fieldsOf = (body: Body): Body => {
  const entries = Object.entries(body)
  return entries.every(([, value]) => Array.isArray(value) && value.length === 1)
    ? Object.fromEntries(entries.map(([name, value]) => [name, (value as ReadonlyArray<unknown>)[0]]))
    : body
}

const textOf = (value: unknown): string | undefined => typeof value === "string" ? value : undefined

/** Returns the fields of a response, or fails when it is a refusal or no JSON object. */
export const fieldsOrRefused = ({ status: httpStatus, text }: Response): Effect.Effect<Body, CallRefused> => {
  const body = parse(text)
  const fields = body === undefined ? {} : fieldsOf(body)
  if (body !== undefined && fields["status"] !== "fail") return Effect.succeed(fields)
  return Effect.fail(
    new CallRefused({
      httpStatus,
      code: textOf(fields["status_code"]),
      errorType: textOf(fields["error_type"]),
      message: textOf(fields["message"]) ?? text
    })
  )
}
