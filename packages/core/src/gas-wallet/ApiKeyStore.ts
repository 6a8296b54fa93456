/**
 * Maps API keys to the wallets they act for. Read for every request that changes something; servers keep the callers of
 * reads in memory until a trigger notifies them that a wallet's key has ended.
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
import { type AccessKind, accessKinds, type Ended, noneEnded } from "./Ended.ts"

/** An active key: its id (not the key) and its wallet. */
interface ActiveKey {
  readonly keyId: string
  readonly wallet: Address
}

/** An issued key, `revoked` if it replaced an active one, and which other access to the wallet ended or was kept. */
interface Issued {
  readonly keyId: string
  readonly revoked: boolean
  readonly ended: Ended
  readonly kept: Ended
}

/** Splits the access to a wallet into what ends and what is kept. */
const partition = (found: Ended, keep: ReadonlyArray<AccessKind>): { readonly ended: Ended; readonly kept: Ended } => {
  const only = (isWanted: (kind: AccessKind) => boolean): Ended => ({
    managers: isWanted("managers") ? found.managers : [],
    sessions: isWanted("sessions") ? found.sessions : 0,
    webhook_tokens: isWanted("tokens") ? found.webhook_tokens : [],
    webhooks: isWanted("webhooks") ? found.webhooks : [],
    channels: isWanted("webhooks") ? found.channels : []
  })
  return { ended: only((kind) => !keep.includes(kind)), kept: only((kind) => keep.includes(kind)) }
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
      webhooks: ended.webhooks.map(({ webhook_id }) => webhook_id),
      channels: ended.channels.map(({ channel_id }) => channel_id)
    }
  })),
  { action: "key.issued", subject: keyId, wallet, details: { last_four: lastFour, replaces: revoked } }
]

/** Reads all access to a wallet besides its keys. */
const accessOf = (sql: SqlClient.SqlClient, wallet: Address) =>
  Effect.gen(function*() {
    const lists = yield* sql<
      { readonly manager: Address }
    >`select distinct manager from manager_wallets where wallet = ${wallet} order by manager`
    const managers = lists.map(({ manager }) => manager)
    const sessions = managers.length === 0
      ? []
      : yield* sql`select digest from sessions where manager in ${sql.in(managers)} and expires_at > now()`
    const tokens = yield* sql<
      { readonly id: string }
    >`select id from webhook_tokens where wallet = ${wallet} and revoked_at is null order by id`
    const webhooks = yield* sql<
      { readonly webhook_id: string; readonly url: string }
    >`select id as webhook_id, url from webhooks where wallet = ${wallet} order by id`
    const channels = yield* sql<
      { readonly channel_id: string; readonly name: string }
    >`select id as channel_id, name from notification_channels where wallet = ${wallet} order by id`
    return { managers, sessions: sessions.length, webhook_tokens: tokens.map(({ id }) => id), webhooks, channels }
  })

/** Ends access to a wallet, except the kinds to keep. The wallet's lock keeps others from adding some. */
const evicted = (sql: SqlClient.SqlClient, wallet: Address, keep: ReadonlyArray<AccessKind>) =>
  Effect.gen(function*() {
    const found = yield* accessOf(sql, wallet)
    const end: Readonly<Record<AccessKind, Effect.Effect<unknown, SqlError>>> = {
      managers: sql`delete from manager_wallets where wallet = ${wallet}`,
      sessions: found.managers.length === 0
        ? Effect.void
        : sql`delete from sessions where manager in ${sql.in(found.managers)}`,
      tokens: sql`update webhook_tokens set revoked_at = now() where wallet = ${wallet} and revoked_at is null`,
      webhooks: Effect.andThen(
        sql`delete from webhooks where wallet = ${wallet}`,
        sql`delete from notification_channels where wallet = ${wallet}`
      )
    }
    yield* Effect.forEach(accessKinds.filter((kind) => !keep.includes(kind)), (kind) => end[kind], {
      discard: true
    })
    return partition(found, keep)
  })

