/** Stores the vaults a gas wallet is linked to. Links belong to the wallet, so they survive a change of its key. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

/** Maximum number of vaults that one wallet is linked to. */
export const maxLinks = 500

interface VaultLink {
  readonly network: Network
  readonly pool: Address
  readonly protocol: string
  readonly since: Date
}

const changeOf = (
  action: "vault.linked" | "vault.unlinked",
  { network, pool, wallet }: { readonly wallet: Address; readonly network: Network; readonly pool: Address }
): Audit.Change => ({ action, subject: `${network}/${pool}`, wallet })

export class VaultLinkStore extends Context.Service<VaultLinkStore, {
  /** Links a vault, once. `full`: the wallet has the maximum number of links. */
  readonly link: (
    link: { readonly wallet: Address; readonly network: Network; readonly pool: Address; readonly protocol: string }
  ) => Effect.Effect<"linked" | "was linked" | "full", SqlError>
  /** Unlinks a vault; `false` when it was not linked. */
  readonly unlink: (wallet: Address, network: Network, pool: Address) => Effect.Effect<boolean, SqlError>
  /** Lists a wallet's links, on one network or all, by network and vault. */
  readonly ofWallet: (wallet: Address, network?: Network) => Effect.Effect<ReadonlyArray<VaultLink>, SqlError>
}>()("vault-trader/core/gas-wallet/VaultLinkStore") {
  static readonly layer = Layer.effect(
    VaultLinkStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      link: ({ network, pool, protocol, wallet }) =>
        Audit.transaction(
          sql,
          Effect.gen(function*() {
            yield* sql`select address from gas_wallets where address = ${wallet} for no key update`
            const known =
              yield* sql`select 1 from vault_links where wallet = ${wallet} and network = ${network} and pool = ${pool}`
            if (known.length > 0) return "was linked" as const
            const [count] = yield* sql<
              { readonly full: boolean }
            >`select count(*) >= ${maxLinks} as full from vault_links where wallet = ${wallet}`
            if (count?.full === true) return "full" as const
            yield* sql`insert into vault_links ${sql.insert({ wallet, network, pool, protocol })}`
            yield* Audit.append(sql, changeOf("vault.linked", { wallet, network, pool }))
            return "linked" as const
          })
        ),
      unlink: (wallet, network, pool) =>
        Effect.map(
          Audit.recorded(
            sql,
            sql`delete from vault_links where wallet = ${wallet} and network = ${network} and pool = ${pool} returning pool`,
            (rows) => rows.map(() => changeOf("vault.unlinked", { wallet, network, pool }))
          ),
          (rows) => rows.length > 0
        ),
      ofWallet: (wallet, network) =>
        sql<VaultLink>`select network, pool, protocol, created_at as since from vault_links
          where wallet = ${wallet} and ${
          network === undefined ? sql`true` : sql`network = ${network}`
        } order by network, pool`
    }))
  )
}
