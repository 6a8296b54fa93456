/** Wakes the rules of a network's vaults whose reading is due. One singleton per network; the cluster moves it. */
import type { Network } from "@vault-trader/core/chain/Network"
import type { Presence } from "@vault-trader/core/storage/Presence"
import { withoutTracing } from "@vault-trader/core/telemetry/UntracedLoop"
import * as Singleton from "effect/cluster/Singleton"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { SqlError } from "effect/sql/SqlError"
import { Chains } from "../chain/Chains.ts"
import * as IdleWait from "../actor/IdleWait.ts"

/** Maximum number of rows in memory at a time. */
const pageSize = 500
/** Rules that read at the same time. */
const concurrency = 8

/** A kind of rule to watch. */
export interface Watched<Row, E, R> {
  /** The singleton's name, without the network. */
  readonly name: string
  /** The table that is empty while there is nothing to watch. */
  readonly presence: Presence
  /** Seconds between two readings of a rule. */
  readonly seconds: number
  /** Lists the rules that are due; a page. */
  readonly due: (
    network: Network,
    page: { readonly after: string | null; readonly size: number }
  ) => Effect.Effect<ReadonlyArray<Row>, SqlError>
  readonly wake: (rule: Row) => Effect.Effect<void, E, R>
}

/** Wakes the rules that are due, page by page. */
const round = <Row extends { readonly id: string }, E, R>(
  { due, name, wake }: Watched<Row, E, R>,
  network: Network
) => {
  const woken = (rule: Row) =>
    wake(rule).pipe(
      Effect.timeout("20 seconds"),
      Effect.catchCause((cause) => Effect.logDebug(`a rule of ${name} was not woken`, cause))
    )
  return withoutTracing((traced) =>
    Effect.gen(function*() {
      let after: string | null = null
      for (;;) {
        const rows: ReadonlyArray<Row> = yield* due(network, { after, size: pageSize })
        if (rows.length > 0) {
          yield* Effect.forEach(rows, woken, { concurrency, discard: true }).pipe(
            Effect.withSpan(`${name}.round`, { attributes: { network, due: rows.length } }),
            traced
          )
        }
        after = rows.at(-1)?.id ?? after
        if (rows.length < pageSize) return
      }
    })
  )
}

/** Watches every network that this runner serves. */
export const layer = <Row extends { readonly id: string }, E, R, E2, R2>(
  watched: Effect.Effect<Watched<Row, E, R>, E2, R2>
) =>
  Layer.unwrap(Effect.map(Effect.all([Chains, watched]), ([{ networks }, what]) => {
    const { name, presence, seconds } = what
    const runRounds = (network: Network) => {
      const checked = round(what, network).pipe(
        Effect.catchCause((cause) => Effect.logWarning(`a round of ${name} failed`, cause))
      )
      // Its own pauses are shorter than a reading's interval: what follows an action is soon due.
      return IdleWait.forever(presence, checked, `${Math.max(1, seconds / 5)} seconds`)
    }
    return Layer.mergeAll(
      Layer.empty,
      ...networks.map((network) => Singleton.make(`${name}/${network}`, runRounds(network)))
    )
  }))
