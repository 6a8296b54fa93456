/** Stores used nonces of managers' signatures, so that no signature makes a change twice. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"

export class ManagerNonceStore extends Context.Service<ManagerNonceStore, {
  /** Marks a nonce as used; `false` when it was used before. `expiresAt`, unix seconds: when its signature expires. */
  readonly use: (
    nonce: { readonly manager: Address; readonly nonce: string; readonly expiresAt: number }
  ) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/manager/ManagerNonceStore") {
  static readonly layer = Layer.effect(
    ManagerNonceStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      use: ({ expiresAt, manager, nonce }) =>
        Effect.map(
          sql`insert into manager_nonces (manager, nonce, expires_at) values (${manager}, ${nonce}, to_timestamp(${expiresAt}))
            on conflict do nothing returning nonce`,
          (rows) => rows.length > 0
        )
    }))
  )
}
