/**
 * The actor of one vault's strategy bots: samples prices, asks the strategy at each closed candle, commits what it
 * decided, and begins and follows its trades one by one. Its state is in the rows, so that the next owner continues where
 * this one died.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import type { Failure } from "@vault-trader/core/failure/Failure"
import type { Holding } from "@vault-trader/core/index-bot/RebalancePlan"
import { type NewDecision, StrategyTradeStore } from "@vault-trader/core/intent/StrategyTradeStore"
import type { Json } from "@vault-trader/core/strategy/Strategy"
import { type StrategyBot, StrategyBots, type StrategyTrade as Trade } from "@vault-trader/core/strategy/StrategyBot"
import { StrategyBotStore } from "@vault-trader/core/strategy/StrategyBotStore"
import { type CandleRow, fold, samplingSeconds } from "@vault-trader/core/strategy/StrategyCandle"
import * as StrategyInputs from "@vault-trader/core/strategy/StrategyInputs"
import * as Metrics from "@vault-trader/core/telemetry/Metrics"
import { mayTrade, parseId } from "@vault-trader/core/vault/Vault"
import * as Entity from "effect/cluster/Entity"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import { Chains } from "../chain/Chains.ts"
import { orNotServed } from "../chain/ServedChain.ts"
import { resolveAll, Tokens } from "../chain/Tokens.ts"
import type { SliceSizer } from "../trading/SliceSizer.ts"
import { persist } from "../vault/BoundedPersist.ts"
import * as IntentFollower from "../vault/IntentFollower.ts"
import * as VaultReader from "../vault/VaultReader.ts"
import { contextOf, type VaultSource } from "../vault/VaultSource.ts"
import { poolTokenAt } from "../venue/EasySwapper.ts"
import * as Sandbox from "./Sandbox.ts"
import * as StrategyFolder from "./StrategyFolder.ts"
import * as StrategyReading from "./StrategyReading.ts"
import * as StrategyRun from "./StrategyRun.ts"
import * as StrategyTrade from "./StrategyTrade.ts"

const refused = (name: string) => ({ message }: { readonly message: string }) =>
  new ValidationFailure({ code: "1010", message: `${name}: ${message}` })

/** Builds `prepare`: loads a strategy, and resolves the inputs and assets of a bot that is being set. */
const makePrepare =
  ({ chain, network, reader, tokens }: VaultSource, folder: string) =>
  ({ assets: names, inputs, quote: quoteName, strategy, wallet }: {
    readonly wallet: Address
    readonly strategy: string
    readonly inputs: Readonly<Record<string, string>>
    readonly assets: ReadonlyArray<string>
    readonly quote: string
  }, outside: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>) =>
    Effect.gen(function*() {
      const { assets: enabled, facts } = yield* reader.state
      yield* mayTrade(facts, wallet)
      const found = yield* resolveAll(tokens, network, [...names, quoteName], enabled)
      const problem = found.find((token, index) => found.findIndex(({ address }) => address === token.address) < index)
      if (problem !== undefined) return yield* refused("assets")({ message: `${problem.symbol} is named twice` })
      const foreign = found.find(({ address }) => !enabled.some((asset) => asset.address === address))
      if (foreign !== undefined) {
        return yield* refused("assets")({ message: `the vault cannot hold ${foreign.symbol}; enableAsset enables it` })
      }
      const redeemed = found.find(({ address }) => poolTokenAt(chain.book, address) !== undefined)
      if (redeemed !== undefined) {
        return yield* refused("assets")({
          message: `${redeemed.symbol} is redeemed in two transactions; no bot of a ` +
            "strategy trades it"
        })
      }
      const file = yield* Effect.mapError(outside(StrategyFolder.read(folder, strategy)), refused("strategy"))
      const { description } = yield* Effect.mapError(outside(Effect.scoped(Sandbox.open(file))), refused("strategy"))
      const values = StrategyInputs.resolve(description, inputs)
      if (Result.isFailure(values)) return yield* refused("inputs")({ message: values.failure })
      return {
        digest: file.digest,
        inputs: values.success,
        history: description.history,
        assets: found.slice(0, -1),
        quote: found.at(-1)!
      }
    })

