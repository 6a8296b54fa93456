/** Reads everything that can act for a wallet, from the database alone. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address, Hex } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** An API key without the key. */
interface KeyRow {
  readonly lastFour: string
  readonly issuedAt: Date
  readonly usedAt: Date | null
}

/** An entry of a manager's list. */
interface ListRow {
  readonly manager: Address
  /** Null: all networks. */
  readonly network: Network | null
  readonly label: string | null
  readonly since: Date
  readonly usedAt: Date | null
}

/** The open sessions of a manager on a network. */
interface SessionRow {
  readonly manager: Address
  readonly network: Network | null
  readonly count: number
  readonly usedAt: Date | null
  readonly expiresAt: Date
}

interface TokenRow {
  readonly id: string
  readonly network: Network
  readonly pool: Address
  readonly pair: string
  readonly label: string | null
  readonly createdAt: Date
  readonly usedAt: Date | null
}

interface WebhookRow {
  readonly id: string
  readonly url: string
  readonly events: ReadonlyArray<string>
  readonly createdAt: Date
}

/** A notification channel, which may take commands of a chat. */
interface ChannelRow {
  readonly id: string
  readonly kind: string
  readonly name: string
  readonly commands: string
  readonly bound: boolean
  readonly createdAt: Date
}

/** A bot that this wallet set, or that trades a vault which is linked to it. */
interface BotRow {
  readonly kind: "threshold" | "index" | "strategy" | "exchange"
  readonly network: Network | null
  readonly pool: Address | null
  readonly subaccount: string | null
  readonly pair: string | null
  readonly wallet: Address
  readonly setBy: Address | null
  readonly active: boolean
}

/** An open order of a vault that this wallet placed, or of a vault that is linked to it. */
interface OrderRow {
  readonly id: string
  readonly network: Network
  readonly pool: Address
  readonly type: string
  readonly side: string
  readonly pair: string
  readonly wallet: Address
  readonly paper: boolean
}

/** A guardian of a vault that this wallet set, or of a vault that is linked to it. */
interface GuardianRow {
  readonly id: string
  readonly network: Network
  readonly pool: Address
  readonly kind: string
  readonly prefer: ReadonlyArray<string> | null
  readonly closeInto: string | null
  readonly closePositions: boolean | null
  readonly wallet: Address
  readonly paper: boolean
  readonly state: string
  readonly reason: string
  readonly failures: number
}

/** A vault that follows a leader by a rule of this wallet, or a vault that is linked to it. */
interface FollowerRow {
  readonly id: string
  readonly network: Network
  readonly pool: Address
  readonly leader: Address
  readonly state: string
  readonly wallet: Address
}

interface AccountRow {
  readonly name: string
  readonly exchange: string
  readonly manager: Address
  readonly createdAt: Date
}

interface CodeRow {
  readonly network: Network
  readonly code: Hex
  readonly readAt: Date
}

/** Everything that can act for a wallet, besides its private key. */
export interface WalletAuthority {
  readonly key: Option.Option<KeyRow>
  readonly lists: ReadonlyArray<ListRow>
  readonly sessions: ReadonlyArray<SessionRow>
  readonly tokens: ReadonlyArray<TokenRow>
  readonly webhooks: ReadonlyArray<WebhookRow>
  readonly channels: ReadonlyArray<ChannelRow>
  /** The manager who set the limits; null for the operator or a key. */
  readonly limitsSetBy: Address | null
  readonly bots: ReadonlyArray<BotRow>
  readonly orders: ReadonlyArray<OrderRow>
  readonly guardians: ReadonlyArray<GuardianRow>
  readonly followers: ReadonlyArray<FollowerRow>
  readonly accounts: ReadonlyArray<AccountRow>
  /** Networks on which the wallet's account has code. */
  readonly codes: ReadonlyArray<CodeRow>
}

/** Builds the condition that a row `b` is of the wallet, or of a vault that is linked to it. */
const ofWallet = (sql: SqlClient.SqlClient, wallet: Address) =>
  sql`(b.wallet = ${wallet} or exists (select 1 from vault_links l where l.wallet = ${wallet}
    and l.network = b.network and l.pool = b.pool))`

