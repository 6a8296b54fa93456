/**
 * Limits the number of open intents. They are counted before a new one is accepted, so a caller refused with `busy` has
 * had nothing accepted.
 */
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Batcher from "../storage/Batcher.ts"
import { isPermissionless, permissionlessEndpoints, type QueuedIntent } from "./IntentQueue.ts"

/** Maximum number of open intents before new ones are refused. */
export interface Limits {
  /**
   * Of one wallet at one vault, so that no wallet uses up another wallet's share. Permissionless actions do not count.
   */
  readonly ofVault: number
  readonly ofWallet: number
  readonly ofService: number
}

/** The wallet at the vault, the wallet, or the service has the maximum number of open intents. */
export class BacklogFull
  extends Data.TaggedError("BacklogFull")<{ readonly of: keyof Limits; readonly limit: number }>
{}

/** Number of open intents in the database, by limit. */
type Counts = Readonly<Record<keyof Limits, number>>

const vaultOf = ({ network, pool, wallet }: QueuedIntent): string => `${network}/${pool}/${wallet}`

/** Counts the requests of this process that are being accepted, by the place they count for. */
const makeInProgress = () => {
  const counts = new Map<string, number>()
  const shift = (names: ReadonlyArray<string>, by: number) => {
    for (const name of names) {
      const count = (counts.get(name) ?? 0) + by
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    }
  }
  return { count: (name: string) => counts.get(name) ?? 0, shift }
}

/** Counts at most `limit` rows, through an index that covers open intents only. */
const countOpen = (
  sql: SqlClient.SqlClient,
  which: "service" | "vault" | "wallet",
  value: string,
  limit: number
) => {
  const [network = "", pool = "", wallet = ""] = value.split("/")
  const condition = which === "service"
    ? sql`true`
    : which === "wallet"
    ? sql`wallet = ${value}`
    : sql`network = ${network} and pool = ${pool} and wallet = ${wallet} and not ${
      sql.in("endpoint", permissionlessEndpoints)
    }`
  return sql`(select count(*) from (select 1 from intents
    where ${condition} and status in ('accepted', 'submitted') and withdrawn is null limit ${limit}) as counted)::int`
}

/** Counts the open intents of these places, in one statement. */
const countAll = (sql: SqlClient.SqlClient, limits: Limits, places: ReadonlyArray<QueuedIntent>) =>
  Effect.gen(function*() {
    const vaults = [...new Set(places.filter((place) => !isPermissionless(place)).map(vaultOf))]
    const wallets = [...new Set(places.map(({ wallet }) => wallet))]
    const columns = [
      countOpen(sql, "service", "", limits.ofService),
      ...vaults.map((vault) => countOpen(sql, "vault", vault, limits.ofVault)),
      ...wallets.map((wallet) => countOpen(sql, "wallet", wallet, limits.ofWallet))
    ]
    const [row] = yield* sql<{ readonly counts: ReadonlyArray<number> }>`select array[${sql.csv(columns)}] as counts`
      .pipe(
        Effect.timeoutOrElse({
          duration: "5 seconds",
          orElse: () =>
            Effect.fail(
              new SqlError({
                reason: new ConnectionError({
                  cause: new Error("timeout"),
                  message: "the database did not answer in time"
                })
              })
            )
        })
      )
    const found = (index: number) => row?.counts[index] ?? 0
    return places.map((place): Counts => ({
      ofService: found(0),
      ofVault: isPermissionless(place) ? 0 : found(1 + vaults.indexOf(vaultOf(place))),
      ofWallet: found(1 + vaults.length + wallets.indexOf(place.wallet))
    }))
  })

export class Backlog extends Context.Service<Backlog, {
  /**
   * Runs `accept` if the limits allow one more intent, and fails otherwise. Requests of this process count until
   * `accept` has completed, so one process never exceeds a limit (close to a limit, some concurrent requests may be
   * refused early). Several servers together may exceed it by the requests that the others have in progress.
   */
  readonly within: <A, E, R>(
    place: QueuedIntent,
    accept: Effect.Effect<A, E, R>
  ) => Effect.Effect<A, E | BacklogFull | SqlError, R>
}>()("vault-trader/core/intent/Backlog") {
  static readonly layer = (limits: Limits): Layer.Layer<Backlog, never, SqlClient.SqlClient> =>
    Layer.effect(
      Backlog,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const inProgress = makeInProgress()
        const count = yield* Batcher.make({
          maximum: 100,
          run: (places: ReadonlyArray<QueuedIntent>) => countAll(sql, limits, places)
        })

        return {
          within: (place, accept) => {
            const names: Readonly<Record<keyof Limits, string>> = {
              ofService: "",
              ofVault: vaultOf(place),
              ofWallet: place.wallet
            }
            const kinds = isPermissionless(place)
              ? ["ofWallet", "ofService"] as const
              : ["ofVault", "ofWallet", "ofService"] as const
            return Effect.acquireUseRelease(
              // Read before the rows are counted, so that a request that completes in between is counted at least once.
              Effect.sync(() => {
                const before = kinds.map((kind) => inProgress.count(names[kind]))
                inProgress.shift(kinds.map((kind) => names[kind]), 1)
                return before
              }),
              (before) =>
                Effect.gen(function*() {
                  const counts = yield* count(place)
                  const full = kinds.find((kind, index) => counts[kind] + (before[index] ?? 0) >= limits[kind])
                  if (full !== undefined) return yield* new BacklogFull({ of: full, limit: limits[full] })
                  return yield* accept
                }),
              () => Effect.sync(() => inProgress.shift(kinds.map((kind) => names[kind]), -1))
            )
          }
        }
      })
    )
}
