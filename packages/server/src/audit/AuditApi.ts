/** Handler of the audit log. It reads only the database. */
import { auditActions } from "@vault-trader/core/audit/AuditAction"
import { AuditApi, type AuditEntryView, defaultEntries } from "@vault-trader/core/audit/AuditApi"
import type { AuditEntry } from "@vault-trader/core/audit/AuditEntry"
import { AuditStore, type Reader } from "@vault-trader/core/audit/AuditStore"
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { Principal } from "@vault-trader/core/endpoint/Admission"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Handlers from "../wire/Handlers.ts"
import { query } from "../gate/ActorCall.ts"

const descriptions: Readonly<Record<string, string>> = auditActions

const viewOf = ({ action, actor, at, details, digest, seq, subject, wallet }: AuditEntry): AuditEntryView => {
  // Tenants do not see the names of the operator's people and machines.
  const isOperator = actor.kind === "operator"
  return {
    seq,
    at,
    action,
    description: descriptions[action] ?? action,
    wallet: wallet as Address | null,
    subject,
    actor_kind: actor.kind,
    actor: isOperator ? null : actor.id,
    from: isOperator ? null : actor.from,
    credential: isOperator ? null : actor.credential,
    details,
    digest
  }
}

const notYours = (wallet: Address) =>
  new ValidationFailure({
    code: "1005",
    message: `wallet: ${wallet} is not the wallet of the key, or not in the manager's list`
  })

/** Returns the entries that a request may see: of its wallets, and of the manager itself unless one wallet is named. */
const readerOf = (managers: ManagerStore["Service"], wallet: Address | undefined, network: Network | null) =>
  Effect.gen(function*() {
    const principal = yield* Principal
    if (principal._tag === "key") {
      const own = principal.caller.wallet
      if (wallet !== undefined && wallet !== own) return yield* notYours(wallet)
      return { wallets: [own] } satisfies Reader
    }
    const { manager } = principal
    const wallets = (yield* query(managers.walletsOf({ manager, network }))).map((each) => each.wallet)
    if (wallet === undefined) return { wallets, manager: { address: manager, network } } satisfies Reader
    if (!wallets.includes(wallet)) return yield* notYours(wallet)
    return { wallets: [wallet] } satisfies Reader
  })

export const AuditApiLive = Handlers.layer(
  AuditApi,
  Effect.gen(function*() {
    const store = yield* AuditStore
    const managers = yield* ManagerStore
    return {
      getAuditLog: ({ action, cursor, limit = defaultEntries, network, wallet }) =>
        Effect.gen(function*() {
          const reader = yield* readerOf(managers, wallet, network ?? null)
          const rows = yield* query(store.listFor(reader, { action, before: cursor, limit: limit + 1 }))
          const entries = rows.slice(0, limit)
          return {
            entries: entries.map(viewOf),
            cursor: rows.length > limit ? entries.at(-1)?.seq ?? null : null
          }
        })
    }
  })
).pipe(Layer.provide([AuditStore.layer, ManagerStore.layer]))
