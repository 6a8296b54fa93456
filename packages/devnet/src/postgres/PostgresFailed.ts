/** The failure of the embedded database's file and process operations, and helpers to raise it. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"

/** The embedded database could not be started or used; `detail` is the message of the system or of PostgreSQL. */
export class PostgresFailed extends Schema.TaggedError<PostgresFailed>()("PostgresFailed", {
  doing: Schema.String,
  detail: Schema.String
}) {
  override get message(): string {
    return `The embedded PostgreSQL could not ${this.doing}: ${this.detail} (set DATABASE_URL to use your own PostgreSQL).`
  }

  /** For `mapError`: keeps the original error's message. */
  static readonly because = (doing: string) => (cause: unknown): PostgresFailed =>
    new PostgresFailed({ doing, detail: innermostMessage(cause) })
}

/** Runs a promise whose rejection means `could not <doing>`. Its signal aborts on interruption. */
export const attempt = <A>(doing: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, PostgresFailed> =>
  Effect.tryPromise({ try: run, catch: PostgresFailed.because(doing) })

/**
 * Returns the innermost message: drivers wrap the sentence that matters, and `execFile` puts the command line before
 * it.
 */
const innermostMessage = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.cause !== undefined) return innermostMessage(cause.cause)
  return cause.message.replace(/^Command failed: .*\n(?=.)/, "").trim().replaceAll(/\s*\n\s*/g, " ")
}
