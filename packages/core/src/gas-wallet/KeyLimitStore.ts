/**
 * Stores limits per wallet, and the daily sales of its intents and its exchange orders. Totals are sums of rows under a
 * lock, never a separate counter.
 */
import * as SqlClient from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Audit from "../audit/Audit.ts"
import { Address } from "../chain/Address.ts"
import type { ExecutionFailure } from "../failure/Failure.ts"
import * as AnswerLimit from "../storage/AnswerLimit.ts"
import * as Batcher from "../storage/Batcher.ts"
import {
  isNone,
  isRaise,
  isSame,
  KeyLimits,
  keyLimitsView,
  none,
  refusalOf,
  tightest,
  type VaultId
} from "./KeyLimits.ts"
import * as SalesLedger from "./SalesLedger.ts"

/** The current limits. The revision increases with every change; 0 before the first. */
interface Standing {
  readonly limits: KeyLimits
  readonly revision: number
}

/** The caller of a change: a manager, the operator, or null for a key, which can only lower limits. */
export type LimitedBy = Address | "operator" | null

/** The result of a lowering. */
export interface Lowered {
  readonly limits: KeyLimits
  /** The limits that the caller may have and requested; the same as `limits` where nothing is left to raise. */
  readonly wanted: KeyLimits
}

/** Limits and their changes. A change that lowers anything cancels the open requests to raise the wallet's limits. */
interface Limits {
  readonly find: (wallet: Address) => Effect.Effect<Standing, SqlError>
  /**
   * Replaces the wallet's limits by the result of `by`, and returns it; none when there is no such wallet. Concurrent
   * changes wait for each other.
   */
  readonly change: (
    wallet: Address,
    by: (now: KeyLimits) => KeyLimits
  ) => Effect.Effect<Option.Option<KeyLimits>, SqlError>
  /**
   * Changes limits for a caller other than the operator. A manager replaces limits if there are none, or if the same
   * manager set them; in all other cases, and with `manager: null`, the tightest of the old and new limits apply.
   */
  readonly restrict: (
    wallet: Address,
    manager: Address | null,
    by: (now: KeyLimits) => KeyLimits
  ) => Effect.Effect<Option.Option<KeyLimits>, SqlError>
  /**
   * Applies only what `by` lowers; returns the new limits and what remains to be raised. Who may raise limits is decided
   * as in `change` and `restrict`.
   */
  readonly lower: (
    wallet: Address,
    caller: LimitedBy,
    by: (now: KeyLimits) => KeyLimits
  ) => Effect.Effect<Option.Option<Lowered>, SqlError>
  /** Replaces the limits if they are still `from`; returns whether they were. */
  readonly raise: (
    wallet: Address,
    raise: { readonly from: KeyLimits; readonly to: KeyLimits; readonly manager: Address | null }
  ) => Effect.Effect<boolean, SqlError>
  /** Finds a wallet by the id of a key (also a revoked one) or by its own address. */
  readonly walletOf: (id: string) => Effect.Effect<Option.Option<Address>, SqlError>
  /**
   * Returns why a write is refused before it is accepted. A repeat of an accepted write is never refused: it gets the
   * first one's answer.
   */
  readonly refusalOfWrite: (write: {
    readonly wallet: Address
    readonly vault: VaultId | null
    readonly idempotencyKey: string | null
  }) => Effect.Effect<Option.Option<ExecutionFailure>, SqlError>
}

const Row = Schema.Struct({ ...KeyLimits.fields, wallet: Address, revision: Schema.Int })
const Rows = Schema.decodeUnknownEffect(Schema.Array(Row))
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Returns the limits of a row; no limits without one. */
const standingOf = (row: (typeof Row)["Type"] | undefined): Standing => {
  if (row === undefined) return { limits: none, revision: 0 }
  const { revision, wallet: _, ...limits } = row
  return { limits: KeyLimits.make(limits), revision }
}

/** Builds the statements that read rows of limits. */
const limitRows = (sql: SqlClient.SqlClient) => {
  const columns = sql.literal(
    `vaults, max_usd18_per_trade::text as "maxUsd18PerTrade", max_usd18_per_day::text as "maxUsd18PerDay", ` +
      `read_only as "readOnly", revision, wallet`
  )
  const standing = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError>) =>
    Effect.map(Effect.flatMap(rows, (found) => Effect.orDie(Rows(found))), ([row]) => standingOf(row))
  return {
    /** Returns the limits of each of these wallets, in order. */
    findAll: (wallets: ReadonlyArray<Address>) =>
      Effect.map(
        Effect.flatMap(sql`select ${columns} from key_limits where wallet in ${sql.in(wallets)}`, (rows) =>
          Effect.orDie(Rows(rows))),
        (rows) =>
          wallets.map((wallet) => standingOf(rows.find((row) => row.wallet === wallet)))
      ),
    /** Locks the limits of a wallet until the transaction ends. */
    lock: (wallet: Address) => standing(sql`select ${columns} from key_limits where wallet = ${wallet} for update`),
    /** Returns the limits that apply to a write; none when its idempotency key is known. */
    findUnlessRepeated: (wallet: Address, idempotencyKey: string | null) =>
      standing(sql`select ${columns} from key_limits where wallet = ${wallet} and not exists
        (select 1 from idempotency_keys k where k.wallet = ${wallet} and k.key = ${idempotencyKey})`)
  }
}
type LimitRows = ReturnType<typeof limitRows>

