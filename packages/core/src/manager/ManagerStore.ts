/** Managers and the gas wallets in their lists. A wallet may be in several lists: whoever holds its key decides. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"

/** Wallets that one manager's list holds at most. */
export const mostWallets = 100

/** A wallet in a manager's list. */
export interface ManagedWallet {
  readonly wallet: Address
  readonly label: string | null
  readonly since: Date
}

export class ManagerStore extends Context.Tag("vault-trader/core/manager/ManagerStore")<ManagerStore, {
  /** Puts a wallet into a manager's list, under this label; one that is there is renamed, where a label is given. `false`: the list is full. */
  readonly associate: (entry: { readonly manager: Address; readonly wallet: Address; readonly label: string | null }) => Effect.Effect<boolean, SqlError>
  /** Takes a wallet off a manager's list; `false` when it was not on it. */
  readonly deassociate: (manager: Address, wallet: Address) => Effect.Effect<boolean, SqlError>
  /** A manager's wallets, the oldest first. */
  readonly walletsOf: (manager: Address) => Effect.Effect<ReadonlyArray<ManagedWallet>, SqlError>
  readonly has: (manager: Address, wallet: Address) => Effect.Effect<boolean, SqlError>
}>() {
  static readonly layer = Layer.effect(
    ManagerStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      associate: ({ label, manager, wallet }) =>
        sql.withTransaction(Effect.gen(function*() {
          yield* sql`insert into managers (address) values (${manager}) on conflict do nothing`
          // The manager's row serialises additions: none of two gets past the bound.
          yield* sql`select address from managers where address = ${manager} for update`
          const rows = yield* sql`insert into manager_wallets (manager, wallet, label)
            select ${manager}, ${wallet}, ${label}::text where exists (select 1 from manager_wallets where manager = ${manager} and wallet = ${wallet})
              or (select count(*) from manager_wallets where manager = ${manager}) < ${mostWallets}
            on conflict (manager, wallet) do update set label = coalesce(excluded.label, manager_wallets.label) returning wallet`
          return rows.length > 0
        })),
      deassociate: (manager, wallet) =>
        Effect.map(sql`delete from manager_wallets where manager = ${manager} and wallet = ${wallet} returning wallet`, (rows) => rows.length > 0),
      walletsOf: (manager) =>
        sql<ManagedWallet>`select wallet, label, created_at as since from manager_wallets where manager = ${manager} order by created_at, wallet`,
      has: (manager, wallet) =>
        Effect.map(sql`select 1 from manager_wallets where manager = ${manager} and wallet = ${wallet}`, (rows) => rows.length > 0)
    }))
  )
}
