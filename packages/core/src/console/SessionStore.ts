/** Sign-in messages that wait for a signature, each usable once, and the sessions opened with them. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { reads } from "../storage/Reads.ts"

/** A message for the manager to sign. */
export interface SignIn {
  readonly manager: Address
  readonly message: string
  /** The chain that the message names. */
  readonly chainId: number
}

interface Session {
  readonly manager: Address
  /** The network on which the manager has authority; null for an account, which has authority on all networks. */
  readonly network: Network | null
  readonly expiresAt: Date
}

/** The maximum number of sessions per manager. Opening another one ends the oldest. */
export const maxSessions = 20

/** Number of characters of a session's digest by which the audit log names it. */
export const digestPrefix = 12

const changeOf = (
  action: "session.opened" | "session.closed",
  { digest, manager, network }: Pick<Session, "manager" | "network"> & { readonly digest: string }
): Audit.Change => ({
  action,
  subject: manager,
  wallet: null,
  details: { network: network ?? "any", session: digest.slice(0, digestPrefix) }
})

export class SessionStore extends Context.Service<SessionStore, {
  /** Stores a message until it is signed or `expiresAt` (unix seconds). */
  readonly begin: (
    signIn: SignIn & { readonly nonce: string; readonly expiresAt: number }
  ) => Effect.Effect<void, SqlError>
  /** Consumes a message. None when the nonce is unknown, already used or expired. */
  readonly take: (nonce: string) => Effect.Effect<Option.Option<SignIn>, SqlError>
  /**
   * Opens a session until `expiresAt` (unix seconds). Ends the manager's oldest session when there are already
   * `maxSessions`.
   */
  readonly open: (
    session: Pick<Session, "manager" | "network"> & { readonly digest: string; readonly expiresAt: number }
  ) => Effect.Effect<void, SqlError>
  /** Finds the unexpired session whose token has this digest. */
  readonly find: (digest: string) => Effect.Effect<Option.Option<Session>, SqlError>
  readonly close: (digest: string) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/console/SessionStore") {
  static readonly layer = Layer.effect(
    SessionStore,
    Effect.map(Effect.all([SqlClient.SqlClient, reads]), ([sql, read]) => ({
      begin: ({ chainId, expiresAt, manager, message, nonce }) =>
        sql.withTransaction(Effect.gen(function*() {
          // Each sign-in deletes the expired ones, so that the table stays small.
          yield* sql`delete from sign_ins where expires_at < now()`
          yield* sql`insert into sign_ins (nonce, manager, message, chain_id, expires_at)
            values (${nonce}, ${manager}, ${message}, ${chainId}, to_timestamp(${expiresAt}))`
        })),
      take: (nonce) =>
        Effect.map(
          sql<
            SignIn & { readonly good: boolean }
          >`delete from sign_ins where nonce = ${nonce} returning manager, message,
            coalesce(chain_id, 0)::float8 as "chainId", expires_at > now() as good`,
          (rows) => Option.filter(Option.fromNullishOr(rows[0]), ({ good }) => good)
        ),
      open: ({ digest, expiresAt, manager, network }) =>
        Audit.transaction(
          sql,
          Effect.gen(function*() {
            yield* sql`delete from sessions where expires_at < now()`
            yield* sql`delete from sessions where manager = ${manager} and digest not in
            (select digest from sessions where manager = ${manager} order by created_at desc limit ${maxSessions - 1})`
            yield* sql`insert into sessions (digest, manager, network, expires_at)
            values (${digest}, ${manager}, ${network}, to_timestamp(${expiresAt}))`
            yield* Audit.append(sql, changeOf("session.opened", { digest, manager, network }))
          })
        ),
      find: (digest) =>
        Effect.map(
          read<
            Session
          >`select manager, network, expires_at as "expiresAt" from sessions where digest = ${digest} and expires_at > now()`,
          (rows) => Option.fromNullishOr(rows[0])
        ),
      close: (digest) =>
        Effect.asVoid(Audit.recorded(
          sql,
          sql<Pick<Session, "manager" | "network">>`delete from sessions where digest = ${digest}
            returning manager, network`,
          (rows) => rows.map((session) => changeOf("session.closed", { digest, ...session }))
        ))
    }))
  )
}
