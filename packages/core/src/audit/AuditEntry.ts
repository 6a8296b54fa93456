/** An entry of the audit log, and the digest that chains it to the one before it. */
import type * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "./CanonicalJson.ts"

/**
 * The kinds of actors. `service`: the service itself. `key`: an API key. `session`: a manager at the console.
 * `operator`: a command on a machine. `chat`: a user in a chat that is bound to a channel. `owner`: the holder of a
 * wallet's private key. `stranger`: a caller without a credential.
 */
export const actorKinds = [
  "service",
  "key",
  "manager",
  "session",
  "webhookToken",
  "operator",
  "chat",
  "owner",
  "stranger"
] as const
export const ActorKind = Schema.Literals(actorKinds)
export type ActorKind = typeof ActorKind.Type

/** The actor of a change. Contains no secret: ids, addresses and names only. */
export const Actor = Schema.Struct({
  kind: ActorKind,
  /** A key's id, a manager's address, the start of a session's digest, an operating-system user; null for none. */
  id: Schema.NullOr(Schema.String),
  /** The network of the client's address, or a host's name. */
  from: Schema.NullOr(Schema.String),
  /** The credential: an API key's last four, "signature", "session …", "shell". */
  credential: Schema.NullOr(Schema.String)
})
export type Actor = typeof Actor.Type

/** An entry as it is read from the table or from a file. `at` is ISO 8601 in UTC with milliseconds. */
export const AuditEntry = Schema.Struct({
  seq: Schema.Int,
  at: Schema.String,
  actor: Actor,
  action: Schema.String,
  subject: Schema.String,
  wallet: Schema.NullOr(Schema.String),
  details: Schema.Record(Schema.String, Schema.Json),
  previous: Schema.String,
  digest: Schema.String
})
export type AuditEntry = typeof AuditEntry.Type

/** The digest before the first entry. */
export const genesis = "0".repeat(64)

/** Returns the digest of an entry: SHA-256 of the canonical JSON of its other members. */
export const digestOf = (
  { action, actor, at, details, previous, seq, subject, wallet }: Omit<AuditEntry, "digest">
): Effect.Effect<string> =>
  CanonicalJson.sha256(CanonicalJson.textOf({ action, actor, at, details, previous, seq, subject, wallet }))
