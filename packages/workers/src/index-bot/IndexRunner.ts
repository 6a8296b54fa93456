/**
 * Carries out a vault's index runs, one at a time and leg by leg. Where a run stands is in its row: a leg is written before its intent
 * is accepted and its outcome after, so whoever takes the run up again goes on there, with a fresh plan and what is left of the cap.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { IndexBot } from "@vault-trader/core/index-bot/IndexBot"
import { IndexBotStore } from "@vault-trader/core/index-bot/IndexBotStore"
import type { IndexRun } from "@vault-trader/core/index-bot/IndexRun"
import { type Ending, IndexRunStore } from "@vault-trader/core/index-bot/IndexRunStore"
import type { Plan } from "@vault-trader/core/index-bot/RebalancePlan"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Queue from "effect/Queue"
import * as Schedule from "effect/Schedule"
import { retryForever } from "../actor/Retry.ts"
import type { VaultReader } from "../vault/VaultReader.ts"
import { look } from "./RebalancePlanner.ts"
import * as Ends from "./RunOutcome.ts"
import * as LegExecution from "./LegExecution.ts"

export interface IndexRunner {
  /** The run, once it is over. */
  readonly run: (id: string) => Effect.Effect<IndexRun>
  /** Has the vault's run go on, or the due one begin; answers when the bot has looked. */
  readonly wake: Effect.Effect<void>
}

/** A run gives up after this long without a node. */
const patience = Schedule.max([Schedule.spaced("1 second"), Schedule.recurs(20)])
/** Seconds until a bot that could not look does so again. */
const again = 60

const isUnavailable = (failure: Failure) => failure._tag === "ExecutionFailure" && failure.errorType === "rpc_unavailable"

