/**
 * Commits the legs of index runs as intents, and stops schedules. Both lock the bot's row: once a bot is disabled, its
 * scheduled run commits no further intent, and an intent that is not planned yet is ended.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { explain } from "../failure/Explanation.ts"
import type { Acceptance, NewIntent } from "./IntentInsert.ts"
import { Failed } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import type { IndexBot } from "../index-bot/IndexBot.ts"
import { IndexBotStore } from "../index-bot/IndexBotStore.ts"
import type { IndexRun } from "../index-bot/IndexRun.ts"
import { IndexRunStore } from "../index-bot/IndexRunStore.ts"

/** Outcome of a leg that was not planned yet when its bot was disabled. */
export const botDisabled = Failed.make({
  txHash: null,
  failure: explain({ _tag: "BotDisabled" })
})

export class IndexLegStore extends Context.Service<IndexLegStore, {
  /** Commits a leg's intent and records it in the run. None when the run is scheduled and its bot is disabled. */
  readonly accept: (run: IndexRun, leg: number, intent: NewIntent) => Effect.Effect<Option.Option<Acceptance>, SqlError>
  /** Stops the schedule and keeps everything else. None when the vault has no bot. */
  readonly disable: (network: Network, pool: Address) => Effect.Effect<Option.Option<IndexBot>, SqlError>
}>()("vault-trader/core/intent/IndexLegStore") {
  static readonly layer = Layer.effect(
    IndexLegStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const bots = yield* IndexBotStore
      const runs = yield* IndexRunStore
      const intents = yield* IntentStore
      return {
        accept: (run, leg, intent) =>
          sql.withTransaction(Effect.gen(function*() {
            const [bot] = yield* sql<{ readonly enabled: boolean }>`select enabled from index_bots
              where network = ${run.network} and pool = ${run.pool} for share`
            // An intent committed before the bot was disabled is followed until it ends.
            const accepted = run.reason === "asked" || bot?.enabled === true
              ? Option.some(yield* intents.acceptInTransaction(intent))
              : yield* intents.findAccepted(intent)
            if (Option.isSome(accepted) && accepted.value._tag === "accepted") {
              yield* runs.recordIntent(run.id, leg, accepted.value.id)
            }
            return accepted
          })),
        disable: (network, pool) =>
          Audit.transaction(
            sql,
            Effect.gen(function*() {
              const bot = yield* bots.disable(network, pool)
              const open = yield* sql<
                { readonly id: string }
              >`select leg ->> 'intentId' as id from index_runs r, jsonb_array_elements(r.legs) leg
              where r.network = ${network} and r.pool = ${pool} and r.state = 'running' and r.reason = 'scheduled'
                and leg -> 'outcome' = 'null'::jsonb and leg ->> 'intentId' is not null`
              yield* Effect.forEach(open, ({ id }) => intents.withdraw(id, botDisabled), {
                discard: true
              })
              return bot
            })
          )
      }
    })
  )
}