/** Lists the strategies of a folder with what they say of themselves. */
const listed = (folder: string) =>
  Effect.gen(function*() {
    const names = yield* Effect.mapError(StrategyFolder.list(folder), refused("strategy"))
    return yield* Effect.forEach(names, (name) =>
      Effect.match(
        Effect.flatMap(StrategyFolder.read(folder, name), (file) => Effect.scoped(Sandbox.open(file))),
        {
          onFailure: ({ message }) => ({ name, description: null, problem: message }),
          onSuccess: ({ description }) => ({ name, description, problem: null })
        }
      ))
  })

const ofPaper = (held: ReadonlyArray<Holding>, balances: Readonly<Record<string, bigint>>): ReadonlyArray<Holding> =>
  held.map((each) => ({ ...each, balance: balances[each.token.address] ?? 0n }))

const rowOf = (leg: Parameters<typeof StrategyTrade.requestOf>[2]): Trade => ({
  ...{ ...leg, state: "planned", intentId: null, txHash: null, bought: null, message: null }
})

/** Fills all trades of a decision on paper, one after the other. */
const fillOnPaper = (
  source: VaultSource,
  bot: StrategyBot,
  legs: ReadonlyArray<Parameters<typeof StrategyTrade.requestOf>[2]>,
  start: Readonly<Record<string, bigint>>
) =>
  Effect.gen(function*() {
    const context = yield* contextOf(source, bot.pool, bot.wallet)
    let balances = start
    const trades: Array<Trade> = []
    for (const leg of legs) {
      const filled = yield* Effect.catch(
        StrategyTrade.onPaper(context, bot.terms, leg, balances),
        ({ message }) => Effect.succeed({ trade: { ...rowOf(leg), state: "failed" as const, message }, balances })
      )
      balances = filled.balances
      trades.push(filled.trade)
    }
    return { balances, trades }
  })

/** A candle that a reading has closed. */
interface Closed {
  readonly bot: StrategyBot
  readonly closed: CandleRow
  readonly open: CandleRow
  readonly held: ReadonlyArray<Holding>
  readonly time: number
  readonly seconds: number
}

/** Builds `decideAt`: asks the strategy at a closed candle, and commits its decision, or what stopped it. */
const makeDecideAt = (source: VaultSource, folder: string) =>
  Effect.gen(function*() {
    const outside = yield* StrategyFolder.OutsideClock
    const bots = yield* StrategyBotStore
    const changes = yield* StrategyTradeStore
    const services = yield* Effect.context<SliceSizer>()

    const made = ({ bot, closed, held, open, seconds, time }: Closed): Effect.Effect<NewDecision, Failure> =>
      Effect.gen(function*() {
        const own = Object.fromEntries(held.map(({ balance, token }) => [token.address, balance ?? 0n]))
        const start = bot.mode === "paper" ? bot.balances ?? own : null
        const before = { closed, open, seconds, memory: undefined, paused: null, balances: start, trades: [] }
        if (bot.openIntent !== null) {
          return {
            ...before,
            decision: null,
            reason: "A trade of an earlier decision was in progress: nothing was decided."
          }
        }
        const known = start === null ? held : ofPaper(held, start)
        const rows = [...(yield* persist(bots.candles(bot.id, bot.terms.history - 1))), closed]
        const state = StrategyRun.stateOf(bot, rows, known, time)
        const result = yield* Effect.result(outside(StrategyRun.decide(folder, bot, state, known)))
        if (Result.isFailure(result)) {
          const { code, message } = result.failure
          return { ...before, decision: null, paused: code, reason: `The strategy was stopped: ${message}.` }
        }
        const { decision, legs, reason } = result.success
        const filled = start === null
          ? { balances: null, trades: legs.map(rowOf) }
          : yield* Effect.provide(fillOnPaper(source, bot, legs, start), services)
        const { memory, ...rest } = decision
        return { ...before, ...filled, decision: rest as Json, memory, reason }
      })

    return (at: Closed) =>
      Effect.gen(function*() {
        const decision = yield* made(at)
        const isStored = yield* persist(changes.decide(at.bot, decision))
        if (!isStored) return false
        const { network, pool, strategy } = at.bot
        const name = decision.paused !== null ? "failed" : decision.trades.length > 0 ? "trade" : "hold"
        yield* Metrics.count(Metrics.botDecisions, { network, kind: "strategy", decision: name })
        if (decision.paused !== null) {
          yield* Effect.logWarning(`a strategy bot has paused itself: ${decision.reason}`).pipe(
            Effect.annotateLogs({ network, pool, strategy, code: decision.paused })
          )
        }
        return decision.trades.some(({ state }) => state === "planned")
      })
  })

