/**
 * Stops signing: for the whole service, one wallet, or the bots of one vault. Read in the transaction of every
 * signature, so it takes effect at once everywhere. The owner of a wallet may stop it and its bots, and resume what an
 * operator has not stopped.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { describeReason } from "../failure/Explanation.ts"
import { botScope, type Scope, type ThresholdBotPlace, thresholdBotScope, walletScope } from "./SwitchScope.ts"
import * as TogetherRead from "../storage/TogetherRead.ts"

/** Endpoints whose intents come from bots. The bot switch stops only these. */
export const endpointsOfBots: ReadonlyArray<string> = [
  "setBot",
  "rebalancePool",
  "placeOrder",
  "setFollower",
  "setStrategyBot"
]

/** Builds the switches that are on, and as such the holds of guardians, which stop the bots of their vaults. */
const activeSwitches = (sql: SqlClient.SqlClient) =>
  sql.literal(`(select scope, reason, case when by_guardian then 'guardian' else set_by end as by, cancels,
      false as passes from kill_switches
    union all select 'bot/' || network || '/' || pool, reason, 'guardian', false, true
      from vault_guardians where holds) active`)

interface Switch {
  readonly scope: string
  readonly reason: string
  /** `guardian`: a guardian of the vault has stopped its bots and orders. */
  readonly by: "operator" | "owner" | "guardian"
  /** True if it also cancels what is signed and not mined. */
  readonly cancels: boolean
}

/** Returns the sentence that responses and failures use for an active switch. */
export const stoppedText = ({ reason, scope }: Pick<Switch, "reason" | "scope">): string =>
  describeReason({ _tag: "SigningStopped", scope, reason }).sentence

/**
 * Returns why a bot is stopped, given all active switches; null when none stops it. The switch with the widest scope is
 * returned.
 */
export const stopping = (
  on: ReadonlyArray<Switch>,
  { network, pool, wallet }: { readonly network: Network; readonly pool: Address; readonly wallet: Address }
): string | null => widest(on, ["service", walletScope(wallet), botScope(network, pool)])

/** Returns why a threshold bot is stopped: the same, and a switch of this bot alone. */
export const stoppingThresholdBot = (
  on: ReadonlyArray<Switch>,
  bot: ThresholdBotPlace & { readonly wallet: Address }
): string | null => stopping(on, bot) ?? widest(on, [thresholdBotScope(bot)])

/** Words the first switch that is on; null where none is. */
const widest = (on: ReadonlyArray<Switch>, scopes: ReadonlyArray<Scope>): string | null => {
  const [found] = scopes.flatMap((scope) => on.filter((each) => each.scope === scope))
  return found === undefined ? null : stoppedText(found)
}

/** Returns why a guardian is stopped: the same, without the switches and holds of guardians. */
export const stoppingGuardian = (
  on: ReadonlyArray<Switch>,
  guardian: { readonly network: Network; readonly pool: Address; readonly wallet: Address }
): string | null => stopping(on.filter(({ by }) => by !== "guardian"), guardian)

/** Builds a condition on a row with a `wallet`: no switch stops it. */
export const unlessWalletStopped = (sql: SqlClient.SqlClient, table: string) =>
  sql.literal(`not exists (select 1 from kill_switches k where k.scope in ('service', 'wallet/' || ${table}.wallet))`)

/**
 * Builds a condition on a row of a vault's bots (`network`, `pool`, `wallet`): no switch stops it, and its wallet is not
 * quarantined on the network.
 */
export const unlessStopped = (sql: SqlClient.SqlClient, table: string) => sql.literal(unlessStoppedText(table))

const unlessStoppedText = (table: string) =>
  `not exists (select 1 from kill_switches k
    where k.scope in ('service', 'wallet/' || ${table}.wallet, 'bot/' || ${table}.network || '/' || ${table}.pool))
    and not exists (select 1 from lane_quarantines q
      where q.network = ${table}.network and q.wallet = ${table}.wallet and q.released_at is null)
    and not exists (select 1 from vault_guardians g
      where g.network = ${table}.network and g.pool = ${table}.pool and g.holds)`

/** Builds the scope of a threshold bot from a row with its `network`, `pool`, `base` and `quote`. */
const thresholdBotScopeOf = (table: string) =>
  `'bot/' || ${table}.network || '/' || ${table}.pool || '/' || ${table}.base || '/' || ${table}.quote`

/** Builds a condition on a row of a threshold bot: as `unlessStopped`, and no switch stops this bot alone. */
export const unlessThresholdBotStopped = (sql: SqlClient.SqlClient, table: string) =>
  sql.literal(`${unlessStoppedText(table)}
    and not exists (select 1 from kill_switches k where k.scope = ${thresholdBotScopeOf(table)})`)

/**
 * Builds a condition on a row of a guardian: no switch stops it, besides those that guardians have set, and its wallet is
 * not quarantined on the network.
 */
export const unlessGuardianStopped = (sql: SqlClient.SqlClient, table: string) =>
  sql.literal(`not exists (select 1 from kill_switches k where k.scope in ('service', 'wallet/' || ${table}.wallet)
      or (k.scope = 'bot/' || ${table}.network || '/' || ${table}.pool and not k.by_guardian))
    and not exists (select 1 from lane_quarantines q
      where q.network = ${table}.network and q.wallet = ${table}.wallet and q.released_at is null)`)

/** The rows that a turn of a vault's bot locks while it is committed. */
const rowsOfTurns = [
  "threshold_bots where true",
  ...["vault_orders", "strategy_bots", "vault_guardians", "vault_followers"].map((table) =>
    `${table} where ended_at is null`
  )
]

/**
 * Waits for turns of the vault's bots that are being committed; a turn that begins after this returns sees the
 * switch.
 */
