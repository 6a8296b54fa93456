/** Stores tokens of chart alerts by their digests. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import * as Uuid from "../storage/Uuid.ts"

/** Maximum number of active tokens of one wallet. */
export const maxTokens = 200

/** A token: the bot it sets, and the wallet it acts for. */
export interface WebhookToken {
  readonly id: string
  readonly wallet: Address
  /** The key that created it. */
  readonly keyId: string
  readonly network: Network
  readonly pool: Address
  /** The legs as the caller named them. */
  readonly base: string
  readonly quote: string
  readonly label: string | null
}

/** A token as shown to its owner. */
interface ListedToken extends WebhookToken {
  readonly createdAt: Date
  readonly usedAt: Date | null
}

export class WebhookTokenStore extends Context.Service<WebhookTokenStore, {
  /**
   * Stores a token; none when the wallet has the maximum number. If the requesting key has been revoked since, the
   * token is revoked from the start, because the rotation that ended the key's tokens could not see it.
   */
  readonly create: (
    token: Omit<WebhookToken, "id"> & { readonly digest: string }
  ) => Effect.Effect<Option.Option<WebhookToken>, SqlError>
  /** Returns the active token with this digest, and records its use. */
  readonly use: (digest: string) => Effect.Effect<Option.Option<WebhookToken>, SqlError>
  /** Revokes one token of a wallet, or all; returns their number. */
  readonly revoke: (wallet: Address, id: string | null) => Effect.Effect<number, SqlError>
  /** Lists a wallet's active tokens, oldest first. */
  readonly ofWallet: (wallet: Address) => Effect.Effect<ReadonlyArray<ListedToken>, SqlError>
}>()("vault-trader/core/webhook/WebhookTokenStore") {
  static readonly layer = Layer.effect(
    WebhookTokenStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(`id, wallet, key_id as "keyId", network, pool, base, quote, label`)
      return {
        create: ({ digest, keyId, ...token }) =>
          Audit.transaction(
            sql,
            Effect.gen(function*() {
              yield* sql`select address from gas_wallets where address = ${token.wallet} for no key update`
              const [row] = yield* sql<
                { readonly full: boolean }
              >`select count(*) >= ${maxTokens} as full from webhook_tokens
              where wallet = ${token.wallet} and revoked_at is null`
              if (row?.full === true) return Option.none()
              const id = yield* Uuid.v7
              yield* sql`insert into webhook_tokens ${sql.insert({ ...token, id, digest, key_id: keyId })}`
              yield* sql`update webhook_tokens set revoked_at = now() where id = ${id}::uuid
              and exists (select 1 from api_keys where id = ${keyId}::uuid and revoked_at is not null)`
              const { base, label, network, pool, quote, wallet } = token
              yield* Audit.append(sql, {
                action: "token.created",
                subject: id,
                wallet,
                details: { key: keyId, network, pool, base, quote, label }
              })
              return Option.some({ id, keyId, ...token })
            })
          ),
        use: (digest) =>
          Effect.map(
            sql<
              WebhookToken
            >`update webhook_tokens set used_at = now() where digest = ${digest} and revoked_at is null returning ${columns}`,
            (rows) => Option.fromNullishOr(rows[0])
          ),
        revoke: (wallet, id) =>
          Effect.map(
            Audit.recorded(
              sql,
              sql<
                { readonly id: string }
              >`update webhook_tokens set revoked_at = now() where wallet = ${wallet} and revoked_at is null
              and ${id === null ? sql`true` : sql`id = ${id}::uuid`} returning id`,
              (rows) => rows.map(({ id: subject }) => ({ action: "token.revoked", subject, wallet }))
            ),
            (rows) => rows.length
          ),
        ofWallet: (wallet) =>
          sql<ListedToken>`select ${columns}, created_at as "createdAt", used_at as "usedAt" from webhook_tokens
            where wallet = ${wallet} and revoked_at is null order by id`
      }
    })
  )
}
