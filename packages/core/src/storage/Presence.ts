/** Reads which features have anything to do at all, so that their loops need not ask each for itself. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** The features, each with a condition that an index answers. */
const conditions = {
  guardians: "select 1 from vault_guardians where ended_at is null",
  followers: "select 1 from vault_followers where ended_at is null",
  channels: "select 1 from notification_channels",
  /** A channel or a webhook, which events reach. */
  receivers: "select 1 from notification_channels union all select 1 from webhooks"
} as const

export type Presence = keyof typeof conditions
export const presences = Object.keys(conditions) as ReadonlyArray<Presence>

export class PresenceStore extends Context.Service<PresenceStore, {
  /** Returns the features that have something to do. */
  readonly read: Effect.Effect<ReadonlySet<Presence>, SqlError>
}>()("vault-trader/core/storage/PresenceStore") {
  static readonly layer = Layer.effect(
    PresenceStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      const columns = sql.literal(presences.map((name) => `exists (${conditions[name]}) as ${name}`).join(", "))
      return {
        read: Effect.map(
          sql<Readonly<Record<Presence, boolean>>>`select ${columns}`,
          ([row]) => new Set(presences.filter((name) => row?.[name] === true))
        )
      }
    })
  )
}
