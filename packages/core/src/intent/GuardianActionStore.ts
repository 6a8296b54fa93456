/**
 * The transactions that set, reset and delete guardians of vaults, trip and clear them, and begin and end their actions.
 * Each locks the guardian's row first. An action and its intent are committed together.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import type { Address } from "../chain/Address.ts"
import type { Network } from "../chain/Network.ts"
import { explain } from "../failure/Explanation.ts"
import { KillSwitch, stoppingGuardian } from "../gas-wallet/KillSwitch.ts"
import { botScope } from "../gas-wallet/SwitchScope.ts"
import {
  actionKey,
  actionName,
  type Guardian,
  GuardianAction,
  type GuardianEvent,
  type GuardianMemory,
  GuardianTerms,
  maxActionsPerDay,
  maxFailures,
  noMemory
} from "../guardian/Guardian.ts"
import { appendEvent, columnsOf, decodeGuardians, encodeMemory } from "../guardian/GuardianStore.ts"
import { afterAction } from "../guardian/HealthRepair.ts"
import * as Uuid from "../storage/Uuid.ts"
import { Failed, type IntentRequest, type Outcome } from "./Intent.ts"
import { IntentStore } from "./IntentStore.ts"
import { endTextOf } from "./SliceOutcome.ts"

/** A guardian to set: a vault has one of each kind. */
export type NewGuardian = Pick<Guardian, "network" | "pool" | "wallet" | "keyId" | "terms" | "paper">

/** `busy`: another guardian of the vault acts. `spent`: the day's actions are used. `changed`: it was read too early. */
export type Beginning =
  | { readonly _tag: "begun"; readonly intentId: string }
  | { readonly _tag: "busy" | "spent" | "changed" }

/** Seconds until a guardian reads again after an action has ended. */
const settleSeconds = 2

const encodeTerms = Schema.encodeSync(Schema.fromJsonString(GuardianTerms))
const encodeAction = Schema.encodeSync(Schema.fromJsonString(GuardianAction))
const decodeAction = Schema.decodeUnknownSync(GuardianAction)

const changeOf = (
  action: "guardian.set" | "guardian.tripped" | "guardian.reset" | "guardian.deleted",
  { id, network, paper, pool, terms, wallet }: Pick<Guardian, "id" | "network" | "pool" | "terms" | "wallet" | "paper">
): Audit.Change => ({ action, subject: id, wallet, details: { network, pool, kind: terms._tag, paper } })

const makeRows = (sql: SqlClient.SqlClient) => {
  const columns = columnsOf(sql)
  return {
    columns,
    lock: (id: string) =>
      Effect.map(
        decodeGuardians(sql`select ${columns} from vault_guardians where id = ${id} for update`),
        ([guardian]) => guardian
      )
  }
}
type Rows = ReturnType<typeof makeRows>

const makeSet = (sql: SqlClient.SqlClient, { columns }: Rows) => (guardian: NewGuardian) =>
  Audit.transaction(
    sql,
    Effect.gen(function*() {
      const { keyId, network, paper, pool, terms, wallet } = guardian
      const memory = encodeMemory(noMemory)
      const text = encodeTerms(terms)
      // New terms keep the state and what was seen; what was on paper, or is now, begins again.
      const [set] = yield* decodeGuardians(sql`insert into vault_guardians (id, network, pool, kind, wallet, key_id,
          terms, paper, memory, reason)
        values (${yield* Uuid.v7}, ${network}, ${pool}, ${terms._tag}, ${wallet}, ${keyId}, ${text}::jsonb, ${paper},
          ${memory}::jsonb, 'It was set.')
        on conflict (network, pool, kind) where ended_at is null do update set wallet = excluded.wallet,
          key_id = excluded.key_id, terms = excluded.terms, paper = excluded.paper,
          revision = vault_guardians.revision + 1, failures = 0, reason = excluded.reason, next_check = now(),
          updated_at = now(),
          memory = case when vault_guardians.paper <> excluded.paper then excluded.memory
            else vault_guardians.memory || '{"row": null, "skipped": []}'::jsonb end,
          state = case when vault_guardians.paper <> excluded.paper and vault_guardians.open_intent is null
            then 'armed' else vault_guardians.state end,
          tripped_at = case when vault_guardians.paper <> excluded.paper and vault_guardians.open_intent is null
            then null else vault_guardians.tripped_at end
        returning ${columns}`)
      if (set === undefined) return yield* Effect.die(new Error("a guardian that was set has no row"))
      yield* appendEvent(sql, set.id, "set", "It was set.")
      yield* Audit.append(sql, changeOf("guardian.set", set))
      return set
    })
  )

