/**
 * Executes a vault's index runs, one at a time and leg by leg. A run's progress is in its row: a leg is written before
 * its intent is accepted and its outcome afterwards, so any runner can resume the run there, with a fresh plan and the
 * rest of the cap.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { IndexBot } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import type { IndexRun } from "@vault-trader/core/index-bot/IndexRun"
import { type RunEnd, IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import type { Plan } from "@vault-trader/core/index-bot/RebalancePlan"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import * as KeyedJobs from "../actor/KeyedJobs.ts"
import { retryForever } from "../actor/Retry.ts"
import type { VaultReader } from "../vault/VaultReader.ts"
import { planTrades } from "./RebalancePlanner.ts"
import * as LegExecution from "./LegExecution.ts"
import * as RunOutcome from "./RunOutcome.ts"

interface IndexRunner {
  /** Waits for the run to end and returns it. */
  readonly run: (id: string) => Effect.Effect<IndexRun>
  /** Resumes the vault's run, or starts the due one; returns once the bot has checked. */
  readonly wake: Effect.Effect<void>
}

/** Retries of a plan while no node is available; then the run fails. */
const nodeRetry = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(20)])
/** Seconds until a bot whose check failed checks again. */
const failedCheckSeconds = 60

/** Queued in place of a run's id to start a turn without a run: the turn checks whether the bot is due. */
const checkKey = "check"

/** A vault with an index bot. */
interface IndexedVault {
  readonly network: Network
  readonly pool: Address
  readonly reader: VaultReader
}

const isUnavailable = (failure: Failure) =>
  failure._tag === "ExecutionFailure" && failure.errorType === "rpc_unavailable"

const countDecision = (network: Network, decision: (typeof Metrics.botDecisionNames)[number]) =>
  Metrics.count(Metrics.botDecisions, { network, kind: "index", decision })

/** Plans the run's next trades. Assets that already had a leg are left unchanged. */
const planNext = (reader: VaultReader, bot: IndexBot, run: IndexRun): Effect.Effect<Plan, Failure> =>
  planTrades(reader, bot, {
    quote: run.quote,
    // A started run is completed, even if its first leg has brought all weights within their tolerances.
    force: run.force || run.legs.length > 0,
    maxUsd18: run.cap18 > run.spent18 ? run.cap18 - run.spent18 : 0n,
    without: new Set(run.legs.map(({ asset }) => asset.address))
  }).pipe(Effect.retry({ schedule: nodeRetry, while: isUnavailable }))

/** Builds the function that executes a run, step by step from its row, until it has ended. */
const makeRunExecution = ({ network, pool, reader }: IndexedVault) =>
  Effect.gen(function*() {
    const bots = yield* IndexBotStore
    const runs = yield* IndexRunStore
    const legs = yield* LegExecution.make({ network, pool })

    /** Performs one step of a run: executes its open leg, plans the next one, or ends the run. */
    const step = (run: IndexRun): Effect.Effect<void> =>
      Effect.gen(function*() {
        const open = run.legs.findIndex(({ outcome }) => outcome === null)
        if (open >= 0) return yield* legs.execute(run, open)
        const end = (ending: RunEnd) =>
          Effect.andThen(
            retryForever(runs.end(run.id, ending)),
            countDecision(network, ending.state === "failed" ? "failed" : "trade")
          )
        const bot = Option.getOrUndefined(yield* retryForever(bots.find(network, pool)))
        // Paper trades change nothing in the vault: another check would plan the same trades again.
        if (run.paper && run.legs.length > 0) return yield* end(RunOutcome.endFinished(run))
        if (bot === undefined || (run.reason === "scheduled" && !bot.enabled)) {
          return yield* end(RunOutcome.endDisabled(run))
        }
        const planned = yield* Effect.result(planNext(reader, bot, run))
        if (planned._tag === "Failure") return yield* end(RunOutcome.endUnplannable(run, planned.failure))
        const plan = planned.success
        if (run.planned === null) yield* retryForever(runs.recordPlan(run.id, plan.legs, plan.totalUsd18))
        const [first] = plan.legs
        if (first === undefined || run.legs.length >= 2 * bot.targets.length) {
          return yield* end(RunOutcome.endFinished(run))
        }
        const nextLegs = (run.paper ? plan.legs : [first]).map((leg) => LegExecution.makeLeg(leg, bot, run.paper))
        // `false` means that another runner has continued the run. The next read of the row shows it.
        yield* retryForever(runs.append(run.id, run.legs.length, nextLegs))
      })

    const execute = (id: string): Effect.Effect<void> =>
      Effect.flatMap(retryForever(runs.find(id)), (found) =>
        Option.isSome(found) && found.value.state === "running"
          ? Effect.andThen(step(found.value), execute(id))
          : Effect.void)

    return execute
  })

