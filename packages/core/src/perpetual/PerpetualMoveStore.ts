/** Stores the entries of HyperCore's ledger that have settled requests. */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"

export class PerpetualMoveStore extends Context.Service<PerpetualMoveStore, {
  /**
   * Returns the intent's entry, claiming the oldest free one of `entries` if it has none; no other intent gets it. None
   * when all are claimed.
   */
  readonly claim: (move: {
    readonly intentId: string
    readonly network: Network
    readonly pool: Address
    readonly entries: ReadonlyArray<string>
  }) => Effect.Effect<Option.Option<string>, SqlError>
}>()("vault-trader/core/perpetual/PerpetualMoveStore") {
  static readonly layer = Layer.effect(
    PerpetualMoveStore,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      claim: ({ entries, intentId, network, pool }) =>
        Effect.gen(function*() {
          if (entries.length > 0) {
            yield* sql`insert into perpetual_moves (intent_id, network, pool, entry)
              select ${intentId}::uuid, ${network}, ${pool}, free.entry
              from jsonb_array_elements_text(${JSON.stringify(entries)}::jsonb) with ordinality as free(entry, place)
              where not exists (select 1 from perpetual_moves m where m.network = ${network} and m.pool = ${pool} and m.entry = free.entry)
              order by free.place limit 1
              on conflict do nothing`
          }
          const [row] = yield* sql<
            { readonly entry: string }
          >`select entry from perpetual_moves where intent_id = ${intentId}::uuid`
          return Option.map(Option.fromNullishOr(row), ({ entry }) => entry)
        })
    }))
  )
}
