/** Whether the process lives, whether it can do its work, and which version it is. */
import * as HttpLayerRouter from "@effect/platform/HttpLayerRouter"
import * as HttpServerResponse from "@effect/platform/HttpServerResponse"
import * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"

/** `commit` is "unknown" where the build does not say. */
export interface Version {
  readonly version: string
  readonly commit: string
}

export const layer = (version: Version) =>
  HttpLayerRouter.use((router) =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const ready = sql`select 1 from intents limit 1`.pipe(
        Effect.timeout("2 seconds"),
        Effect.as(HttpServerResponse.unsafeJson({ status: "ready" })),
        Effect.catchAllCause(() => Effect.succeed(HttpServerResponse.unsafeJson({ status: "not ready", reason: "database" }, { status: 503 })))
      )
      yield* router.add("GET", "/health/live", Effect.succeed(HttpServerResponse.unsafeJson({ status: "live" })))
      yield* router.add("GET", "/health/ready", ready)
      yield* router.add("GET", "/version", Effect.succeed(HttpServerResponse.unsafeJson({ ...version })))
    })
  )
