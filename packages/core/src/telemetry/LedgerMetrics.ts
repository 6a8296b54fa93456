/** Gauges read from the database: age of the oldest work, depth of the lanes, active switches, states of bots. */
import * as Snowflake from "effect/cluster/Snowflake"
import * as SqlClient from "effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import type { Network } from "../chain/Network.ts"
import { unlessThresholdBotStopped } from "../gas-wallet/KillSwitch.ts"
import { countDatabaseErrors } from "./DatabaseErrors.ts"
import * as Metrics from "./Metrics.ts"

const setIntents = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly seconds: number }
  >`select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
    from intents where status in ('accepted', 'submitted')`
  yield* Metrics.set(Metrics.oldestIntent, {}, row?.seconds ?? 0)
})

const setLanes = (networks: ReadonlyArray<Network>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const depths = yield* sql<
      { readonly network: string; readonly state: string; readonly depth: number }
    >`select network,
      case when waiting_for_gas then 'waiting_for_gas' else status end as state, count(*)::float8 as depth
      from submissions where status in ('queued', 'signed') group by 1, 2`
    // A lane that began after foreign transactions has no row before its first one: the nonces below it are not a gap.
    const gaps = yield* sql<
      { readonly network: string; readonly gap: number }
    >`select network, coalesce(sum(nonce - 1 - before), 0)::float8 as gap
      from (select s.network, s.nonce, (select max(p.nonce) from submissions p
        where p.network = s.network and p.wallet = s.wallet and p.nonce < s.nonce) as before
        from submissions s where s.status = 'signed') lanes group by network`
    for (const network of networks) {
      for (const state of Metrics.laneStates) {
        yield* Metrics.set(
          Metrics.laneDepth,
          { network, state },
          depths.find((row) => row.network === network && row.state === state)?.depth ?? 0
        )
      }
      yield* Metrics.set(Metrics.nonceGap, { network }, gaps.find((row) => row.network === network)?.gap ?? 0)
    }
  })

const setCharges = (networks: ReadonlyArray<Network>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    // Reads open charges and settlements only, so its work does not grow with the paid ones.
    const rows = yield* sql<
      { readonly network: string; readonly usd: number; readonly unconverted: number }
    >`select network,
      sum(usd)::float8 as usd, sum(unconverted)::float8 as unconverted from (
        select network, usd, case when native_wei is null then 1 else 0 end as unconverted from charges
        where settlement_id is null
        union all select network, usd, 0 from settlements where status = 'open') owed group by network`
    for (const network of networks) {
      const row = rows.find((each) => each.network === network)
      yield* Metrics.set(Metrics.outstandingUsd, { network }, row?.usd ?? 0)
      yield* Metrics.set(Metrics.unconvertedCharges, { network }, row?.unconverted ?? 0)
    }
  })

const setSwitches = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<
    { readonly scope: string; readonly on: number }
  >`select split_part(scope, '/', 1) as scope, count(*)::float8 as on
    from kill_switches group by 1`
  for (const scope of Metrics.switchScopes) {
    yield* Metrics.set(Metrics.switchesOn, { scope }, rows.find((row) => row.scope === scope)?.on ?? 0)
  }
})

const setChanges = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<
    { readonly kind: string; readonly waiting: number }
  >`select kind, count(*)::float8 as waiting from approval_requests where status = 'open' group by kind`
  for (const kind of Metrics.changeKinds) {
    yield* Metrics.set(Metrics.changesWaiting, { kind }, rows.find((row) => row.kind === kind)?.waiting ?? 0)
  }
})

