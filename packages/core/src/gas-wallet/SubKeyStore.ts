/** Stores sub-keys by their digests. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import { Address } from "../chain/Address.ts"
import { reads } from "../storage/Reads.ts"
import * as Uuid from "../storage/Uuid.ts"
import { maxSubKeys, SubKey, SubKeyBounds, viewOf } from "./SubKey.ts"

/** A sub-key to create. */
export interface NewSubKey extends Omit<SubKeyBounds, "id"> {
  readonly wallet: Address
  /** The API key that makes it. */
  readonly parentId: string
  readonly digest: string
  readonly lastFour: string
  readonly label: string | null
  readonly days: number
}

/** A sub-key that acts, with the wallet and the API key that it acts for. */
export const ActiveSubKey = Schema.Struct({
  keyId: Schema.String,
  wallet: Address,
  bounds: SubKeyBounds
}).annotate({ identifier: "ActiveSubKey" })
export type ActiveSubKey = typeof ActiveSubKey.Type

const ActiveRows = Schema.decodeUnknownEffect(Schema.Array(
  Schema.Struct({ ...SubKeyBounds.fields, keyId: Schema.String, wallet: Address })
))
const Rows = Schema.decodeUnknownEffect(Schema.Array(SubKey))

/** The columns of the bounds; `k` is the table. */
const boundColumns = `k.id, k.scopes, k.endpoints, k.vaults, k.max_usd18_per_trade::text as "maxUsd18PerTrade",
  k.max_usd18_per_day::text as "maxUsd18PerDay", k.sources`
const columns = `${boundColumns}, k.wallet, k.last_four as "lastFour", k.label, k.created_at as "createdAt",
  k.expires_at as "expiresAt", k.used_at as "usedAt"`
/** The sub-keys that act: neither they nor the keys that made them have ended. */
const active = `sub_keys k join api_keys p on p.id = k.parent_id and p.revoked_at is null
  where k.revoked_at is null and k.expires_at > now()`

const jsonOrNull = (value: ReadonlyArray<string> | null) => value === null ? null : JSON.stringify(value)

/** Inserts a sub-key; the caller's transaction holds the lock of the wallet's row. */
const inserted = (sql: SqlClient.SqlClient, id: string, key: NewSubKey) =>
  sql`insert into sub_keys (id, wallet, parent_id, digest, last_four, label, scopes, endpoints, vaults,
      max_usd18_per_trade, max_usd18_per_day, sources, expires_at)
    select ${id}::uuid, ${key.wallet}, p.id, ${key.digest}, ${key.lastFour}, ${key.label},
      ${JSON.stringify(key.scopes)}::jsonb, ${jsonOrNull(key.endpoints)}::jsonb, ${jsonOrNull(key.vaults)}::jsonb,
      ${key.maxUsd18PerTrade?.toString() ?? null}::numeric, ${key.maxUsd18PerDay?.toString() ?? null}::numeric,
      ${jsonOrNull(key.sources)}::jsonb, now() + make_interval(days => ${key.days}::int)
    from api_keys p where p.id = ${key.parentId}::uuid and p.wallet = ${key.wallet} and p.revoked_at is null
    returning id`

export class SubKeyStore extends Context.Service<SubKeyStore, {
  /** Finds the sub-key with this digest, unless it or the key that made it has ended. */
  readonly find: (digest: string) => Effect.Effect<Option.Option<ActiveSubKey>, SqlError>
  /**
   * Creates a sub-key. `full`: the wallet has the maximum. `ended`: the key that makes it has ended in the meantime.
   */
  readonly create: (key: NewSubKey) => Effect.Effect<SubKey | "full" | "ended", SqlError>
  /** Lists the wallet's sub-keys that have not ended, in the order of their creation. */
  readonly ofWallet: (wallet: Address) => Effect.Effect<ReadonlyArray<SubKey>, SqlError>
  /** Ends one sub-key, or all (null); returns how many. */
  readonly revoke: (wallet: Address, id: string | null) => Effect.Effect<number, SqlError>
}>()("vault-trader/core/gas-wallet/SubKeyStore") {
  static readonly layer = Layer.effect(
    SubKeyStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const read = yield* reads
      const listed = (wallet: Address) =>
        Effect.flatMap(
          sql`select ${sql.literal(columns)} from ${sql.literal(active)} and k.wallet = ${wallet} order by k.id`,
          (rows) => Effect.orDie(Rows(rows))
        )
      return {
        find: (digest) =>
          Effect.flatMap(
            read`select ${sql.literal(boundColumns)}, k.wallet, k.parent_id as "keyId"
              from ${sql.literal(active)} and k.digest = ${digest}`,
            (rows) =>
              Effect.map(Effect.orDie(ActiveRows(rows)), ([row]) =>
                Option.map(Option.fromNullishOr(row), ({ keyId, wallet, ...bounds }) => ({ keyId, wallet, bounds })))
          ),
        create: (key) =>
          Audit.transaction(
            sql,
            Effect.gen(function*() {
              // A rotation holds this lock, so that no sub-key of the old key appears after it.
              yield* sql`select address from gas_wallets where address = ${key.wallet} for update`
              if ((yield* listed(key.wallet)).length >= maxSubKeys) return "full" as const
              const id = yield* Uuid.v7
              if ((yield* inserted(sql, id, key)).length === 0) return "ended" as const
              // With this row, plans of the wallet are counted one after the other, and checked again when signed.
              yield* sql`insert into key_limits (wallet) values (${key.wallet}) on conflict (wallet) do nothing`
              const created = (yield* listed(key.wallet)).find((each) => each.id === id)
              if (created === undefined) return "ended" as const
              const { last_used_at: _, ...details } = viewOf(created)
              yield* Audit.append(sql, {
                action: "key.sub_created",
                subject: id,
                wallet: key.wallet,
                details: { ...details, parent: key.parentId }
              })
              return created
            })
          ),
        ofWallet: listed,
        revoke: (wallet, id) =>
          Effect.map(
            Audit.recorded(
              sql,
              sql<{ readonly id: string }>`update sub_keys set revoked_at = now()
                where wallet = ${wallet} and revoked_at is null and expires_at > now()
                and ${id === null ? sql`true` : sql`id = ${id}::uuid`} returning id`,
              (rows) => rows.map(({ id: subject }) => ({ action: "key.sub_revoked", subject, wallet }))
            ),
            (rows) => rows.length
          )
      }
    })
  )
}