const awaitTurns = (sql: SqlClient.SqlClient, scope: Scope) => {
  const [kind, network = "", pool = ""] = scope.split("/")
  const lock = (rows: string) =>
    sql`select 1 from ${sql.literal(rows)} and network = ${network} and pool = ${pool} order by id for update`
  return kind === "bot" ? Effect.forEach(rowsOfTurns, lock, { discard: true }) : Effect.void
}

/** Returns the wallet that a switch belongs to: of a vault's bots, their wallet if they have the same. */
const walletOf = (sql: SqlClient.SqlClient, scope: Scope) =>
  Effect.gen(function*() {
    const [kind, first = "", pool = ""] = scope.split("/")
    if (kind === "wallet") return first as Address
    if (kind !== "bot") return null
    const [owner, ...others] = yield* sql<{ readonly wallet: Address }>`
      select distinct wallet from vault_rules where network = ${first} and pool = ${pool} and ended_at is null`
    return others.length === 0 ? owner?.wallet ?? null : null
  })

/** Runs a change of a switch and records it, if it changed something. */
const recorded = (
  sql: SqlClient.SqlClient,
  scope: Scope,
  action: "switch.on" | "switch.off",
  details: Audit.Change["details"],
  change: Effect.Effect<ReadonlyArray<unknown>, SqlError>
) =>
  Audit.transaction(
    sql,
    Effect.tap(change, (rows) =>
      rows.length === 0 ?
        Effect.void :
        Effect.flatMap(
          walletOf(sql, scope),
          (wallet) => Audit.append(sql, { action, subject: scope, wallet, details: { ...details } })
        ))
  )

export class KillSwitch extends Context.Service<KillSwitch, {
  /**
   * Stops signing. Intents accepted in the meantime are refused with 2040. Transactions already signed continue, or are
   * cancelled with `cancels`: each is replaced by an empty transaction at its nonce. A switch of bots cancels nothing.
   */
  readonly pause: (scope: Scope, reason: string, cancels?: boolean) => Effect.Effect<void, SqlError>
  /** Resumes signing; returns whether it was stopped. */
  readonly resume: (scope: Scope) => Effect.Effect<boolean, SqlError>
  /** Stops signing on behalf of the wallet's owner. A switch set by an operator stays the operator's. */
  readonly pauseAsOwner: (scope: Scope, reason: string) => Effect.Effect<void, SqlError>
  /** Resumes signing on behalf of the owner; `operator` when only an operator may resume it. */
  readonly resumeAsOwner: (scope: Scope) => Effect.Effect<"resumed" | "was not stopped" | "operator", SqlError>
  readonly list: Effect.Effect<ReadonlyArray<Switch>, SqlError>
  /** Returns the active switches of these scopes. */
  readonly on: (scopes: ReadonlyArray<Scope>) => Effect.Effect<ReadonlyArray<Switch>, SqlError>
}>()("vault-trader/core/gas-wallet/KillSwitch") {
  static readonly layer = Layer.effect(
    KillSwitch,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const columns = sql.literal("scope, reason, by, cancels")
      const active = activeSwitches(sql)
      const list = yield* TogetherRead.make<"all", Switch>(sql, {
        read: () => sql<Switch>`select ${columns} from ${active} order by scope, passes`,
        isOf: () => () => true
      })
      return {
        pause: (scope, reason, cancels = false) =>
          Effect.andThen(
            recorded(
              sql,
              scope,
              "switch.on",
              { reason, cancels, set_by: "operator" },
              sql`insert into kill_switches ${sql.insert({ scope, reason, set_by: "operator", cancels })}
                on conflict (scope) do update set reason = excluded.reason, set_by = excluded.set_by,
                cancels = excluded.cancels, by_guardian = false
                where (kill_switches.reason, kill_switches.set_by, kill_switches.cancels, kill_switches.by_guardian)
                  is distinct from (excluded.reason, excluded.set_by, excluded.cancels, false) returning scope`
            ),
            awaitTurns(sql, scope)
          ),
        resume: (scope) =>
          Effect.map(
            recorded(
              sql,
              scope,
              "switch.off",
              {},
              sql`delete from kill_switches where scope = ${scope} returning scope`
            ),
            (rows) => rows.length > 0
          ),
        pauseAsOwner: (scope, reason) =>
          Effect.andThen(
            recorded(
              sql,
              scope,
              "switch.on",
              { reason, set_by: "owner" },
              sql`insert into kill_switches ${sql.insert({ scope, reason, set_by: "owner" })}
                on conflict (scope) do update set reason = excluded.reason, by_guardian = false
                where kill_switches.set_by = 'owner'
                  and (kill_switches.reason <> excluded.reason or kill_switches.by_guardian) returning scope`
            ),
            awaitTurns(sql, scope)
          ),
        resumeAsOwner: (scope) =>
          sql.withTransaction(Effect.gen(function*() {
            const gone = yield* recorded(
              sql,
              scope,
              "switch.off",
              { set_by: "owner" },
              sql`delete from kill_switches where scope = ${scope} and set_by = 'owner' returning scope`
            )
            if (gone.length > 0) return "resumed" as const
            const left = yield* sql`select 1 from kill_switches where scope = ${scope}`
            return left.length > 0 ? "operator" as const : "was not stopped" as const
          })),
        list: list("all"),
        on: yield* TogetherRead.make<ReadonlyArray<Scope>, Switch>(sql, {
          read: (all) =>
            sql<Switch>`select ${columns} from ${active} where scope in ${
              sql.in([...new Set(all.flat())])
            } order by scope desc, passes`,
          isOf: (scopes) => ({ scope }) => scopes.some((each) => each === scope)
        })
      }
    })
  )
}
