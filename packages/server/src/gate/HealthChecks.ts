/**
 * Checks if a write could be accepted and executed now: the database accepts writes, a runner is alive, and nodes
 * respond.
 */
import { ApprovalPolicy } from "@vault-trader/core/change-approval/ApprovalSettings"
import type { Network } from "@vault-trader/core/chain/Network"
import { runnersPrefix } from "@vault-trader/core/storage/ClusterTables"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as SqlClient from "effect/sql/SqlClient"

export type NetworkState = "ok" | "no answer" | "no platform" | "disputed"

export interface Checks {
  readonly database: "ok" | "no answer" | "no writes"
  /** `ok` if any runner sent a heartbeat within the expiry time of shard locks. */
  readonly runners: "ok" | "none" | "unknown"
  /**
   * `no platform`: the vault platform's factory has no code there, so that nothing can be traded. `disputed`: its
   * endpoints have contradicted each other in the last minutes.
   */
  readonly networks: Readonly<Partial<Record<Network, NetworkState>>>
  /** Of the process that answers, where it signs. While it is not writable, this process signs nothing. */
  readonly signingRecord?: "ok" | "not writable"
  /**
   * Where changes need approvals: `waiting` while changed settings that move money wait for theirs. Nothing is paid
   * under them until then, and everything else continues. `unknown`: the database did not answer.
   */
  readonly approvals?: "ok" | "waiting" | "unknown"
  /** Of the signer at SIGNER_SOCKET, where there is one. Without an answer of it this process signs nothing. */
  readonly signer?: "ok" | "no answer"
}

/** The checks of what only one process has: a process that signs provides its signing record's. */
export const ProcessChecks = Context.Reference<{
  readonly signingRecord?: Effect.Effect<"ok" | "not writable">
  readonly signer?: Effect.Effect<"ok" | "no answer">
}>("vault-trader/server/gate/ProcessChecks", { defaultValue: () => ({}) })

/**
 * `degraded`: writes on some networks are accepted and wait for a node, or for endpoints that agree, or payments wait
 * for an approval.
 */
export interface Health {
  readonly status: "ready" | "degraded" | "not ready"
  /** The first check that failed. */
  readonly reason?: "database" | "runners" | "signer" | "signing record" | "networks"
  readonly checks: Checks
}

/** Time limit of each check. */
export const limit = "2 seconds"

/** How long a result is reused, because anyone may call this at any rate. */
const freshMillis = 1_000

/** After this time a check without a result is abandoned and a new one starts; its connection may be dead. */
const abandonedMillis = 10_000

/** Maximum age of a heartbeat. A runner refreshes it every two seconds and loses its shards after six. */
const heartbeatSeconds = 8

/**
 * Returns true for an error of PostgreSQL itself, by SQLSTATE, except connection errors and those of a server that
 * starts or stops.
 */
const isRefusal = (cause: unknown): boolean =>
  Predicate.hasProperty(cause, "code") && typeof cause.code === "string" && /^(?!08|57)[0-9A-Z]{5}$/.test(cause.code)

/**
 * Commits a row and sorts more temporary data than its memory limit allows: on a full disk, small updates still succeed
 * for a while in existing pages. A single statement, so that no transaction stays open if this process dies. The sort
 * refers to the limit, so the limit is set first.
 */
const write = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  sql`with probe as (
      insert into write_probes (slot, at) values (pg_backend_pid() % 16, now()) on conflict (slot) do update set at = excluded.at
    )
    select count(*) from (select set_config('work_mem', '64kB', true) as memory) bound,
      lateral (select repeat(md5(n::text), 4) from generate_series(1, 4000) n where memory <> '' order by md5(n::text) offset 0) sorted`)
  .pipe(
    Effect.as("ok" as const),
    Effect.catch(({ reason }) => Effect.succeed(isRefusal(reason.cause) ? "no writes" as const : "no answer" as const))
  )

const hasRunner = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly alive: boolean }>`select exists (select 1 from ${sql(`${runnersPrefix}_runners`)}
      where healthy and last_heartbeat > now() - ${heartbeatSeconds}::int * interval '1 second') as alive`,
    ([row]) => row?.alive === true
  ))

/** Reads whether settings wait for their approval. */
const waitingSettings = Effect.flatMap(SqlClient.SqlClient, (sql) =>
  Effect.map(
    sql<{ readonly waiting: boolean }>`select exists (select 1 from approval_requests
      where status = 'open' and kind in ('treasury', 'policy')) as waiting`,
    ([row]) => row?.waiting === true ? "waiting" as const : "ok" as const
  ))

