/** Stores the last reports of the watches of networks and of health factors: a change of state is one event for each wallet. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import type { EventType } from "../webhook/EventTable.ts"
import { walletsWithReceivers } from "../storage/Receivers.ts"

/** One reading of a watch. */
interface Reading {
  readonly watch: "network" | "health"
  /** The network, or the vault at a lender. */
  readonly subject: string
  readonly troubled: boolean
  /** Number of readings in trouble after which it is reported. */
  readonly patience: number
  readonly events: { readonly troubled: EventType; readonly recovered: EventType }
  readonly wallets: ReadonlyArray<Address>
  readonly data: Readonly<Record<string, unknown>>
}

/** A vault whose health factor is watched. */
export interface WatchedVault {
  readonly network: Network
  readonly pool: Address
  readonly wallets: ReadonlyArray<Address>
}

export class WatchStore extends Context.Service<WatchStore, {
  /** Stores a reading, and writes events if it changes what was last reported. */
  readonly report: (reading: Reading) => Effect.Effect<void, SqlError>
  /** Lists the wallets with a receiver of an event that are used on a network. */
  readonly walletsOn: (network: Network, type: EventType) => Effect.Effect<ReadonlyArray<Address>, SqlError>
  /** Lists the vaults with a borrowing that ended well, of wallets with a receiver of `health.low`. */
  readonly borrowers: (networks: ReadonlyArray<Network>) => Effect.Effect<ReadonlyArray<WatchedVault>, SqlError>
}>()("vault-trader/core/notification/WatchStore") {
  static readonly layer = Layer.effect(
    WatchStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      report: ({ data, events, patience, subject, troubled, wallets, watch }) =>
        sql.withTransaction(Effect.gen(function*() {
          yield* sql`insert into watch_reports (watch, subject, troubled) values (${watch}, ${subject}, false)
            on conflict do nothing`
          const [row] = yield* sql<{ readonly troubled: boolean; readonly failures: number }>`select troubled, failures
            from watch_reports where watch = ${watch} and subject = ${subject} for update`
          const failures = troubled ? Math.min((row?.failures ?? 0) + 1, 1000) : 0
          const isTroubled = troubled && (row?.troubled === true || failures >= patience)
          yield* sql`update watch_reports set troubled = ${isTroubled}, failures = ${failures}, updated_at = now()
            where watch = ${watch} and subject = ${subject}`
          if (isTroubled === (row?.troubled === true)) return
          const type = isTroubled ? events.troubled : events.recovered
          for (const wallet of wallets) {
            const told = JSON.stringify({ ...data, gasWallet: wallet })
            yield* sql`select webhook_tell(${type}, ${wallet}, ${told}::jsonb)`
          }
        })),
      walletsOn: (network, type) =>
        Effect.map(
          sql<{ readonly wallet: Address }>`select distinct o.wallet from (${walletsWithReceivers(sql, type)}) o
            where exists (select 1 from vault_links l where l.wallet = o.wallet and l.network = ${network})
              or exists (select 1 from vault_rules r where r.wallet = o.wallet and r.network = ${network})
              or exists (select 1 from intents i where i.wallet = o.wallet and i.network = ${network})`,
          (rows) => rows.map(({ wallet }) => wallet)
        ),
      borrowers: (networks) =>
        networks.length === 0 ? Effect.succeed([]) : sql<WatchedVault>`select i.network, i.pool,
          jsonb_agg(distinct i.wallet) as wallets from intents i
          where i.endpoint in ('borrow', 'lend') and i.status = 'succeeded' and i.network in ${sql.in(networks)}
            and i.wallet in (select wallet from (${walletsWithReceivers(sql, "health.low")}) o)
          group by i.network, i.pool`
    }))
  )
}
