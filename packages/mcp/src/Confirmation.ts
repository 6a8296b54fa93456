/** Confirmations of changes: single use, for exactly one call, for five minutes. They live in this process only. */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Crypto from "node:crypto"

/** Time between the plan and its execution. */
export const validFor = Duration.minutes(5)

/** Confirmations that are kept; the oldest is forgotten first. */
const maxKept = 1_000

/** The confirmation cannot be used. Nothing was sent. */
export class Unconfirmed extends Data.TaggedError("Unconfirmed")<{ readonly message: string }> {}

/** The tool and its arguments, without the confirmation itself. */
export interface Call {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

interface Kept {
  readonly digest: string
  readonly expiresAt: number
  /** True once the confirmed call was sent. */
  sent: boolean
  /** Set once the service has answered the confirmed call: how the call ended. */
  outcome: string | undefined
}

/** Formats a value as JSON with sorted names, so that equal arguments have equal texts. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const members = Object.entries(value).sort(([one], [other]) => one < other ? -1 : 1)
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(",")}}`
}

const sha256 = (text: string) => Crypto.createHash("sha256").update(text).digest("hex")
const digestOf = ({ args, tool }: Call) => sha256(canonical([tool, args]))

const again = "Nothing was sent. Call the tool without a confirmation to get a new plan."

const unanswered =
  "Its call was sent and not answered, so it may have been executed: check getIntents before you start again."

export interface Confirmations {
  /** Returns a new token for the call. */
  readonly issue: (call: Call) => Effect.Effect<string>
  /**
   * Returns the idempotency key of the confirmed call. A token whose call was not answered is accepted again, with the
   * same key, so that a repeat is the same request.
   */
  readonly accept: (token: string, call: Call) => Effect.Effect<string, Unconfirmed>
  /** Ends the token's use: the service has answered, as `outcome` says. */
  readonly end: (token: string, outcome: string) => Effect.Effect<void>
}

/** Creates an empty set of confirmations. */
export const make: Effect.Effect<Confirmations> = Effect.sync(() => {
  const kept = new Map<string, Kept>()
  return {
    issue: (call) =>
      Effect.map(Clock.currentTimeMillis, (now) => {
        const [oldest] = kept.keys()
        if (kept.size >= maxKept && oldest !== undefined) kept.delete(oldest)
        const token = Crypto.randomBytes(24).toString("base64url")
        kept.set(token, {
          digest: digestOf(call),
          expiresAt: now + Duration.toMillis(validFor),
          sent: false,
          outcome: undefined
        })
        return token
      }),
    accept: (token, call) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const found = kept.get(token)
        if (found === undefined) {
          return new Unconfirmed({ message: `This confirmation is not known to this server. ${again}` })
        }
        if (found.digest !== digestOf(call)) {
          return new Unconfirmed({
            message: `This confirmation is for another call: another tool, or other arguments. ${again}`
          })
        }
        if (found.outcome !== undefined) {
          return new Unconfirmed({ message: `This confirmation was used: ${found.outcome} Nothing more was sent.` })
        }
        if (now >= found.expiresAt) {
          return new Unconfirmed({
            message: `This confirmation has expired; it was valid for five minutes. ${found.sent ? unanswered : again}`
          })
        }
        found.sent = true
        return Effect.succeed(`mcp-${sha256(`vault-trader/mcp/${token}`).slice(0, 40)}`)
      }),
    end: (token, outcome) =>
      Effect.sync(() => {
        const found = kept.get(token)
        if (found !== undefined) found.outcome = outcome
      })
  }
})
