/** Stores groups of vaults, and the calls that trade them. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import * as Uuid from "../storage/Uuid.ts"
import { GroupCall, GroupMember, GroupRequest, maxGroups, MemberPlan, VaultGroup } from "./VaultGroup.ts"

const Groups = Schema.decodeUnknownEffect(Schema.Array(VaultGroup))
const Calls = Schema.decodeUnknownEffect(Schema.Array(GroupCall))
const encodeMembers = Schema.encodeSync(Schema.fromJsonString(Schema.Array(GroupMember)))
const encodePlans = Schema.encodeSync(Schema.fromJsonString(Schema.Array(MemberPlan)))
const encodeRequest = Schema.encodeSync(Schema.fromJsonString(GroupRequest))

/** Returns true if two calls ask for the same. */
export const isSame = (one: GroupRequest, other: GroupRequest): boolean => encodeRequest(one) === encodeRequest(other)

/** `full`: the wallet has as many groups as it may have; nothing was set. */
export type GroupSetting =
  | { readonly _tag: "set"; readonly group: VaultGroup; readonly isNew: boolean }
  | { readonly _tag: "full" }

const describeMembers = (members: ReadonlyArray<GroupMember>) =>
  members.map(({ network, pool, weight }) => `${network}/${pool}${weight === null ? "" : ` ${weight}`}`)

const changeOf = (action: "group.set" | "group.removed", { id, members, name, wallet }: VaultGroup): Audit.Change => ({
  action,
  subject: id,
  wallet,
  details: { name, members: describeMembers(members) }
})

export class VaultGroupStore extends Context.Service<VaultGroupStore, {
  /** Sets a wallet's group; one of the same name, in any case, gets these members. */
  readonly set: (
    group: { readonly wallet: Address; readonly name: string; readonly members: ReadonlyArray<GroupMember> }
  ) => Effect.Effect<GroupSetting, SqlError>
  readonly find: (wallet: Address, name: string) => Effect.Effect<Option.Option<VaultGroup>, SqlError>
  /** Lists a wallet's groups by name. */
  readonly list: (wallet: Address) => Effect.Effect<ReadonlyArray<VaultGroup>, SqlError>
  readonly remove: (wallet: Address, name: string) => Effect.Effect<Option.Option<VaultGroup>, SqlError>
  /** Commits a call; false when its idempotency key names another request, which may be this one's repeat. */
  readonly accept: (call: Omit<GroupCall, "createdAt">) => Effect.Effect<boolean, SqlError>
  /** Finds a call, with its age in seconds by the database's clock. */
  readonly findCall: (
    wallet: Address,
    id: string
  ) => Effect.Effect<Option.Option<{ readonly call: GroupCall; readonly ageSeconds: number }>, SqlError>
}>()("vault-trader/core/vault-group/VaultGroupStore") {
  static readonly layer = Layer.effect(
    VaultGroupStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(
        `id::text as id, wallet, name, members, created_at as "createdAt", updated_at as "updatedAt"`
      )
      const decoded = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.flatMap(rows, (found) => Effect.orDie(Groups(found)))
      const first = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
        Effect.map(decoded(rows), ([group]) => Option.fromNullishOr(group))
      const find = (wallet: Address, name: string) =>
        first(sql`select ${columns} from vault_groups where wallet = ${wallet} and lower(name) = lower(${name})`)

      return {
        find,
        list: (wallet) =>
          decoded(sql`select ${columns} from vault_groups where wallet = ${wallet} order by lower(name)`),
        set: ({ members, name, wallet }) =>
          Audit.transaction(
            sql,
            Effect.gen(function*(): Effect.fn.Return<GroupSetting, SqlError> {
              // One setting of a wallet at a time, so that two of them cannot pass the maximum.
              yield* sql`select pg_advisory_xact_lock(hashtextextended(${`vault_groups/${wallet}`}, 0))`
              const [counted] = yield* sql<{ readonly others: number }>`select count(*)::int as others from vault_groups
                where wallet = ${wallet} and lower(name) <> lower(${name})`
              if ((counted?.others ?? 0) >= maxGroups) return { _tag: "full" }
              const before = yield* find(wallet, name)
              const set = yield* first(sql`insert into vault_groups (id, wallet, name, members)
                values (${yield* Uuid.v7}, ${wallet}, ${name}, ${encodeMembers(members)}::jsonb)
                on conflict (wallet, lower(name)) do update set name = excluded.name, members = excluded.members,
                  updated_at = now()
                returning ${columns}`)
              if (Option.isNone(set)) return yield* Effect.die(new Error("a group that was set has no row"))
              yield* Audit.append(sql, changeOf("group.set", set.value))
              return { _tag: "set", group: set.value, isNew: Option.isNone(before) }
            })
          ),
        remove: (wallet, name) =>
          Audit.transaction(
            sql,
            Effect.tap(
              first(sql`delete from vault_groups where wallet = ${wallet} and lower(name) = lower(${name})
                returning ${columns}`),
              Option.match({
                onNone: () => Effect.void,
                onSome: (group) => Audit.append(sql, changeOf("group.removed", group))
              })
            )
          ),
        accept: ({ id, idempotencyKey, keyId, members, request, subKeyId, wallet }) =>
          Effect.map(
            sql`insert into vault_group_calls (id, wallet, key_id, sub_key_id, idempotency_key, request, members)
              values (${id}, ${wallet}, ${keyId}, ${subKeyId}, ${idempotencyKey}, ${encodeRequest(request)}::jsonb,
                ${encodePlans(members)}::jsonb)
              on conflict do nothing returning id`,
            (rows) => rows.length > 0
          ),
        findCall: (wallet, id) =>
          Effect.gen(function*() {
            const rows = yield* sql<{ readonly ageSeconds: number }>`select id::text as id, wallet,
                key_id::text as "keyId", sub_key_id::text as "subKeyId", idempotency_key as "idempotencyKey", request,
                members, created_at as "createdAt", extract(epoch from now() - created_at)::float8 as "ageSeconds"
              from vault_group_calls where wallet = ${wallet} and id = ${id}`
            const [call] = yield* Effect.orDie(Calls(rows))
            const [row] = rows
            return call === undefined || row === undefined
              ? Option.none()
              : Option.some({ call, ageSeconds: row.ageSeconds })
          })
      }
    })
  )
}