/**
 * Shares one run between concurrent callers and returns none after `limit`. The timeout does not interrupt the run: an
 * interrupted statement waits for its cancellation, which a frozen database never completes.
 */
export const bounded = <A, E, R>(
  run: Effect.Effect<A, E, R>
): Effect.Effect<Effect.Effect<Option.Option<A>, E, R>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (scope) => {
    let current: { readonly fiber: Fiber.Fiber<A, E>; readonly since: number } | undefined
    return Effect.gen(function*() {
      const now = yield* Clock.currentTimeMillis
      const age = current === undefined ? Infinity : now - current.since
      const isOver = current !== undefined && current.fiber.pollUnsafe() !== undefined
      if (current === undefined || age > (isOver ? freshMillis : abandonedMillis)) {
        if (current !== undefined && !isOver) yield* Effect.forkIn(Fiber.interrupt(current.fiber), scope)
        current = { fiber: yield* Effect.forkIn(run, scope), since: now }
      }
      return yield* Effect.timeoutOption(Fiber.join(current.fiber), limit)
    })
  })

const reasonOf = (
  { database, networks, runners, signer = "ok", signingRecord = "ok" }: Checks,
  required: Network | undefined
): Health["reason"] => {
  if (database !== "ok") return "database"
  if (runners !== "ok") return "runners"
  if (signer !== "ok") return "signer"
  if (signingRecord !== "ok") return "signing record"
  const states = Object.entries(networks)
  const failed = states.filter(([, state]) => state === "no answer" || state === "no platform")
  const isDown = required === undefined
    ? states.length > 0 && failed.length === states.length
    : failed.some(([network]) => network === required)
  return isDown ? "networks" : undefined
}

const healthOf = (checks: Checks, required: Network | undefined): Health => {
  const reason = reasonOf(checks, required)
  if (reason !== undefined) return { status: "not ready", reason, checks }
  const isDegraded = checks.approvals === "waiting" || Object.values(checks.networks).some((state) => state !== "ok")
  return { status: isDegraded ? "degraded" : "ready", checks }
}

/**
 * Builds the health check of this process. `read` reads a network's state from a node; its failure means no answer.
 * With `required`, that network must be `ok`; otherwise one network is enough.
 */
export const make = <E, R>(
  networks: ReadonlyArray<Network>,
  read: (network: Network) => Effect.Effect<NetworkState, E, R>
) =>
  Effect.gen(function*() {
    const writes = yield* bounded(write)
    const runners = yield* bounded(hasRunner)
    const own = Effect.all(yield* ProcessChecks)
    const settings = (yield* ApprovalPolicy).needed === 0 ? undefined : yield* bounded(waitingSettings)
    const heads = yield* Effect.forEach(networks, (network) =>
      Effect.map(bounded(read(network)), (check) => ({ network, check })))
    const failing = <A, F>(onFailure: F) => <E2, R2>(check: Effect.Effect<Option.Option<A>, E2, R2>) =>
      Effect.catchCause(check, () =>
        Effect.succeed(onFailure))
    const database = Effect.map(failing<Checks["database"], "failed">("failed")(writes), (found): Checks["database"] =>
      found === "failed" ? "no answer" : Option.getOrElse(found, () =>
        "no answer"))
    const runner = Effect.map(failing<boolean, "failed">("failed")(runners), (found): Checks["runners"] =>
      found === "failed" || Option.isNone(found) ? "unknown" : found.value ? "ok" : "none")
    const states = Effect.forEach(heads, ({ check, network }) =>
      Effect.map(failing<NetworkState, "failed">("failed")(check), (found) =>
        [
          network,
          found === "failed" ? "no answer" : Option.getOrElse(found, () =>
            "no answer" as const)
        ] as const), {
      concurrency: "unbounded"
    })
    const approvals = settings === undefined
      ? Effect.succeed({})
      : Effect.map(
        failing<"ok" | "waiting", "failed">("failed")(settings),
        (found): Pick<Checks, "approvals"> => ({
          approvals: found === "failed" ? "unknown" : Option.getOrElse(found, () =>
            "unknown" as const)
        })
      )
    return (required: Network | undefined): Effect.Effect<Health, never, R | SqlClient.SqlClient> =>
      Effect.map(
        Effect.all([database, runner, states, own, approvals], { concurrency: "unbounded" }),
        ([database, runners, found, own, waiting]) =>
          healthOf({ database, runners, networks: Object.fromEntries(found), ...own, ...waiting }, required)
      )
  })