/** Sets the gauges of bots. A bot that a switch stops is not overdue. */
const setBots = (networks: ReadonlyArray<Network>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<
      {
        readonly network: string
        readonly kind: string
        readonly state: string
        readonly bots: number
        readonly late: number
      }
    >`
      with b as (
        select network, pool, wallet, base, quote, 'threshold' as kind, next_check as due, paused_reason is not null as paused,
        active and side <> 'hold' as on
          from threshold_bots
        union all select network, pool, wallet, null, null, 'index', next_run_at, paused_reason is not null, enabled
        from index_bots),
      s as (select b.*, case when paused then 'paused' when not b.on then 'off'
          when ${unlessThresholdBotStopped(sql, "b")} then 'active' else 'stopped' end as state from b)
      select network, kind, state, count(*)::float8 as bots,
        coalesce(extract(epoch from now() - min(due) filter (where state = 'active')), 0)::float8 as late from s
        group by 1, 2, 3`
    for (const network of networks) {
      for (const kind of Metrics.botKinds) {
        const of = rows.filter((row) => row.network === network && row.kind === kind)
        for (const state of Metrics.botStates) {
          yield* Metrics.set(
            Metrics.bots,
            { network, kind, state },
            of.find((row) => row.state === state)?.bots ?? 0
          )
        }
        yield* Metrics.set(Metrics.oldestCheck, { network, kind }, Math.max(0, ...of.map(({ late }) => late)))
      }
    }
  })

/** Sets the gauges of orders, guardians and followers of vaults. */
const setRules = (networks: ReadonlyArray<Network>) =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const rows = yield* sql<
      { readonly network: string; readonly kind: string; readonly state: string; readonly count: number }
    >`select network, 'order' as kind, state, count(*)::float8 as count from vault_orders where ended_at is null
        group by 1, 2, 3
      union all select network, kind, state, count(*)::float8 from vault_guardians where ended_at is null
        group by 1, 2, 3
      union all select network, 'follower', state, count(*)::float8 from vault_followers where ended_at is null
        group by 1, 2, 3`
    const countOf = (network: Network, kind: string, state: string) =>
      rows.find((row) => row.network === network && row.kind === kind && row.state === state)?.count ?? 0
    for (const network of networks) {
      for (const state of Metrics.orderStates) {
        yield* Metrics.set(Metrics.orders, { network, state }, countOf(network, "order", state))
      }
      for (const state of Metrics.followerStates) {
        yield* Metrics.set(Metrics.followers, { network, state }, countOf(network, "follower", state))
      }
      for (const kind of Metrics.guardianKinds) {
        for (const state of Metrics.guardianStates) {
          yield* Metrics.set(Metrics.guardians, { network, kind, state }, countOf(network, kind, state))
        }
      }
    }
  })

/**
 * Sets the gauges of messages. The cluster's ids are snowflakes, which contain the time. Messages scheduled for later
 * do not count.
 */
const setMessages = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly unread: number; readonly seconds: number }>`select count(*)::float8 as unread,
    coalesce(extract(epoch
    from now()) - (${Snowflake.constEpochMillis}::bigint + (min(id) >> 22)) / 1000.0, 0)::float8 as seconds
    from cluster_messages where processed = false and (deliver_at is null or deliver_at <= extract(epoch
    from now()) * 1000)`
  yield* Metrics.set(Metrics.unreadMessages, {}, row?.unread ?? 0)
  yield* Metrics.set(Metrics.oldestMessage, {}, row?.seconds ?? 0)
})

const setNotifications = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly seconds: number }
  >`select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as seconds
    from channel_messages where state in ('pending', 'sending')`
  yield* Metrics.set(Metrics.oldestNotification, {}, row?.seconds ?? 0)
})

/** Reads all gauges once. A database that does not answer within two seconds is reported as down. */
export const readGauges = (networks: ReadonlyArray<Network>): Effect.Effect<void, never, SqlClient.SqlClient> =>
  Effect.all([
    setIntents,
    setLanes(networks),
    setSwitches,
    setChanges,
    setBots(networks),
    setRules(networks),
    setNotifications
  ], {
    discard: true
  }).pipe(
    Effect.timeout("2 seconds"),
    countDatabaseErrors,
    Effect.matchCauseEffect({
      onFailure: () => Metrics.set(Metrics.databaseUp, {}, 0),
      // The cluster may create its tables only after the first read, and many unpaid charges may take too long to sum
      // up.
      onSuccess: () =>
        Effect.andThen(
          Metrics.set(Metrics.databaseUp, {}, 1),
          Effect.forEach([setMessages, setCharges(networks)], (gauges) =>
            Effect.catchCause(Effect.timeout(gauges, "2 seconds"), () => Effect.void), { discard: true })
        )
    }),
    Effect.withTracerEnabled(false)
  )