/** Builds the check of the bot's schedule: starts a run if the bot is due and there is something to trade. */
const makeScheduleCheck = ({ network, pool, reader }: IndexedVault) =>
  Effect.map(Effect.all([IndexBotStore, IndexRunStore]), ([bots, runs]) => {
    const putOff = (reason: string, seconds: number) =>
      Effect.as(
        Effect.andThen(retryForever(bots.putOff(network, pool, reason, seconds)), countDecision(network, "hold")),
        Option.none<string>()
      )

    return Effect.gen(function*() {
      const due = yield* retryForever(bots.due(network, pool))
      if (Option.isNone(due)) {
        return Option.none<string>()
      }
      const bot = due.value
      const { intervalSeconds, maxUsd18, quote } = bot
      const found = yield* Effect.result(planTrades(reader, bot, { quote, maxUsd18, force: false, without: new Set() }))
      if (found._tag === "Failure") {
        return yield* putOff(found.failure.message, Math.min(failedCheckSeconds, intervalSeconds))
      }
      if (found.success.legs.length === 0) {
        return yield* putOff(RunOutcome.explainNoTrade(found.success), intervalSeconds)
      }
      return yield* retryForever(runs.beginScheduled(network, pool))
    })
  })

/** Callers that wait for the bot's next check. */
const makeCheckWaiters = () => {
  const waiters = new Set<Deferred.Deferred<void>>()
  return {
    /** Adds a caller and returns its deferred. */
    add: () => {
      const deferred = Deferred.makeUnsafe<void>()
      waiters.add(deferred)
      return deferred
    },
    notifyAll: Effect.suspend(() => {
      const all = [...waiters]
      waiters.clear()
      return Effect.forEach(all, (deferred) => Deferred.succeed(deferred, undefined), { discard: true })
    })
  }
}

export const make = (vault: IndexedVault) =>
  Effect.gen(function*() {
    const { network, pool } = vault
    const runs = yield* IndexRunStore
    const execute = yield* makeRunExecution(vault)
    const checkSchedule = yield* makeScheduleCheck(vault)
    const checks = makeCheckWaiters()
    /** Runs with callers. A turn takes all queued keys at once: however many there are, they start one turn. */
    const jobs = yield* KeyedJobs.make<IndexRun>()
    let isTrading = false

    const completeEnded = Effect.forEach(jobs.keys, (id) =>
      Effect.flatMap(retryForever(runs.find(id)), (found) =>
        Option.isSome(found) && found.value.state === "running"
          ? Effect.void
          : jobs.complete(
            id,
            Option.match(found, {
              onNone: () =>
                Exit.die(new Error(`no run ${id}`)),
              onSome: Exit.succeed
            })
          )), { discard: true })

    const turn = Effect.gen(function*() {
      const open = Option.map(yield* retryForever(runs.running(network, pool)), ({ id }) =>
        id)
      const id = Option.isSome(open) ? open : yield* checkSchedule
      yield* checks.notifyAll
      if (Option.isSome(id)) {
        isTrading = true
        yield* execute(id.value)
      }
      yield* completeEnded
    }).pipe(
      Effect.ensuring(Effect.sync(() => {
        isTrading = false
      })),
      Effect.sandbox,
      // A defect must not end the fiber: the bot would stop until its actor is rebuilt.
      Effect.catch((cause) =>
        Effect.andThen(Effect.logError("a turn of an index bot failed", cause), Effect.sleep("1 second"))
      ),
      Effect.withSpan("indexBot.turn", { attributes: { network, pool }, root: true }, { captureStackTrace: false })
    )

    const startTurn = jobs.enqueue([checkKey])
    yield* startTurn
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(jobs.takeBatch(Number.POSITIVE_INFINITY), turn)))

    const run = (id: string) =>
      Effect.suspend(() => {
        const isKnown = jobs.has(id)
        const deferred = jobs.join(id)
        return Effect.andThen(isKnown ? startTurn : Effect.void, Deferred.await(deferred))
      })
    const wake = Effect.suspend(() => {
      if (isTrading) {
        return Effect.void
      }
      const deferred = checks.add()
      return Effect.andThen(startTurn, Deferred.await(deferred))
    })
    return { run, wake } satisfies IndexRunner
  })