export const make = ({ network, pool, reader }: { readonly network: Network; readonly pool: Address; readonly reader: VaultReader }) =>
  Effect.gen(function*() {
    const bots = yield* IndexBotStore
    const runs = yield* IndexRunStore
    const legs = yield* LegExecution.make({ network, pool })
    const wakeup = yield* Queue.dropping<void>(1)
    const waiting = new Map<string, Deferred.Deferred<IndexRun>>()
    const looking = new Set<Deferred.Deferred<void>>()
    let isTrading = false

    const decided = (decision: (typeof Metrics.botDecisionNames)[number]) => Metrics.count(Metrics.botDecisions, { network, kind: "index", decision })

    /** What the run would trade now: every asset it has had a leg for stays as it is. */
    const next = (bot: IndexBot, run: IndexRun): Effect.Effect<Plan, Failure> =>
      look(reader, bot, {
        quote: run.quote,
        // What it has begun it brings to its end, although the first leg may have put all weights within their tolerances.
        force: run.force || run.legs.length > 0,
        maxUsd18: run.cap18 > run.spent18 ? run.cap18 - run.spent18 : 0n,
        without: new Set(run.legs.map(({ asset }) => asset.address))
      }).pipe(Effect.retry({ schedule: patience, while: isUnavailable }))

    /** One step of a run: makes its open leg, or decides on the next one, or ends it. */
    const step = (run: IndexRun): Effect.Effect<void> =>
      Effect.gen(function*() {
        const open = run.legs.findIndex(({ outcome }) => outcome === null)
        if (open >= 0) return yield* legs.carryOut(run, open)
        const end = (ending: Ending) => Effect.andThen(retryForever(runs.end(run.id, ending)), decided(ending.state === "failed" ? "failed" : "trade"))
        const bot = Option.getOrUndefined(yield* retryForever(bots.find(network, pool)))
        // Paper trades change nothing in the vault: a second look would plan what is planned already.
        if (run.paper && run.legs.length > 0) return yield* end(Ends.over(run))
        if (bot === undefined || (run.reason === "scheduled" && !bot.enabled)) return yield* end(Ends.disabled(run))
        const planned = yield* Effect.result(next(bot, run))
        if (planned._tag === "Failure") return yield* end(Ends.stuck(run, planned.failure))
        const plan = planned.success
        if (run.planned === null) yield* retryForever(runs.planned(run.id, plan.legs, plan.totalUsd18))
        const [first] = plan.legs
        if (first === undefined || run.legs.length >= 2 * bot.targets.length) return yield* end(Ends.over(run))
        const coming = (run.paper ? plan.legs : [first]).map((leg) => LegExecution.coming(leg, bot, run.paper))
        // `false`: somebody else has gone on with it. The next look at the row tells.
        yield* retryForever(runs.append(run.id, run.legs.length, coming))
      })

    const carryOut = (id: string): Effect.Effect<void> =>
      Effect.flatMap(retryForever(runs.find(id)), (found) =>
        Option.isSome(found) && found.value.state === "running" ? Effect.andThen(step(found.value), carryOut(id)) : Effect.void)

    /** Looks, where it is time, and begins a run if something is to be traded. */
    const scheduled = Effect.gen(function*() {
      const due = yield* retryForever(bots.due(network, pool))
      if (Option.isNone(due)) return Option.none<string>()
      const bot = due.value
      const { intervalSeconds, maxUsd18, quote } = bot
      const looked = yield* Effect.result(look(reader, bot, { quote, maxUsd18, force: false, without: new Set() }))
      const putOff = (reason: string, seconds: number) => Effect.as(Effect.andThen(retryForever(bots.putOff(network, pool, reason, seconds)), decided("hold")), Option.none<string>())
      if (looked._tag === "Failure") return yield* putOff(looked.failure.message, Math.min(again, intervalSeconds))
      if (looked.success.legs.length === 0) return yield* putOff(Ends.quiet(looked.success), intervalSeconds)
      return yield* retryForever(runs.beginScheduled(network, pool))
    })

    const answer = Effect.forEach(waiting, ([id, deferred]) =>
      Effect.flatMap(retryForever(runs.find(id)), (found) => {
        if (Option.isSome(found) && found.value.state === "running") return Effect.void
        waiting.delete(id)
        return Option.match(found, {
          onNone: () => Deferred.die(deferred, new Error(`no run ${id}`)),
          onSome: (run) => Deferred.succeed(deferred, run)
        })
      }), { discard: true })

    const looked = Effect.suspend(() => {
      const all = [...looking]
      looking.clear()
      return Effect.forEach(all, (deferred) => Deferred.succeed(deferred, undefined), { discard: true })
    })

    const turn = Effect.gen(function*() {
      const open = Option.map(yield* retryForever(runs.running(network, pool)), ({ id }) => id)
      const id = Option.isSome(open) ? open : yield* scheduled
      yield* looked
      if (Option.isSome(id)) {
        isTrading = true
        yield* carryOut(id.value)
      }
      yield* answer
    }).pipe(
      Effect.ensuring(Effect.sync(() => { isTrading = false })),
      Effect.sandbox,
      // A bug here must not end the fiber: the bot would be silent until its actor is built anew.
      Effect.catch((cause) => Effect.andThen(Effect.logError("a turn of an index bot failed", cause), Effect.sleep("1 second"))),
      Effect.withSpan("indexBot.turn", { attributes: { network, pool }, root: true }, { captureStackTrace: false })
    )

    const ring = Queue.offer(wakeup, undefined)
    yield* ring
    yield* Effect.forkScoped(Effect.forever(Effect.andThen(Queue.take(wakeup), turn)))

    const run = (id: string) =>
      Effect.suspend(() => {
        const deferred = waiting.get(id) ?? Deferred.makeUnsafe<IndexRun>()
        waiting.set(id, deferred)
        return Effect.andThen(ring, Deferred.await(deferred))
      })
    const wake = Effect.suspend(() => {
      if (isTrading) return Effect.void
      const deferred = Deferred.makeUnsafe<void>()
      looking.add(deferred)
      return Effect.andThen(ring, Deferred.await(deferred))
    })
    return { run, wake } satisfies IndexRunner
  })