/** Serializes concurrent rotations on the wallet's row: the last one wins, none of them fails. */
const lock = (sql: SqlClient.SqlClient, wallet: Address) =>
  sql`select address from gas_wallets where address = ${wallet} for update`

/** Issues a key; the caller's transaction holds the wallet's lock. */
const issued = (
  sql: SqlClient.SqlClient,
  key: { readonly wallet: Address; readonly digest: string; readonly lastFour: string },
  evict: { readonly keep: ReadonlyArray<AccessKind> } | undefined
) =>
  Effect.gen(function*() {
    const { digest, lastFour, wallet } = key
    const keyId = yield* Uuid.v7
    const revoked = yield* sql<
      { readonly id: string }
    >`update api_keys set revoked_at = now() where wallet = ${wallet} and revoked_at is null returning id`
    yield* sql`insert into api_keys ${sql.insert({ id: keyId, wallet, digest, last_four: lastFour })}`
    // A purged wallet's key may have been used elsewhere since, as any imported one.
    yield* sql`update gas_wallets set purged_at = null, imported = true, imported_at = now()
      where address = ${wallet} and purged_at is not null`
    const others = evict === undefined
      ? { ended: noneEnded, kept: noneEnded }
      : yield* evicted(sql, wallet, evict.keep)
    yield* Audit.appendAll(
      sql,
      changesOf({ wallet, lastFour, keyId, revoked: revoked.map(({ id }) => id), ended: others.ended })
    )
    return { keyId, revoked: revoked.length > 0, ...others }
  })

export class ApiKeyStore extends Context.Service<ApiKeyStore, {
  /** Finds the active key with this digest. */
  readonly find: (digest: string) => Effect.Effect<Option.Option<ActiveKey>, SqlError>
  /** Returns whether this was a key of a wallet that is purged. */
  readonly isOfPurged: (digest: string) => Effect.Effect<boolean, SqlError>
  /** Finds a wallet's active key. */
  readonly activeOf: (wallet: Address) => Effect.Effect<Option.Option<ActiveKey>, SqlError>
  /**
   * Makes a key the wallet's only active one, in one transaction; reports whether it revoked another. `evict` also ends
   * all other access to the wallet, except the kinds that it keeps: it removes the wallet from managers' lists, ends
   * these managers' sessions, and ends its alert tokens, its webhooks and its channels.
   */
  readonly issue: (key: {
    readonly wallet: Address
    readonly digest: string
    readonly lastFour: string
    readonly evict?: { readonly keep: ReadonlyArray<AccessKind> }
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

      return {
        find: (digest) =>
          Effect.map(
            read<ActiveKey>`select id as "keyId", wallet from api_keys where digest = ${digest} and revoked_at is null`,
            (rows) => Option.fromNullishOr(rows[0])
          ),
        isOfPurged: (digest) =>
          Effect.map(
            read`select 1 from api_keys k join gas_wallets w on w.address = k.wallet
              where k.digest = ${digest} and w.purged_at is not null`,
            (rows) => rows.length > 0
          ),
        activeOf: (wallet) =>
          Effect.map(
            sql<ActiveKey>`select id as "keyId", wallet from api_keys where wallet = ${wallet} and revoked_at is null`,
            (rows) => Option.fromNullishOr(rows[0])
          ),
        issue: ({ evict, ...key }) =>
          Audit.transaction(sql, Effect.andThen(lock(sql, key.wallet), issued(sql, key, evict))),
        rotate: ({ manager, ...key }) =>
          Audit.transaction(
            sql,
            Effect.gen(function*() {
              yield* lock(sql, key.wallet)
              const listed =
                yield* sql`select 1 from manager_wallets where manager = ${manager} and wallet = ${key.wallet}`
              return listed.length === 0 ? Option.none() : Option.some(yield* issued(sql, key, undefined))
            })
          )
      }
    })
  )
}
