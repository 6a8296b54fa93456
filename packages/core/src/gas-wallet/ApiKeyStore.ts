/** Which wallet an API key acts for. Looked up for every request, so a revocation is seen at once by every server. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../chain/Address.ts"
import * as Uuid from "../storage/Uuid.ts"

/** An active key: its id (not the key) and its wallet. */
export interface ActiveKey {
  readonly keyId: string
  readonly wallet: Address
}

export class ApiKeyStore extends Context.Tag("vault-trader/core/gas-wallet/ApiKeyStore")<ApiKeyStore, {
  /** The active key with this digest. */
  readonly find: (digest: string) => Effect.Effect<Option.Option<ActiveKey>, SqlError>
  /** A wallet's active key. */
  readonly activeOf: (wallet: Address) => Effect.Effect<Option.Option<ActiveKey>, SqlError>
  /** Makes a key the wallet's only active one, in one transaction; tells whether another was revoked by it. */
  readonly issue: (key: {
    readonly wallet: Address
    readonly digest: string
    readonly lastFour: string
  }) => Effect.Effect<{ readonly keyId: string; readonly revoked: boolean }, SqlError>
}>() {
  static readonly layer = Layer.effect(
    ApiKeyStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return {
        find: (digest) =>
          Effect.map(
            sql<ActiveKey>`select id as "keyId", wallet from api_keys where digest = ${digest} and revoked_at is null`,
            (rows) => Option.fromNullable(rows[0])
          ),
        activeOf: (wallet) =>
          Effect.map(
            sql<ActiveKey>`select id as "keyId", wallet from api_keys where wallet = ${wallet} and revoked_at is null`,
            (rows) => Option.fromNullable(rows[0])
          ),
        issue: ({ wallet, digest, lastFour }) =>
          sql.withTransaction(Effect.gen(function*() {
            const keyId = yield* Uuid.v7
            // The wallet's row serialises concurrent rotations: the last one wins, none of them fails.
            yield* sql`select address from gas_wallets where address = ${wallet} for update`
            const revoked = yield* sql`update api_keys set revoked_at = now() where wallet = ${wallet} and revoked_at is null returning id`
            yield* sql`insert into api_keys ${sql.insert({ id: keyId, wallet, digest, last_four: lastFour })}`
            return { keyId, revoked: revoked.length > 0 }
          }))
      }
    })
  )
}