const makeReset = (sql: SqlClient.SqlClient, { columns, lock }: Rows) => (id: string) =>
  Audit.transaction(
    sql,
    Effect.gen(function*(): Effect.fn.Return<Option.Option<Guardian>, SqlError> {
      const guardian = yield* lock(id)
      if (guardian === undefined || guardian.endedAt !== null) return Option.none()
      if (guardian.openIntent !== null) return Option.some(guardian)
      const [reset] = yield* decodeGuardians(sql`update vault_guardians set state = 'armed', tripped_at = null,
          memory = ${encodeMemory(noMemory)}::jsonb, failures = 0, revision = revision + 1, reason = 'It was reset.',
          next_check = now(), updated_at = now() where id = ${id} returning ${columns}`)
      yield* appendEvent(sql, id, "reset", "It was reset.")
      yield* Audit.append(sql, changeOf("guardian.reset", guardian))
      return Option.fromNullishOr(reset)
    })
  )

const makeRemove =
  (sql: SqlClient.SqlClient, intents: IntentStore["Service"], { columns, lock }: Rows) => (id: string) =>
    Audit.transaction(
      sql,
      Effect.gen(function*(): Effect.fn.Return<Option.Option<Guardian>, SqlError> {
        const guardian = yield* lock(id)
        if (guardian === undefined || guardian.endedAt !== null) return Option.none()
        // An action that is not planned yet never is; the outcome of another one is its intent's.
        if (guardian.openIntent !== null) {
          const failure = explain({ _tag: "GuardianDeleted" })
          yield* intents.withdraw(guardian.openIntent, Failed.make({ txHash: null, failure }))
        }
        yield* sql`update vault_guardian_actions set state = 'failed', ended_at = now(),
          message = 'The guardian was deleted; getIntent has the outcome.'
        where guardian_id = ${id} and state = 'in_progress'`
        const [removed] = yield* decodeGuardians(sql`update vault_guardians set ended_at = now(), open_intent = null,
          reason = 'It was deleted.', updated_at = now() where id = ${id} returning ${columns}`)
        yield* appendEvent(sql, id, "deleted", "It was deleted.")
        yield* Audit.append(sql, changeOf("guardian.deleted", guardian))
        return Option.fromNullishOr(removed)
      })
    )

/** The change of a guardian's state by a reading. */
export interface Transition {
  readonly state: Guardian["state"]
  readonly event: Extract<GuardianEvent["kind"], "tripped" | "cleared" | "done" | "failed">
  readonly memory: GuardianMemory
  readonly reason: string
  /** Seconds until the next reading. */
  readonly seconds: number
}

