/**
 * Hourly budgets for creations without a key, of all servers together. They are rows, so a restart refills none, and
 * without the database nothing is created.
 */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
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

/** Rolls back a creation for which the budget of all clients has nothing left. */
class Exhausted extends Data.TaggedError("Exhausted")<{ readonly all: BudgetExhausted }> {}

export class CreationBudgetStore extends Context.Service<CreationBudgetStore, {
  /** Takes one creation from the budget and from the client's part; undefined when it was taken. */
  readonly take: (request: CreationRequest) => Effect.Effect<BudgetExhausted | undefined, SqlError>
}>()("vault-trader/core/rate-limit/CreationBudgetStore") {
  static readonly layer = Layer.effect(
    CreationBudgetStore,
    Effect.map(SqlClient.SqlClient, (sql) => {
      /** The tokens of a row of this budget now. */
      const tokensNow = (perHour: number) =>
        sql`least(${perHour}::float8, rate_limits.tokens
          + greatest(0, extract(epoch from clock_timestamp() - rate_limits.at)) * ${perHour}::float8 / 3600)`
      /** Takes one token of a bucket, which is full without a row; returns what is left when it is below 1. */
      const takeOne = (name: string, perHour: number) =>
        Effect.gen(function*() {
          const taken = yield* sql`insert into rate_limits (name, tokens, at)
            values (${name}, ${perHour}::float8 - 1, clock_timestamp())
            on conflict (name) do update set tokens = ${tokensNow(perHour)} - 1, at = clock_timestamp()
              where ${tokensNow(perHour)} >= 1
            returning 1`
          if (taken.length > 0) return undefined
          const [row] = yield* sql<{ readonly tokens: number }>`select ${tokensNow(perHour)} as tokens
            from rate_limits where name = ${name}`
          return { perHour, tokens: Math.min(row?.tokens ?? 0, 1) }
        })

      return {
        take: ({ client, creation, perHour, perHourOfClient }) =>
          Effect.catchTag(
            sql.withTransaction(Effect.gen(function*() {
              const own = yield* takeOne(`${creation}/${client}`, perHourOfClient)
              if (own !== undefined) return own
              // Last, because all takers wait for this row.
              const all = yield* takeOne(creation, perHour)
              // Undoes what was taken from the client's part.
              return all === undefined ? undefined : yield* new Exhausted({ all })
            })),
            "Exhausted",
            ({ all }) => Effect.succeed(all)
          )
      }
    })
  )
}
