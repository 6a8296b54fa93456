/** Stores when keys, sessions and managers were last used. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"

/** A use of a credential: an API key or a sub-key by its id, a session by its digest, or a manager acting on a wallet. */
export type CredentialUse =
  | { readonly _tag: "key"; readonly id: string }
  | { readonly _tag: "subKey"; readonly id: string }
  | { readonly _tag: "session"; readonly id: string }
  | { readonly _tag: "manager"; readonly id: Address; readonly wallet: Address }

/** A use and its time, unix milliseconds. */
export type TimedUse = CredentialUse & { readonly at: number }

export class LastUseStore extends Context.Service<LastUseStore, {
  /** Stores uses. Rows that another transaction has locked are skipped, so that a rotation never waits for this. */
  readonly put: (uses: ReadonlyArray<TimedUse>) => Effect.Effect<void, SqlError>
}>()("vault-trader/core/gas-wallet/LastUseStore") {
  static readonly layer = Layer.effect(
    LastUseStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const rowsOf = (uses: ReadonlyArray<TimedUse>, tag: TimedUse["_tag"]) =>
        JSON.stringify(uses.filter(({ _tag }) => _tag === tag))
      return {
        put: (uses) =>
          Effect.gen(function*() {
            const has = (tag: TimedUse["_tag"]) => uses.some(({ _tag }) => _tag === tag)
            if (has("key")) {
              yield* sql`update api_keys k set used_at = u.at from (select l.id, to_timestamp(v.at / 1000.0) as at
                from jsonb_to_recordset(${rowsOf(uses, "key")}::jsonb) as v(id uuid, at numeric)
                join api_keys l on l.id = v.id for update of l skip locked) u where k.id = u.id`
            }
            if (has("subKey")) {
              yield* sql`update sub_keys k set used_at = u.at from (select l.id, to_timestamp(v.at / 1000.0) as at
                from jsonb_to_recordset(${rowsOf(uses, "subKey")}::jsonb) as v(id uuid, at numeric)
                join sub_keys l on l.id = v.id for update of l skip locked) u where k.id = u.id`
            }
            if (has("session")) {
              yield* sql`update sessions s set used_at = u.at from (select l.digest, to_timestamp(v.at / 1000.0) as at
                from jsonb_to_recordset(${rowsOf(uses, "session")}::jsonb) as v(id text, at numeric)
                join sessions l on l.digest = v.id for update of l skip locked) u where s.digest = u.digest`
            }
            if (has("manager")) {
              yield* sql`update manager_wallets m set used_at = u.at
                from (select l.manager, l.wallet, l.network, to_timestamp(v.at / 1000.0) as at
                from jsonb_to_recordset(${rowsOf(uses, "manager")}::jsonb) as v(id text, wallet text, at numeric)
                join manager_wallets l on l.manager = v.id and l.wallet = v.wallet for update of l skip locked) u
                where m.manager = u.manager and m.wallet = u.wallet and m.network = u.network`
            }
          })
      }
    })
  )
}
