/** The audit log of the manager's wallets: the newest entries are live, older ones are loaded on demand. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { AuditEntryView } from "@vault-trader/core/audit/AuditApi"
import { call } from "../connection/RpcConnection.ts"
import { useLivePages } from "../shell/useLivePages.ts"

/** Number of live entries. */
const pageSize = 30

interface Page {
  readonly entries: ReadonlyArray<AuditEntryView>
  readonly cursor: number | null
}

/** Follows the entries of one wallet, or of all wallets and of the manager itself. */
export const useAuditLog = (wallet: Address | undefined) => {
  const about = wallet === undefined ? {} : { wallet }
  return useLivePages<AuditEntryView, Page>({
    key: ["audit", about],
    newest: (client) => client.live["manager.getAuditLog"]({ ...about, limit: pageSize }),
    older: (cursor) => call((client) => client.manager.getAuditLog({ ...about, limit: 50, cursor: Number(cursor) })),
    rowsOf: ({ cursor, entries }) => ({ rows: entries, cursor: cursor === null ? null : String(cursor) }),
    idOf: ({ seq }) => String(seq).padStart(16, "0")
  })
}
