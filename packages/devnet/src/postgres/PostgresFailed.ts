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

/** Runs a promise whose rejection means `could not <doing>`; the signal tells it of an interruption. */
export const attempt = <A>(doing: string, run: (signal: AbortSignal) => Promise<A>): Effect.Effect<A, PostgresFailed> =>
  Effect.tryPromise({ try: run, catch: PostgresFailed.because(doing) })

/** The innermost message: drivers wrap the sentence that matters, and `execFile` puts the command line before it. */
const words = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  if (cause.cause !== undefined) return words(cause.cause)
  return cause.message.replace(/^Command failed: .*\n(?=.)/, "").trim().replaceAll(/\s*\n\s*/g, " ")
}