/** Replaces the wallet's limits and the manager who set them. */
const putLimits = (sql: SqlClient.SqlClient, wallet: Address, limits: KeyLimits, manager: Address | null) => {
  const row = {
    vaults: limits.vaults === null ? null : JSON.stringify(limits.vaults),
    trade: limits.maxUsd18PerTrade?.toString() ?? null,
    day: limits.maxUsd18PerDay?.toString() ?? null
  }
  return sql`insert into key_limits (wallet, vaults, max_usd18_per_trade, max_usd18_per_day, read_only, manager)
    values (${wallet}, ${row.vaults}::jsonb, ${row.trade}::numeric, ${row.day}::numeric, ${limits.readOnly},
    ${manager})
    on conflict (wallet) do update
    set manager = excluded.manager, vaults = excluded.vaults, max_usd18_per_trade = excluded.max_usd18_per_trade,
      max_usd18_per_day = excluded.max_usd18_per_day, read_only = excluded.read_only,
      revision = key_limits.revision + 1, updated_at = now()`
}

/** Cancels the open requests to raise a wallet's limits, because the limits were lowered since. */
const cancelRaises = (sql: SqlClient.SqlClient, wallet: Address) =>
  Effect.gen(function*() {
    const note = "the limits were lowered since"
    const ended = yield* sql<{ readonly id: string }>`update approval_requests
      set status = 'cancelled', decided_at = now(), note = ${note}
      where kind = 'limits' and wallet = ${wallet} and status = 'open' returning id::text as id`
    yield* Audit.appendAll(
      sql,
      ended.map(({ id }) => ({
        action: "approval.decided",
        subject: id,
        wallet,
        details: { state: "cancelled", note }
      }))
    )
  })

/** Returns whether the caller may raise limits that `setBy` has set. */
const mayRaise = (caller: LimitedBy, now: KeyLimits, setBy: Address | null) =>
  caller === "operator" || (caller !== null && (isNone(now) || setBy === caller))

/** Returns the audit entry of a change of limits; none when nothing changed. Limits are raised if any of them is. */
const changesOf = (
  wallet: Address,
  before: KeyLimits,
  after: KeyLimits,
  manager: Address | null
): ReadonlyArray<Audit.Change> => {
  if (isSame(before, after)) return []
  const details = { before: keyLimitsView(before), after: keyLimitsView(after), set_by: manager }
  const action = isRaise(before, after) ? "limits.raised" : "limits.lowered"
  return [{ action, subject: wallet, wallet, details }]
}

const limitChanges = (
  sql: SqlClient.SqlClient,
  { lock }: LimitRows
): Pick<Limits, "change" | "lower" | "raise" | "restrict"> => {
  /** Replaces the limits and the manager who set them by the result of `by`; undefined changes nothing. */
  const replace = (
    wallet: Address,
    by: (now: KeyLimits, setBy: Address | null) => readonly [KeyLimits, Address | null] | undefined
  ) =>
    Audit.transaction(
      sql,
      Effect.gen(function*() {
        const known = yield* sql`select address from gas_wallets where address = ${wallet} for no key update`
        if (known.length === 0) return Option.none()
        const now = yield* lock(wallet)
        const [row] = yield* sql<
          { readonly manager: Address | null }
        >`select manager from key_limits where wallet = ${wallet}`
        const next = by(now.limits, row?.manager ?? null)
        if (next === undefined) return Option.none()
        const [limits, manager] = next
        yield* putLimits(sql, wallet, limits, manager)
        if (isRaise(limits, now.limits)) yield* cancelRaises(sql, wallet)
        yield* Audit.appendAll(sql, changesOf(wallet, now.limits, limits, manager))
        return Option.some(limits)
      })
    )

  return {
    change: (wallet, by) => replace(wallet, (now) => [by(now), null]),
    lower: (wallet, caller, by) => {
      let wanted: KeyLimits | undefined
      return Effect.map(
        replace(wallet, (now, setBy) => {
          const limits = tightest(now, by(now))
          const isAllowed = mayRaise(caller, now, setBy)
          wanted = isAllowed ? by(now) : limits
          return [limits, isAllowed ? caller === "operator" ? null : caller : setBy]
        }),
        Option.map((limits) => ({ limits, wanted: wanted ?? limits }))
      )
    },
    raise: (wallet, { from, manager, to }) =>
      Effect.map(
        replace(wallet, (now) => isSame(now, from) ? [to, manager] : undefined),
        Option.isSome
      ),
    restrict: (wallet, manager, by) =>
      replace(
        wallet,
        (now, setBy) =>
          mayRaise(manager, now, setBy)
            ? [by(now), manager]
            : [tightest(now, by(now)), setBy]
      )
  }
}

export class KeyLimitStore extends Context.Service<KeyLimitStore, Limits & SalesLedger.SalesLedger>()(
  "vault-trader/core/gas-wallet/KeyLimitStore"
) {
  static readonly layer = Layer.effect(
    KeyLimitStore,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const rows = limitRows(sql)
      // Lanes that check limits at the same moment share a statement.
      const find = yield* Batcher.make({
        maximum: 64,
        concurrency: 2,
        limit: AnswerLimit.ofRead,
        run: rows.findAll
      })

      return {
        find,
        walletOf: (id) =>
          Effect.map(
            uuid.test(id)
              ? sql<{ readonly wallet: Address }>`select wallet from api_keys where id = ${id}::uuid`
              : sql<
                { readonly wallet: Address }
              >`select address as wallet from gas_wallets where address = ${id.toLowerCase()}`,
            ([row]) => Option.map(Option.fromNullishOr(row), ({ wallet }) => wallet)
          ),
        refusalOfWrite: ({ idempotencyKey, vault, wallet }) =>
          Effect.map(
            idempotencyKey === null ? find(wallet) : rows.findUnlessRepeated(wallet, idempotencyKey),
            ({ limits }) => Option.fromNullishOr(refusalOf(limits, vault))
          ),
        ...limitChanges(sql, rows),
        ...SalesLedger.make(sql, { find, lock: rows.lock })
      }
    })
  )
}
