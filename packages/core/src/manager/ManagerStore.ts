/**
 * Stores managers and the gas wallets in their lists. A manager may have a list for all networks, and one for each
 * network of a contract wallet.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** Maximum number of wallets in one manager's lists. */
export const maxWallets = 100

/** A manager and the network of its authority; null for all networks, which only an account's signature proves. */
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

/** The ledger's records of a wallet before it is added to a manager's list. */
export interface History {
  /** The lists that have the wallet. */
  readonly lists: ReadonlyArray<Authority>
  /** Vaults that the wallet is linked to, or has bots, alert tokens or intents for. */
  readonly vaults: ReadonlyArray<KnownVault>
  /** True if it has anything else: a transaction, a charge, or an account at an exchange. */
  readonly acted: boolean
}

/**
 * Result of an addition to a list. `revoked`: the requesting key was revoked in the meantime. `not new`: the wallet has
 * a history by now.
 */
type Added = "added" | "full" | "revoked" | "not new"

/** Returns the audit entry of a change of a manager's list. */
const changeOf = (
  action: "wallet.removed" | "wallet.renamed",
  { manager, network }: Authority,
  wallet: Address,
  label?: string
): Audit.Change => ({ action, subject: manager, wallet, details: { network: network ?? "any", label } })

/** Builds the condition that a row is of the authority's list or, for all networks, of any of the manager's lists. */
const mine = (sql: SqlClient.SqlClient, { manager, network }: Authority) =>
  network === null ? sql`manager = ${manager}` : sql`manager = ${manager} and network = ${network}`

/** Reads the ledger's records of a wallet. */
const historyOf = (sql: SqlClient.SqlClient, wallet: Address) =>
  Effect.gen(function*() {
    const lists = yield* sql<Authority>`select manager, nullif(network, 'any') as network from manager_wallets
      where wallet = ${wallet} order by manager, network`
    const vaults = yield* sql<KnownVault>`
      select network, pool from vault_links where wallet = ${wallet}
      union select network, pool from vault_rules where wallet = ${wallet}
      union select network, pool from webhook_tokens where wallet = ${wallet}
      union select network, pool from intents where wallet = ${wallet} and status <> 'failed'
      order by network, pool`
    const [acted] = yield* sql<
      { readonly acted: boolean }
    >`select exists (select 1 from submissions where wallet = ${wallet})
      or exists (select 1 from charges where wallet = ${wallet}) or exists (select 1 from exchange_accounts
      where wallet = ${wallet}) as acted`
    return { lists, vaults, acted: acted?.acted === true }
  })