/** Builds `act`: begins the next trade of the newest decision. */
const makeAct = (source: VaultSource, follow: (botId: string, intentId: string) => Effect.Effect<void>) =>
  Effect.gen(function*() {
    const bots = yield* StrategyBotStore
    const changes = yield* StrategyTradeStore
    const services = yield* Effect.context<SliceSizer>()
    return (bot: StrategyBot) =>
      Effect.gen(function*() {
        const [row] = yield* persist(bots.decisions(bot.id, 1))
        const place = row?.state === "trading" ? row.trades.findIndex(({ state }) => state === "planned") : -1
        const leg = row?.trades[place]
        if (row === undefined || leg === undefined) return
        const context = yield* contextOf(source, bot.pool, bot.wallet)
        const next = yield* Effect.provide(StrategyTrade.requestOf(context, bot.terms, leg), services)
        if (next._tag === "none") return yield* persist(changes.giveUp(bot, row, place, next.reason))
        const begun = yield* persist(changes.begin(bot, row, place, next.request))
        if (Option.isSome(begun)) yield* follow(bot.id, begun.value)
      })
  })

/** Builds the actor. `seconds` is the longest time between two readings. */
export const StrategyBotLive = (seconds: number, folder: string) =>
  StrategyBots.toLayer(
    Effect.gen(function*() {
      const { network, pool } = parseId((yield* Entity.CurrentAddress).entityId)
      const bots = yield* StrategyBotStore
      const changes = yield* StrategyTradeStore
      const tokens = yield* Tokens
      const chain = yield* (yield* Chains).get(network)
      const reader = yield* VaultReader.make({ network, pool, chain })
      const source: VaultSource = { chain, network, reader, tokens }
      const { follow } = yield* IntentFollower.make({ network, pool, record: changes.endTrade })
      const decideAt = yield* makeDecideAt(source, folder)
      const act = yield* makeAct(source, follow)
      const prepare = makePrepare(source, folder)
      const outside = yield* StrategyFolder.OutsideClock

      /** Samples the prices, and decides when a candle has closed. True when a decision has trades to begin. */
      const sample = (bot: StrategyBot): Effect.Effect<boolean, Failure> =>
        Effect.gen(function*() {
          const pause = samplingSeconds(bot.terms.length, seconds)
          const { held, sample: found, unpriced } = yield* StrategyReading.read(chain, bot)
          if (found === null) {
            const reason = `No price of ${unpriced.join(", ")} now; it samples again.`
            yield* persist(changes.record(bot, null, reason, pause))
            return false
          }
          const { closed, open } = fold(bot.candle, found, bot.terms.length)
          if (closed !== null) return yield* decideAt({ bot, closed, open, held, time: found.time, seconds: pause })
          yield* persist(changes.record(bot, open, null, pause))
          return false
        })

      const wake = (botId: string): Effect.Effect<void, Failure> =>
        Effect.gen(function*() {
          const bot = Option.getOrUndefined(yield* persist(bots.find(botId)))
          if (bot === undefined || bot.endedAt !== null) return
          if (bot.openIntent !== null) yield* follow(botId, bot.openIntent)
          if (bot.pausedCode !== null || (yield* persist(changes.stoppedBy(bot))) !== null) return
          const pause = samplingSeconds(bot.terms.length, seconds)
          const isDue = yield* Effect.catch(sample(bot), ({ message }) =>
            // A failed reading changes nothing: the bot says so, and reads again.
            Effect.as(persist(changes.record(bot, null, message, pause)), false))
          const now = isDue ? Option.getOrUndefined(yield* persist(bots.find(botId))) : bot
          if (now !== undefined && now.openIntent === null) yield* act(now)
        })

      return StrategyBots.of({
        prepare: ({ payload }) => prepare(payload, outside),
        strategies: () => outside(listed(folder)),
        wake: ({ payload: { botId } }) => wake(botId)
      })
    }).pipe(orNotServed((refuse) => ({ prepare: refuse, strategies: refuse, wake: refuse }))),
    // Handlers run concurrently, so none waits for another's chain reads; changes lock their rows.
    { concurrency: "unbounded", disableFatalDefects: true, maxIdleTime: "10 minutes" }
  )
