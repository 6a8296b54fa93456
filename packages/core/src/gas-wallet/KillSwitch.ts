/** Stops signing: for the whole service or one wallet. Read in the transaction of every signature, so it holds at once everywhere. */
import * as SqlClient from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address } from "../chain/Address.ts"

/** What a switch stops. */
export type Scope = "service" | `wallet/${Address}`

export interface Switch {
  readonly scope: string
  readonly reason: string
}

export class KillSwitch extends Context.Tag("vault-trader/core/gas-wallet/KillSwitch")<KillSwitch, {
  /** Stops signing; what is accepted meanwhile is refused with 2040, what is signed already goes on. */
  readonly pause: (scope: Scope, reason: string) => Effect.Effect<void, SqlError>
  /** Lets signing go on; tells whether it was stopped. */
  readonly resume: (scope: Scope) => Effect.Effect<boolean, SqlError>
  readonly list: Effect.Effect<ReadonlyArray<Switch>, SqlError>
}>() {
  static readonly layer = Layer.effect(
    KillSwitch,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return {
        pause: (scope, reason) =>
          Effect.asVoid(sql`insert into kill_switches ${sql.insert({ scope, reason })}
            on conflict (scope) do update set reason = excluded.reason`),
        resume: (scope) =>
          Effect.map(sql`delete from kill_switches where scope = ${scope} returning scope`, (rows) => rows.length > 0),
        list: sql<Switch>`select scope, reason from kill_switches order by scope`
      }
    })
  )
}
