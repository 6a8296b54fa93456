/** Stores tokens of chart alerts by their digests. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { maxPerMinute, noRules, showQuiet, SignalRules } from "../signal/SignalRules.ts"
import { nameOf, SignalTarget } from "../signal/SignalTarget.ts"
import * as TogetherRead from "../storage/TogetherRead.ts"
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
  readonly rules: SignalRules
  /** The bots that it drives; none: the bot of its vault and pair. */
  readonly targets: ReadonlyArray<SignalTarget>
}

/** A token that a call names, and how many of its calls counted in the last minute; 0 where it has no rate. */
export interface CalledToken extends WebhookToken {
  readonly recent: number
}

/** A token as shown to its owner. */
export interface ListedToken extends WebhookToken {
  readonly createdAt: Date
  readonly usedAt: Date | null
}

const Targets = Schema.Array(SignalTarget)
const encodeTargets = Schema.encodeSync(Schema.fromJsonString(Targets))
const decodeRules = Schema.decodeUnknownEffect(SignalRules)
const decodeTargets = Schema.decodeUnknownEffect(Targets)

/** Decodes the rules and bots of a row. A token that has never been set has no rules. */
const decoded = <T extends WebhookToken>(row: T): Effect.Effect<T> =>
  Effect.orDie(
    Effect.map(
      Effect.all([decodeRules({ ...noRules, ...row.rules }), decodeTargets(row.targets)]),
      ([rules, targets]) => ({ ...row, rules, targets })
    )
  )

/** A called token with the digest that named it. */
interface CalledRow extends CalledToken {
  readonly digest: string
}

/** Builds the read of called tokens, which a burst of alerts makes for many tokens at once. */
const callsOf = (sql: SqlClient.SqlClient, columns: ReturnType<SqlClient.SqlClient["literal"]>) =>
  TogetherRead.make<string, CalledRow>(sql, {
    read: (digests) =>
      sql<CalledRow>`select ${columns}, digest,
          case when t.rules ->> 'perMinute' is null then 0 else (
          select count(*)::int from (select 1 from signals s where s.token = t.id and s.state <> 'refused'
            and s.received_at > now() - interval '1 minute' order by s.id desc limit ${maxPerMinute}) counted) end
          as recent
        from webhook_tokens t where digest in (select jsonb_array_elements_text(${
        JSON.stringify(digests)
      }::jsonb)) and revoked_at is null`,
    isOf: (digest) => (row) => row.digest === digest
  })

export class WebhookTokenStore extends Context.Service<WebhookTokenStore, {
  /**
   * Stores a token; none when the wallet has the maximum number. If the requesting key has been revoked since, the
   * token is revoked from the start, because the rotation that ended the key's tokens could not see it.
   */
  readonly create: (
    token: Omit<WebhookToken, "id" | "rules" | "targets"> & { readonly digest: string }
  ) => Effect.Effect<Option.Option<Pick<WebhookToken, "id">>, SqlError>
  /** Returns the active token with this digest. */
  readonly called: (digest: string) => Effect.Effect<Option.Option<CalledToken>, SqlError>
  /** Returns an active token of a wallet. */
  readonly find: (wallet: Address, id: string) => Effect.Effect<Option.Option<WebhookToken>, SqlError>
  /**
   * Sets some rules of an active token of a wallet, and its bots unless null: what is not given stays, also what another
   * request sets at the same moment. None when there is no such token.
   */
  readonly set: (
    wallet: Address,
    id: string,
    settings: { readonly rules: Partial<SignalRules>; readonly targets: WebhookToken["targets"] | null }
  ) => Effect.Effect<Option.Option<WebhookToken>, SqlError>
  /** Revokes one token of a wallet, or all; returns their number. */
  readonly revoke: (wallet: Address, id: string | null) => Effect.Effect<number, SqlError>
  /** Lists a wallet's active tokens, oldest first. */
  readonly ofWallet: (wallet: Address) => Effect.Effect<ReadonlyArray<ListedToken>, SqlError>
}>()("vault-trader/core/webhook/WebhookTokenStore") {
  static readonly layer = Layer.effect(
    WebhookTokenStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal(`id, wallet, key_id as "keyId", network, pool, base, quote, label, rules, targets`)
      const one = <T extends WebhookToken>(rows: Effect.Effect<ReadonlyArray<T>, SqlError>) =>
        Effect.flatMap(rows, ([row]) => row === undefined ? Effect.succeedNone : Effect.asSome(decoded(row)))
      const calledTogether = yield* callsOf(sql, columns)
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
              return Option.some({ id })
            })
          ),
        called: (digest) =>
          one(Effect.map(calledTogether(digest), (rows) => rows.map(({ digest: _, ...token }) => token))),
        find: (wallet, id) =>
          one(sql<WebhookToken>`select ${columns} from webhook_tokens
            where wallet = ${wallet} and id = ${id}::uuid and revoked_at is null`),
        set: (wallet, id, { rules, targets }) =>
          one(Audit.recorded(
            sql,
            sql<WebhookToken>`update webhook_tokens
              set rules = rules || ${JSON.stringify(rules)}::jsonb,
                targets = coalesce(${targets === null ? null : encodeTargets(targets)}::jsonb, targets)
              where wallet = ${wallet} and id = ${id}::uuid and revoked_at is null returning ${columns}`,
            (rows) =>
              rows.map((row) => {
                const now = { ...noRules, ...row.rules }
                const quiet = now.quiet === null ? null : showQuiet(now.quiet)
                return {
                  action: "token.set",
                  subject: id,
                  wallet,
                  details: { ...now, quiet, bots: row.targets.map(nameOf) }
                }
              })
          )),
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
          Effect.flatMap(
            sql<ListedToken>`select ${columns}, created_at as "createdAt", used_at as "usedAt" from webhook_tokens
              where wallet = ${wallet} and revoked_at is null order by id`,
            (rows) => Effect.forEach(rows, decoded)
          )
      }
    })
  )
}
