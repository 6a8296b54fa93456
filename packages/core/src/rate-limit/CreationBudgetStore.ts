/**
 * Hourly budgets for creations without a key, of all servers together. They are rows, so a restart refills none, and
 * without the database nothing is created.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Things that can be created without a key. */
export type Creation = "wallets" | "signIns"

/** A creation, its client as a digest, and how many of them all clients and one client may make per hour. */
export interface CreationRequest {
  readonly creation: Creation
  readonly client: string
  readonly perHour: number
  readonly perHourOfClient: number
}

/** A refused creation: the budget that is used up, and what is left of it, below 1. */
export interface BudgetExhausted {
  readonly perHour: number
  readonly tokens: number
}

export class CreationBudgetStore extends Context.Service<CreationBudgetStore, {
  /** Takes one creation from the budget and from the client's part; undefined when it was taken. */
  readonly take: (request: CreationRequest) => Effect.Effect<BudgetExhausted | undefined, SqlError>
}>()("vault-trader/core/rate-limit/CreationBudgetStore") {
  static readonly layer = Layer.effect(
    CreationBudgetStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      /** Returns the tokens of a bucket now; a bucket without a row is full. */
      const tokensOf = (name: string, perHour: number, lock: boolean) =>
        Effect.map(
          sql<{ readonly tokens: number }>`select least(${perHour}::float8, tokens
              + greatest(0, extract(epoch from clock_timestamp() - at)) * ${perHour}::float8 / 3600) as tokens
            from rate_limits where name = ${name} ${lock ? sql`for update` : sql``}`,
          ([row]) => row?.tokens ?? perHour
        )
      const store = (name: string, tokens: number) =>
        sql`insert into rate_limits (name, tokens, at) values (${name}, ${tokens}, clock_timestamp())
          on conflict (name) do update set tokens = excluded.tokens, at = excluded.at`

      return {
        take: ({ client, creation, perHour, perHourOfClient }) =>
          sql.withTransaction(Effect.gen(function*() {
            // The budget's row orders all takers of it, so the client's row needs no lock.
            yield* sql`insert into rate_limits (name, tokens, at)
              values (${creation}, ${perHour}::float8, clock_timestamp()) on conflict (name) do nothing`
            const all = yield* tokensOf(creation, perHour, true)
            if (all < 1) return { perHour, tokens: all }
            const name = `${creation}/${client}`
            const own = yield* tokensOf(name, perHourOfClient, false)
            if (own < 1) return { perHour: perHourOfClient, tokens: own }
            yield* store(creation, all - 1)
            yield* store(name, own - 1)
            return undefined
          }))
      }
    })
  )
}