export class ManagerStore extends Context.Service<ManagerStore, {
  /**
   * Adds a wallet to a manager's list with this label, or renames it there if a label is given. Waits for a rotation of
   * the wallet's key, and adds nothing when that has revoked the key or, with `onlyNew`, when the wallet has a history.
   */
  readonly associate: (
    entry: Authority & {
      readonly wallet: Address
      readonly label: string | null
      readonly keyId: string
      readonly onlyNew: boolean
    }
  ) => Effect.Effect<Added, SqlError>
  /** Renames a wallet in the manager's list; `false` when the list does not have it. */
  readonly rename: (authority: Authority, wallet: Address, label: string) => Effect.Effect<boolean, SqlError>
  /** Removes a wallet from a manager's list or, with `network: null`, from all its lists; `false` when none had it. */
  readonly deassociate: (authority: Authority, wallet: Address) => Effect.Effect<boolean, SqlError>
  /** Lists a manager's wallets, oldest first: of the list of its network or, with `network: null`, of all its lists. */
  readonly walletsOf: (authority: Authority) => Effect.Effect<ReadonlyArray<ManagedWallet>, SqlError>
  /** Checks whether a manager's list for all networks or for this network has a wallet. */
  readonly hasOn: (manager: Address, network: Network, wallet: Address) => Effect.Effect<boolean, SqlError>
  readonly has: (authority: Authority, wallet: Address) => Effect.Effect<boolean, SqlError>
  /** Checks whether any list has the wallet. */
  readonly isManaged: (wallet: Address) => Effect.Effect<boolean, SqlError>
  /** Returns the ledger's records of a wallet. */
  readonly history: (wallet: Address) => Effect.Effect<History, SqlError>
}>()("vault-trader/core/manager/ManagerStore") {
  static readonly layer = Layer.effect(
    ManagerStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      return {
        history: (wallet) => historyOf(sql, wallet),
        isManaged: (wallet) =>
          Effect.map(sql`select 1 from manager_wallets where wallet = ${wallet} limit 1`, (rows) => rows.length > 0),
        associate: ({ keyId, label, manager, network, onlyNew, wallet }) =>
          Audit.transaction(
            sql,
            Effect.gen(function*() {
              // The lock on the wallet's row serializes this with rotations of its key and with other managers.
              yield* sql`select address from gas_wallets where address = ${wallet} for no key update`
              const active = yield* sql`select 1 from api_keys where id = ${keyId}::uuid and revoked_at is null`
              if (active.length === 0) return "revoked" as const
              if (onlyNew && !isNew(yield* historyOf(sql, wallet), { manager, network })) return "not new" as const
              yield* sql`insert into managers (address) values (${manager}) on conflict do nothing`
              // The lock on the manager's row serializes additions, so that they cannot exceed the limit together.
              yield* sql`select address from managers where address = ${manager} for update`
              const [before] = yield* sql<{ readonly label: string | null }>`select label from manager_wallets
              where manager = ${manager} and wallet = ${wallet} and network = ${network ?? "any"}`
              const rows = yield* sql`insert into manager_wallets (manager, wallet, network, label)
              select ${manager}, ${wallet}, ${
                network ?? "any"
              }, ${label}::text where exists (select 1 from manager_wallets
            where manager = ${manager} and wallet = ${wallet})
                or (select count(distinct wallet) from manager_wallets where manager = ${manager}) < ${maxWallets}
              on conflict (manager, wallet, network) do update
              set label = coalesce(excluded.label, manager_wallets.label) returning wallet`
              if (rows.length === 0) return "full" as const
              const entry = { subject: manager, wallet, details: { network: network ?? "any", label } }
              if (before === undefined) yield* Audit.append(sql, { action: "wallet.associated", ...entry })
              else if (label !== null && before.label !== label) {
                yield* Audit.append(sql, { action: "wallet.renamed", ...entry })
              }
              return "added" as const
            })
          ),
        rename: (authority, wallet, label) =>
          Effect.map(
            Audit.recorded(
              sql,
              sql`update manager_wallets set label = ${label} where ${
                mine(sql, authority)
              } and wallet = ${wallet} returning wallet`,
              (rows) => rows.slice(0, 1).map(() => changeOf("wallet.renamed", authority, wallet, label))
            ),
            (rows) => rows.length > 0
          ),
        deassociate: (authority, wallet) =>
          Effect.map(
            Audit.recorded(
              sql,
              sql`delete from manager_wallets where ${mine(sql, authority)} and wallet = ${wallet} returning wallet`,
              (rows) => rows.slice(0, 1).map(() => changeOf("wallet.removed", authority, wallet))
            ),
            (rows) => rows.length > 0
          ),
        walletsOf: (authority) =>
          sql<ManagedWallet>`select wallet, max(label) as label, min(created_at) as since from manager_wallets where ${
            mine(sql, authority)
          }
            group by wallet order by min(created_at), wallet`,
        hasOn: (manager, network, wallet) =>
          Effect.map(
            sql`select 1 from manager_wallets
              where manager = ${manager} and network in ('any', ${network}) and wallet = ${wallet}`,
            (rows) => rows.length > 0
          ),
        has: (authority, wallet) =>
          Effect.map(
            sql`select 1 from manager_wallets where ${mine(sql, authority)} and wallet = ${wallet}`,
            (rows) => rows.length > 0
          )
      }
    })
  )
}

/**
 * Checks whether a list belongs to another authority. Contract wallets at one address on two networks are different
 * authorities.
 */
export const isAnothers = (list: Authority, { manager, network }: Authority): boolean =>
  list.manager !== manager || (network !== null && list.network !== network)

/** Checks whether a wallet is in no other authority's list and has never been used. */
export const isNew = ({ acted, lists, vaults }: History, authority: Authority): boolean =>
  !acted && vaults.length === 0 && !lists.some((list) => isAnothers(list, authority))
