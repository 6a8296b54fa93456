/**
 * Lists a wallet's intents for display, without their requests, results and plans. Rows are not decoded by a schema: a
 * page of fifty is read often, and the statement returns plain values. No decision may depend on them.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Address, Hash } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { reads } from "../storage/Reads.ts"
import type { Intent } from "./Intent.ts"

/** An entry of a list of intents. */
export interface IntentSummary extends Pick<Intent, "endpoint" | "id" | "network" | "pool" | "status" | "waiting"> {
  readonly txHash: Hash | null
  /** The outcome's message; null while there is no outcome. */
  readonly message: string | null
  readonly createdAt: Date
  readonly updatedAt: Date
  /** True when its wallet has turns of exchange bots, too; most have none, and need no second statement. */
  readonly hasExchangeOrders: boolean
}

interface Query {
  readonly wallet: Address
  readonly network: Network | undefined
  readonly pool: Address | undefined
  /** Id of the last row of the previous page. */
  readonly before: string | undefined
  readonly limit: number
}

export class IntentSummaryStore extends Context.Service<IntentSummaryStore, {
  /** Lists intents, newest first. */
  readonly list: (query: Query) => Effect.Effect<ReadonlyArray<IntentSummary>, SqlError>
}>()("vault-trader/core/intent/IntentSummaryStore") {
  static readonly layer = Layer.effect(
    IntentSummaryStore,
    Effect.map(Effect.all([SqlClient.SqlClient, reads]), ([sql, read]) => ({
      list: ({ before, limit, network, pool, wallet }) =>
        read<IntentSummary>`select id, endpoint, network, pool, status, tx_hash as "txHash", waiting,
            coalesce(outcome ->> 'message', outcome -> 'failure' ->> 'message') as message,
            created_at as "createdAt", updated_at as "updatedAt",
            (select exists (select 1 from exchange_orders where wallet = ${wallet})) as "hasExchangeOrders"
          from intents where ${
          sql.and([
            sql`wallet = ${wallet}`,
            ...(network === undefined ? [] : [sql`network = ${network}`]),
            ...(pool === undefined ? [] : [sql`pool = ${pool}`]),
            ...(before === undefined ? [] : [sql`id < ${before}`])
          ])
        } order by id desc limit ${limit}`
    }))
  )
}
