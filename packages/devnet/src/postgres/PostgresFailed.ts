/** The one failure of everything the embedded database does to files and processes, and the way to raise it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The embedded database could not be brought up or used; `detail` is what the system or PostgreSQL said. */
export class PostgresFailed extends Schema.TaggedError<PostgresFailed>()("PostgresFailed", {
  doing: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `The embedded PostgreSQL could not ${this.doing}: ${this.detail} (set DATABASE_URL to use a PostgreSQL of your own).`
  }

  /** For `mapError`: keeps the foreign error's own words. */
  static readonly because = (doing: string) => (cause: unknown): PostgresFailed =>
    new PostgresFailed({ doing, detail: words(cause) })
}

/** Runs a promise whose rejection means `could not <doing>`. */
export const attempt = <A>(doing: string, run: () => Promise<A>): Effect.Effect<A, PostgresFailed> =>
  Effect.tryPromise({ try: run, catch: PostgresFailed.because(doing) })

/** Innermost message: drivers wrap the sentence that matters. */
const words = (cause: unknown): string =>
  cause instanceof Error ? (cause.cause === undefined ? cause.message : words(cause.cause)) : String(cause)
