/** How much accepted work is open. Counted before more of it is accepted, so that whoever is told `busy` has had nothing accepted. */
import * as SqlClient from "effect/sql/SqlClient"
import { ConnectionError, SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Batcher from "../storage/Batcher.ts"
import { isPermissionless, permissionlessEndpoints, type Placed } from "./IntentQueue.ts"

/** The most open intents before new ones are turned away. */
export interface Limits {
  /** Of one wallet at one vault: no wallet uses up another wallet's room there. Permissionless actions do not count. */
  readonly ofVault: number
  readonly ofWallet: number
  readonly ofService: number
}

/** As many intents of the wallet at the vault, the wallet or the service are open as may be. */
export class BacklogFull extends Data.TaggedError("BacklogFull")<{ readonly of: keyof Limits; readonly limit: number }> {}

/** Intents open in the database, by the names of what they belong to. */
type Counts = Readonly<Record<keyof Limits, number>>

export class Backlog extends Context.Service<Backlog, {
  /**
   * Runs `accept` when there is room for one more, and does not otherwise. Requests of this process are counted from here on until
   * `accept` is through, so it alone never goes over a limit (near it, some that come at once may be turned away early); several
   * servers together may, by what the others have under way.
   */
  readonly within: <A, E, R>(place: Placed, accept: Effect.Effect<A, E, R>) => Effect.Effect<A, E | BacklogFull | SqlError, R>
}>()("vault-trader/core/intent/Backlog") {
  static readonly layer = (limits: Limits): Layer.Layer<Backlog, never, SqlClient.SqlClient> =>
    Layer.effect(
      Backlog,
      Effect.gen(function*() {
        const sql = yield* SqlClient.SqlClient
        const underWay = new Map<string, number>()
        const shift = (names: ReadonlyArray<string>, by: number) => {
          for (const name of names) {
            const count = (underWay.get(name) ?? 0) + by
            if (count === 0) underWay.delete(name)
            else underWay.set(name, count)
          }
        }

        /** Never more rows than the limit are counted, and each through an index of open intents alone. */
        const open = (which: "service" | "vault" | "wallet", value: string, limit: number) => {
          const [network = "", pool = "", wallet = ""] = value.split("/")
          const condition = which === "service"
            ? sql`true`
            : which === "wallet"
            ? sql`wallet = ${value}`
            : sql`network = ${network} and pool = ${pool} and wallet = ${wallet} and not ${sql.in("endpoint", permissionlessEndpoints)}`
          return sql`(select count(*) from (select 1 from intents where ${condition} and status in ('accepted', 'submitted') limit ${limit}) as counted)::int`
        }

        const count = yield* Batcher.make({
          maximum: 100,
          run: (places: ReadonlyArray<Placed>) =>
            Effect.gen(function*() {
              const vaults = [...new Set(places.filter((place) => !isPermissionless(place)).map(vaultOf))]
              const wallets = [...new Set(places.map(({ wallet }) => wallet))]
              const columns = [
                open("service", "", limits.ofService),
                ...vaults.map((vault) => open("vault", vault, limits.ofVault)),
                ...wallets.map((wallet) => open("wallet", wallet, limits.ofWallet))
              ]
              const [row] = yield* sql<{ readonly counts: ReadonlyArray<number> }>`select array[${sql.csv(columns)}] as counts`.pipe(
                Effect.timeoutOrElse({ duration: "5 seconds", orElse: () => Effect.fail(new SqlError({ reason: new ConnectionError({ cause: new Error("timeout"), message: "the database does not answer" }) })) })
              )
              const found = (index: number) => row?.counts[index] ?? 0
              return places.map((place): Counts => ({
                ofService: found(0),
                ofVault: isPermissionless(place) ? 0 : found(1 + vaults.indexOf(vaultOf(place))),
                ofWallet: found(1 + vaults.length + wallets.indexOf(place.wallet))
              }))
            })
        })

        return {
          within: (place, accept) => {
            const names: Readonly<Record<keyof Limits, string>> = { ofService: "", ofVault: vaultOf(place), ofWallet: place.wallet }
            const kinds = isPermissionless(place) ? ["ofWallet", "ofService"] as const : ["ofVault", "ofWallet", "ofService"] as const
            return Effect.acquireUseRelease(
              // Before the rows are counted: what was under way then and is not in them any more is still counted here.
              Effect.sync(() => {
                const before = kinds.map((kind) => underWay.get(names[kind]) ?? 0)
                shift(kinds.map((kind) => names[kind]), 1)
                return before
              }),
              (before) =>
                Effect.gen(function*() {
                  const counts = yield* count(place)
                  const full = kinds.find((kind, index) => counts[kind] + (before[index] ?? 0) >= limits[kind])
                  if (full !== undefined) return yield* new BacklogFull({ of: full, limit: limits[full] })
                  return yield* accept
                }),
              () => Effect.sync(() => shift(kinds.map((kind) => names[kind]), -1))
            )
          }
        }
      })
    )
}

const vaultOf = ({ network, pool, wallet }: Placed): string => `${network}/${pool}/${wallet}`
