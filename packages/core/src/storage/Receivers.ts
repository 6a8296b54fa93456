/** The receivers of events: webhooks and notification channels, of wallets and of managers. */
import type * as SqlClient from "effect/sql/SqlClient"

/** Builds the query of the wallets that have a receiver of events of a type; its column is `wallet`. */
export const walletsWithReceivers = (sql: SqlClient.SqlClient, type: string) => {
  const wanted = JSON.stringify(type)
  return sql`select r.wallet from (select wallet, manager, events from webhooks
      union all select wallet, manager, events from notification_channels where enabled) r
      where r.wallet is not null and r.events @> ${wanted}::jsonb
    union select m.wallet from (select manager, events from webhooks
      union all select manager, events from notification_channels where enabled) r
      join manager_wallets m on m.manager = r.manager where r.events @> ${wanted}::jsonb`
}