export class WalletAuthorityStore extends Context.Service<WalletAuthorityStore, {
  readonly of: (wallet: Address) => Effect.Effect<WalletAuthority, SqlError>
  /** Checks whether this service holds the wallet's private key. */
  readonly isKnown: (wallet: Address) => Effect.Effect<boolean, SqlError>
}>()("vault-trader/core/manager/WalletAuthorityStore") {
  static readonly layer = Layer.effect(
    WalletAuthorityStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      isKnown: (wallet) =>
        Effect.map(sql`select 1 from gas_wallets where address = ${wallet}`, (rows) => rows.length > 0),
      of: (wallet) =>
        Effect.map(
          Effect.all({
            keys: sql<KeyRow>`select last_four as "lastFour", created_at as "issuedAt", used_at as "usedAt"
              from api_keys where wallet = ${wallet} and revoked_at is null`,
            lists: sql<ListRow>`select manager, nullif(network, 'any') as network, label, created_at as since,
              used_at as "usedAt" from manager_wallets where wallet = ${wallet} order by created_at, manager, network`,
            sessions: sql<SessionRow>`select s.manager, s.network, count(*)::int as count, max(s.used_at) as "usedAt",
              max(s.expires_at) as "expiresAt" from sessions s where s.expires_at > now()
              and s.manager in (select manager from manager_wallets where wallet = ${wallet})
              group by s.manager, s.network order by s.manager, s.network nulls first`,
            tokens: sql<TokenRow>`select id, network, pool, concat(base, '-', quote) as pair, label,
              created_at as "createdAt", used_at as "usedAt" from webhook_tokens
              where wallet = ${wallet} and revoked_at is null order by id`,
            webhooks: sql<WebhookRow>`select id, url, events, created_at as "createdAt" from webhooks
              where wallet = ${wallet} order by id`,
            channels: sql<ChannelRow>`select id, kind, name, rules ->> 'commands' as commands,
              chat_id is not null as bound, created_at as "createdAt" from notification_channels
              where wallet = ${wallet} order by id`,
            limits: sql<{ readonly manager: Address | null }>`select manager from key_limits where wallet = ${wallet}`,
            bots: sql<BotRow>`select * from (
              select 'threshold' as kind, b.network, b.pool, null as subaccount, b.pair, b.wallet, b.set_by as "setBy",
                b.active from threshold_bots b where b.wallet = ${wallet}
                or exists (select 1 from vault_links l where l.wallet = ${wallet} and l.network = b.network
                  and l.pool = b.pool)
              union all select 'index', b.network, b.pool, null, null, b.wallet, b.set_by, b.enabled from index_bots b
                where b.wallet = ${wallet} or exists (select 1 from vault_links l where l.wallet = ${wallet}
                  and l.network = b.network and l.pool = b.pool)
              union all select 'strategy', b.network, b.pool, null, b.strategy, b.wallet, null::text,
                b.paused_code is null from strategy_bots b where b.ended_at is null and ${ofWallet(sql, wallet)}
              union all select 'exchange', null, null, a.name, b.pair, a.wallet, a.manager, b.active
                from exchange_bots b join exchange_accounts a on a.id = b.account_id where a.wallet = ${wallet}
              ) found order by kind, network, pool, pair`,
            orders: sql<OrderRow>`select b.id::text as id, b.network, b.pool, b.terms ->> 'type' as type,
              b.terms ->> 'side' as side, b.terms ->> 'pair' as pair, b.wallet, b.paper from vault_orders b
              where b.ended_at is null and ${ofWallet(sql, wallet)} order by b.id`,
            guardians: sql<
              GuardianRow
            >`select b.id::text as id, b.network, b.pool, b.kind, b.terms -> 'prefer' as prefer,
              b.terms -> 'closeInto' ->> 'symbol' as "closeInto",
              (b.terms ->> 'closePositions')::boolean as "closePositions", b.wallet, b.paper, b.state, b.reason,
              b.failures from vault_guardians b
              where b.ended_at is null and ${ofWallet(sql, wallet)} order by b.id`,
            followers: sql<FollowerRow>`select b.id::text as id, b.network, b.pool, b.leader, b.state, b.wallet
              from vault_followers b where b.ended_at is null and ${ofWallet(sql, wallet)} order by b.id`,
            accounts: sql<AccountRow>`select name, exchange, manager, created_at as "createdAt" from exchange_accounts
              where wallet = ${wallet} order by name`,
            codes: sql<CodeRow>`select network, code, read_at as "readAt" from wallet_codes
              where wallet = ${wallet} and code <> '0x' order by network`
          }),
          ({ keys, limits, ...rest }) => ({
            ...rest,
            key: Option.fromNullishOr(keys[0]),
            limitsSetBy: limits[0]?.manager ?? null
          })
        )
    }))
  )
}
