/** Managers and the gas wallets in their lists. A manager may have a list for all networks, and one for each network it speaks for alone. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** Wallets that one manager's list holds at most. */
export const mostWallets = 100

/** A manager, and the network it speaks for: null for all of them, which only an account's signature proves. */
export interface Authority {
  readonly manager: Address
  readonly network: Network | null
}

/** A wallet in a manager's list. */
export interface ManagedWallet {
  readonly wallet: Address
  readonly label: string | null
  readonly since: Date
}

/** A vault that the ledger connects with a wallet. */
export interface KnownVault {
  readonly network: Network
  readonly pool: Address
}

/** What the ledger knows of a wallet before it gets a manager. */
export interface History {
  /** The lists it is in. */
  readonly lists: ReadonlyArray<Authority>
  /** Vaults it is linked to, has bots or alert tokens for, or was asked to act on. */
  readonly vaults: ReadonlyArray<KnownVault>
  /** Whether it has done anything else: a transaction, a charge, an account at an exchange. */
  readonly acted: boolean
}

/** How an addition to a list ended. `revoked`: the key that asked for it was revoked meanwhile. `not new`: the wallet has a history by now. */
export type Added = "added" | "full" | "revoked" | "not new"

export class ManagerStore extends Context.Service<ManagerStore, {
  /**
   * Puts a wallet into a manager's list, under this label; one that is there is renamed, where a label is given. Waits for a rotation of the
   * wallet's key, and adds nothing when that has revoked the key; nor, with `onlyNew`, when the wallet has a history.
   */
  readonly associate: (entry: Authority & {
    readonly wallet: Address
    readonly label: string | null
    readonly keyId: string
    readonly onlyNew: boolean
  }) => Effect.Effect<Added, SqlError>
  /** Names a wallet of the manager's list; `false` when it is not in it. */
  readonly rename: (authority: Authority, wallet: Address, label: string) => Effect.Effect<boolean, SqlError>
  /** Takes a wallet off a manager's list, or, with `network: null`, off all its lists; `false` when it was on none. */
  readonly deassociate: (authority: Authority, wallet: Address) => Effect.Effect<boolean, SqlError>
  /** A manager's wallets, the oldest first: of the list of its network, or, with `network: null`, of all its lists. */
  readonly walletsOf: (authority: Authority) => Effect.Effect<ReadonlyArray<ManagedWallet>, SqlError>
  /** Whether a wallet is in the list of a vault's manager as far as it is about that network: in the one for all networks, or for this one. */
  readonly hasOn: (manager: Address, network: Network, wallet: Address) => Effect.Effect<boolean, SqlError>
  readonly has: (authority: Authority, wallet: Address) => Effect.Effect<boolean, SqlError>
  /** What is known of a wallet. */
  readonly history: (wallet: Address) => Effect.Effect<History, SqlError>
}>()("vault-trader/core/manager/ManagerStore") {
  static readonly layer = Layer.effect(
    ManagerStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const mine = ({ manager, network }: Authority) => network === null ? sql`manager = ${manager}` : sql`manager = ${manager} and network = ${network}`
      const history = (wallet: Address) =>
        Effect.gen(function*() {
          const lists = yield* sql<Authority>`select manager, nullif(network, 'any') as network from manager_wallets
            where wallet = ${wallet} order by manager, network`
          const vaults = yield* sql<KnownVault>`
            select network, pool from vault_links where wallet = ${wallet}
            union select network, pool from threshold_bots where wallet = ${wallet}
            union select network, pool from index_bots where wallet = ${wallet}
            union select network, pool from webhook_tokens where wallet = ${wallet}
            union select network, pool from intents where wallet = ${wallet} and status <> 'failed'
            order by network, pool`
          const [acted] = yield* sql<{ readonly acted: boolean }>`select exists (select 1 from submissions where wallet = ${wallet})
            or exists (select 1 from charges where wallet = ${wallet}) or exists (select 1 from exchange_accounts where wallet = ${wallet}) as acted`
          return { lists, vaults, acted: acted?.acted === true }
        })
      return {
        history,
        associate: ({ keyId, label, manager, network, onlyNew, wallet }) =>
          sql.withTransaction(Effect.gen(function*() {
            // The wallet's row serialises this with rotations of its key and with other managers.
            yield* sql`select address from gas_wallets where address = ${wallet} for no key update`
            const active = yield* sql`select 1 from api_keys where id = ${keyId}::uuid and revoked_at is null`
            if (active.length === 0) return "revoked" as const
            if (onlyNew && !isNew(yield* history(wallet), { manager, network })) return "not new" as const
            yield* sql`insert into managers (address) values (${manager}) on conflict do nothing`
            // The manager's row serialises additions: none of two gets past the bound.
            yield* sql`select address from managers where address = ${manager} for update`
            const rows = yield* sql`insert into manager_wallets (manager, wallet, network, label)
              select ${manager}, ${wallet}, ${network ?? "any"}, ${label}::text where exists (select 1 from manager_wallets where manager = ${manager} and wallet = ${wallet})
                or (select count(distinct wallet) from manager_wallets where manager = ${manager}) < ${mostWallets}
              on conflict (manager, wallet, network) do update set label = coalesce(excluded.label, manager_wallets.label) returning wallet`
            return rows.length > 0 ? "added" as const : "full" as const
          })),
        rename: (authority, wallet, label) =>
          Effect.map(sql`update manager_wallets set label = ${label} where ${mine(authority)} and wallet = ${wallet} returning wallet`, (rows) => rows.length > 0),
        deassociate: (authority, wallet) =>
          Effect.map(sql`delete from manager_wallets where ${mine(authority)} and wallet = ${wallet} returning wallet`, (rows) => rows.length > 0),
        walletsOf: (authority) =>
          sql<ManagedWallet>`select wallet, max(label) as label, min(created_at) as since from manager_wallets where ${mine(authority)}
            group by wallet order by min(created_at), wallet`,
        hasOn: (manager, network, wallet) =>
          Effect.map(sql`select 1 from manager_wallets where manager = ${manager} and network in ('any', ${network}) and wallet = ${wallet}`, (rows) => rows.length > 0),
        has: (authority, wallet) =>
          Effect.map(sql`select 1 from manager_wallets where ${mine(authority)} and wallet = ${wallet}`, (rows) => rows.length > 0)
      }
    })
  )
}

/** Whether a list is another's. A contract wallet on one network is another than the contract at its address on a second one. */
export const isAnothers = (list: Authority, { manager, network }: Authority): boolean =>
  list.manager !== manager || (network !== null && list.network !== network)

/** Whether a wallet is in nobody else's list, and nothing was ever done with it. */
export const isNew = ({ acted, lists, vaults }: History, authority: Authority): boolean =>
  !acted && vaults.length === 0 && !lists.some((list) => isAnothers(list, authority))