const makeMove =
  (sql: SqlClient.SqlClient, { lock }: Rows) =>
  (read: Guardian, { event, memory, reason, seconds, state }: Transition) =>
    Audit.transaction(
      sql,
      Effect.gen(function*() {
        const guardian = yield* lock(read.id)
        const isCurrent = guardian !== undefined && guardian.endedAt === null && guardian.openIntent === null &&
          guardian.revision === read.revision && guardian.state === read.state &&
          encodeMemory(guardian.memory) === encodeMemory(read.memory)
        if (!isCurrent) return false
        yield* sql`update vault_guardians set state = ${state}, memory = ${encodeMemory(memory)}::jsonb, failures = 0,
          reason = ${reason}, checked_at = now(), updated_at = now(),
          tripped_at = case when ${state} = 'armed' then null else coalesce(tripped_at, now()) end,
          next_check = now() + make_interval(secs => ${seconds})
        where id = ${guardian.id}`
        yield* appendEvent(sql, guardian.id, event, reason)
        if (event === "tripped") yield* Audit.append(sql, changeOf("guardian.tripped", guardian))
        if (event === "tripped" && guardian.terms._tag === "loss_breaker" && !guardian.paper) {
          yield* sql`insert into kill_switches ${
            sql.insert({
              scope: botScope(guardian.network, guardian.pool),
              reason: `the loss breaker has tripped: ${reason}`.slice(0, 300),
              set_by: "owner",
              by_guardian: true
            })
          } on conflict (scope) do nothing`
        }
        return true
      })
    )

const makeBegin = (
  sql: SqlClient.SqlClient,
  intents: IntentStore["Service"],
  switches: KillSwitch["Service"],
  { columns }: Rows
) =>
(read: Guardian, action: GuardianAction, request: IntentRequest, memory: GuardianMemory) =>
  sql.withTransaction(Effect.gen(function*(): Effect.fn.Return<Beginning, SqlError> {
    const { network, pool } = read
    // All of the vault, in one order: of two that act, one begins.
    const all = yield* decodeGuardians(sql`select ${columns} from vault_guardians
      where network = ${network} and pool = ${pool} and ended_at is null order by id for update`)
    const guardian = all.find(({ id }) => id === read.id)
    const isCurrent = guardian?.state === "acting" && guardian.openIntent === null && guardian.step === read.step &&
      guardian.revision === read.revision && encodeMemory(guardian.memory) === encodeMemory(read.memory)
    if (guardian === undefined || !isCurrent) return { _tag: "changed" }
    const others = all.filter(({ id, state }) => id !== guardian.id && state === "acting")
    // Debt comes first: what its repair has bought must not be sold by the breaker.
    const isFirst = others.every((other) => other.openIntent === null && other.terms._tag !== "health_factor")
    if (!isFirst) return { _tag: "busy" }
    if (stoppingGuardian(yield* switches.list, guardian) !== null) return { _tag: "changed" }
    // Those of deleted guardians count, too: one that is set again does not begin with an unused day.
    const [day] = yield* sql<{ readonly made: number }>`select count(*)::int as made
      from vault_guardians g join vault_guardian_actions a on a.guardian_id = g.id
      where g.network = ${network} and g.pool = ${pool} and g.kind = ${guardian.terms._tag}
        and a.begun_at > now() - interval '1 day'`
    if ((day?.made ?? 0) >= maxActionsPerDay) return { _tag: "spent" }
    const { _tag, id } = yield* intents.acceptInTransaction({
      wallet: guardian.wallet,
      keyId: guardian.keyId,
      endpoint: "setGuardian",
      network,
      pool,
      request,
      idempotencyKey: actionKey(guardian.id, guardian.step)
    })
    if (_tag !== "accepted") {
      return yield* Effect.die(new Error(`action ${guardian.step} of guardian ${guardian.id} has an intent`))
    }
    yield* sql`insert into vault_guardian_actions (guardian_id, step, intent_id, action)
      values (${guardian.id}, ${guardian.step}, ${id}, ${encodeAction(action)}::jsonb)`
    yield* sql`update vault_guardians set open_intent = ${id}, memory = ${encodeMemory(memory)}::jsonb,
        checked_at = now(), updated_at = now(), next_check = now() where id = ${guardian.id}`
    yield* appendEvent(sql, guardian.id, "action_begun", `It begins to ${actionName(action)}.`)
    return { _tag: "begun", intentId: id }
  }))

