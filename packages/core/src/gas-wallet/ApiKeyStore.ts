/**
 * Maps API keys to the wallets they act for. Read for every request, so a revocation takes effect at once on every
 * server.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import { reads } from "../storage/Reads.ts"
import * as Uuid from "../storage/Uuid.ts"
import { type Ended, noneEnded } from "./Ended.ts"

/** An active key: its id (not the key) and its wallet. */
interface ActiveKey {
  readonly keyId: string
  readonly wallet: Address
}

/** An issued key, `revoked` if it replaced an active one, and what else ended with that. */
interface Issued {
  readonly keyId: string
  readonly revoked: boolean
  readonly ended: Ended
}

/** Returns the audit entries of a key that was issued: the new key, and the old one with what else ended. */
const changesOf = (
  { ended, keyId, lastFour, revoked, wallet }: {
    readonly wallet: Address
    readonly keyId: string
    readonly lastFour: string
    readonly revoked: ReadonlyArray<string>
    readonly ended: Ended
  }
): ReadonlyArray<Audit.Change> => [
  ...revoked.map((id): Audit.Change => ({
    action: "key.revoked",
    subject: id,
    wallet,
    details: {
      managers: ended.managers,
      sessions: ended.sessions,
      webhook_tokens: ended.webhook_tokens,
      // Their URLs may contain secrets.
      webhooks: ended.webhooks.map(({ webhook_id }) => webhook_id)
    }
  })),
  { action: "key.issued", subject: keyId, wallet, details: { last_four: lastFour, replaces: revoked } }
]

export class ApiKeyStore extends Context.Service<ApiKeyStore, {
  /** Finds the active key with this digest. */
  readonly find: (digest: string) => Effect.Effect<Option.Option<ActiveKey>, SqlError>
  /** Finds a wallet's active key. */
  readonly activeOf: (wallet: Address) => Effect.Effect<Option.Option<ActiveKey>, SqlError>
  /**
   * Makes a key the wallet's only active one, in one transaction; reports whether it revoked another. `evict` also
   * removes the wallet from managers' lists, ends these managers' sessions, and ends its alert tokens and its webhooks.
   */
  readonly issue: (key: {
    readonly wallet: Address
    readonly digest: string
    readonly lastFour: string
    readonly evict?: boolean
  }) => Effect.Effect<Issued, SqlError>
  /**
   * Does the same for a manager whose list has the wallet; none when it does not, because an eviction has removed it in
   * the meantime.
   */
  readonly rotate: (key: {
    readonly wallet: Address
    readonly digest: string
    readonly lastFour: string
    readonly manager: Address
  }) => Effect.Effect<Option.Option<Issued>, SqlError>
}>()("vault-trader/core/gas-wallet/ApiKeyStore") {
  static readonly layer = Layer.effect(
    ApiKeyStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const read = yield* reads

      const evicted = (wallet: Address) =>
        Effect.gen(function*() {
          const lists = yield* sql<
            { readonly manager: Address }
          >`delete from manager_wallets where wallet = ${wallet} returning manager`
          const managers = [...new Set(lists.map(({ manager }) => manager))].sort()
          const sessions = managers.length === 0
            ? []
            : yield* sql`delete from sessions where manager in ${
              sql.in(managers)
            } and expires_at > now() returning digest`
          const tokens = yield* sql<
            { readonly id: string }
          >`update webhook_tokens set revoked_at = now() where wallet = ${wallet} and revoked_at is null returning id`
          const webhooks = yield* sql<
            { readonly webhook_id: string; readonly url: string }
          >`delete from webhooks where wallet = ${wallet} returning id as webhook_id, url`
          return { managers, sessions: sessions.length, webhook_tokens: tokens.map(({ id }) => id), webhooks }
        })

      /** Serializes concurrent rotations on the wallet's row: the last one wins, none of them fails. */
      const lock = (wallet: Address) => sql`select address from gas_wallets where address = ${wallet} for update`

      /** Issues a key; the caller's transaction holds the wallet's lock. */
      const issued = (
        key: { readonly wallet: Address; readonly digest: string; readonly lastFour: string },
        evict: boolean
      ) =>
        Effect.gen(function*() {
          const { digest, lastFour, wallet } = key
          const keyId = yield* Uuid.v7
          const revoked = yield* sql<
            { readonly id: string }
          >`update api_keys set revoked_at = now() where wallet = ${wallet} and revoked_at is null returning id`
          yield* sql`insert into api_keys ${sql.insert({ id: keyId, wallet, digest, last_four: lastFour })}`
          const ended = evict ? yield* evicted(wallet) : noneEnded
          yield* Audit.appendAll(
            sql,
            changesOf({ wallet, lastFour, keyId, revoked: revoked.map(({ id }) => id), ended })
          )
          return { keyId, revoked: revoked.length > 0, ended }
        })

      return {
        find: (digest) =>
          Effect.map(
            read<ActiveKey>`select id as "keyId", wallet from api_keys where digest = ${digest} and revoked_at is null`,
            (rows) => Option.fromNullishOr(rows[0])
          ),
        activeOf: (wallet) =>
          Effect.map(
            sql<ActiveKey>`select id as "keyId", wallet from api_keys where wallet = ${wallet} and revoked_at is null`,
            (rows) => Option.fromNullishOr(rows[0])
          ),
        issue: ({ evict = false, ...key }) =>
          Audit.transaction(sql, Effect.andThen(lock(key.wallet), issued(key, evict))),
        rotate: ({ manager, ...key }) =>
          Audit.transaction(
            sql,
            Effect.gen(function*() {
              yield* lock(key.wallet)
              const listed =
                yield* sql`select 1 from manager_wallets where manager = ${manager} and wallet = ${key.wallet}`
              return listed.length === 0 ? Option.none() : Option.some(yield* issued(key, false))
            })
          )
      }
    })
  )
}
