/** Sign-in messages that wait for their signature, each good once, and the sessions that came of them. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../chain/Address.ts"

/** What a manager was asked to sign. */
export interface SignIn {
  readonly manager: Address
  readonly message: string
}

export interface Session {
  readonly manager: Address
  readonly expiresAt: Date
}

export class SessionStore extends Context.Tag("vault-trader/core/console/SessionStore")<SessionStore, {
  /** Keeps a message until it is signed or `expiresAt` (unix seconds). */
  readonly begin: (signIn: SignIn & { readonly nonce: string; readonly expiresAt: number }) => Effect.Effect<void, SqlError>
  /** Uses a message up: none when there is no such nonce, it was used, or its time is over. */
  readonly take: (nonce: string) => Effect.Effect<Option.Option<SignIn>, SqlError>
  /** `expiresAt`: unix seconds. */
  readonly open: (session: { readonly digest: string; readonly manager: Address; readonly expiresAt: number }) => Effect.Effect<void, SqlError>
  /** The session whose token has this digest, while it lasts. */
  readonly find: (digest: string) => Effect.Effect<Option.Option<Session>, SqlError>
  readonly close: (digest: string) => Effect.Effect<void, SqlError>
}>() {
  static readonly layer = Layer.effect(
    SessionStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      begin: ({ expiresAt, manager, message, nonce }) =>
        sql.withTransaction(Effect.gen(function*() {
          // Whoever comes clears away what nobody came back for, so that the table stays small.
          yield* sql`delete from sign_ins where expires_at < now()`
          yield* sql`insert into sign_ins (nonce, manager, message, expires_at) values (${nonce}, ${manager}, ${message}, to_timestamp(${expiresAt}))`
        })),
      take: (nonce) =>
        Effect.map(
          sql<SignIn & { readonly good: boolean }>`delete from sign_ins where nonce = ${nonce} returning manager, message, expires_at > now() as good`,
          (rows) => Option.filter(Option.fromNullable(rows[0]), ({ good }) => good)
        ),
      open: ({ digest, expiresAt, manager }) =>
        sql.withTransaction(Effect.gen(function*() {
          yield* sql`delete from sessions where expires_at < now()`
          yield* sql`insert into sessions (digest, manager, expires_at) values (${digest}, ${manager}, to_timestamp(${expiresAt}))`
        })),
      find: (digest) =>
        Effect.map(
          sql<Session>`select manager, expires_at as "expiresAt" from sessions where digest = ${digest} and expires_at > now()`,
          (rows) => Option.fromNullable(rows[0])
        ),
      close: (digest) => Effect.asVoid(sql`delete from sessions where digest = ${digest}`)
    }))
  )
}
