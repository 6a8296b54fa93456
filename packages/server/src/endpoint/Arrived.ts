/** A request to one endpoint, and the function that answers it, whichever listener it came from. */
import type * as Effect from "effect/Effect"
import type * as HttpServerResponse from "effect/http/HttpServerResponse"
import type { Readable } from "node:stream"
import type { RequestHead } from "../wire/RequestHead.ts"

/** A request to an endpoint, as its listener read it. */
export interface Arrived {
  readonly head: RequestHead
  /** Values of the path's segments, by parameter name. */
  readonly path: Readonly<Record<string, string | undefined>>
  /** The stream of the body; it is not read where the head says that there is none. */
  readonly incoming: Readable
}

/** Answers a request to one endpoint. */
export type Answer = (request: Arrived) => Effect.Effect<HttpServerResponse.HttpServerResponse>