const makeEndAction =
  (sql: SqlClient.SqlClient, { lock }: Rows) => (guardianId: string, intentId: string, outcome: Outcome) =>
    sql.withTransaction(Effect.gen(function*() {
      const guardian = yield* lock(guardianId)
      if (guardian === undefined) return false
      const { counts, message, succeeded, txHash } = endTextOf(outcome)
      const [ended] = yield* sql<{ readonly action: unknown }>`update vault_guardian_actions
      set state = ${succeeded ? "succeeded" : "failed"}, tx_hash = ${txHash}, message = ${message}, ended_at = now()
      where guardian_id = ${guardianId} and intent_id = ${intentId} and state = 'in_progress' returning action`
      if (ended === undefined) return false
      const action = decodeAction(ended.action)
      const failures = succeeded ? 0 : counts ? guardian.failures + 1 : guardian.failures
      const givesUp = failures >= maxFailures
      const after = afterAction(guardian.memory, action, succeeded)
      const memory = givesUp ? { ...after, skipped: [...after.skipped, actionName(action)] } : after
      yield* appendEvent(sql, guardianId, succeeded ? "action_succeeded" : "action_failed", message)
      if (givesUp) {
        yield* appendEvent(
          sql,
          guardianId,
          "failed",
          `${failures} tries in a row to ${actionName(action)} failed, the last one with: ${message}`
        )
      }
      yield* sql`update vault_guardians set open_intent = null, step = step + 1, failures = ${givesUp ? 0 : failures},
        memory = ${encodeMemory(memory)}::jsonb, reason = ${message}, updated_at = now(),
        -- Each failure in a row doubles the wait.
        next_check = case when ${succeeded} then now() + make_interval(secs => ${settleSeconds})
          else now() + interval '15 seconds' * power(2, ${Math.min(failures, maxFailures)}::int) end
      where id = ${guardianId}`
      return givesUp
    }))

export class GuardianActionStore extends Context.Service<GuardianActionStore, {
  /** Sets the vault's guardian of a kind; one that exists gets the new terms and keeps its state and memory. */
  readonly set: (guardian: NewGuardian) => Effect.Effect<Guardian, SqlError>
  /** Arms a guardian again, without what it has seen; one with an action in progress is returned as it is. */
  readonly reset: (id: string) => Effect.Effect<Option.Option<Guardian>, SqlError>
  /** Ends a guardian; an action in progress ends as its intent does. */
  readonly remove: (id: string) => Effect.Effect<Option.Option<Guardian>, SqlError>
  /**
   * Commits a change of state; a tripped breaker stops the vault's bots and orders in the same transaction. `false` when
   * the guardian has changed since it was read.
   */
  readonly move: (guardian: Guardian, to: Transition) => Effect.Effect<boolean, SqlError>
  /** Begins an action: commits it and its intent, both or neither. */
  readonly begin: (
    guardian: Guardian,
    action: GuardianAction,
    request: IntentRequest,
    memory: GuardianMemory
  ) => Effect.Effect<Beginning, SqlError>
  /** Ends the action of an intent, once; true when the guardian leaves it out from now on, after several failures. */
  readonly endAction: (guardianId: string, intentId: string, outcome: Outcome) => Effect.Effect<boolean, SqlError>
  /** Returns what stops a guardian: the reason, or null. */
  readonly stoppedBy: (guardian: {
    readonly network: Network
    readonly pool: Address
    readonly wallet: Address
  }) => Effect.Effect<string | null, SqlError>
}>()("vault-trader/core/intent/GuardianActionStore") {
  static readonly layer = Layer.effect(
    GuardianActionStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const intents = yield* IntentStore
      const switches = yield* KillSwitch
      const rows = makeRows(sql)
      return {
        set: makeSet(sql, rows),
        reset: makeReset(sql, rows),
        remove: makeRemove(sql, intents, rows),
        move: makeMove(sql, rows),
        begin: makeBegin(sql, intents, switches, rows),
        endAction: makeEndAction(sql, rows),
        stoppedBy: (guardian) => Effect.map(switches.list, (on) => stoppingGuardian(on, guardian))
      }
    })
  )
}
