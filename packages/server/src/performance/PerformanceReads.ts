/** Reads what a vault's performance is built from. Only the database is read, so it works without nodes. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { Network } from "@vault-trader/core/chain/Network"
import { ValidationFailure } from "@vault-trader/core/failure/Failure"
import { ManagerStore } from "@vault-trader/core/manager/ManagerStore"
import { type LotMethod, type Range, ranges } from "@vault-trader/core/performance/Performance"
import { PerformanceLedger } from "@vault-trader/core/performance/PerformanceLedger"
import { detailSlots, type PerformanceInput, type Period } from "@vault-trader/core/performance/PerformanceReport"
import { ValueSampleStore } from "@vault-trader/core/performance/ValueSampleStore"
import { type SeriesPoint, seriesOf } from "@vault-trader/core/performance/ValueSeries"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { query } from "../gate/ActorCall.ts"
import * as StrategyReaders from "../vault/StrategyReaders.ts"

/** The vault, the period and the choices of a request. */
interface Question {
  readonly network: Network
  readonly pool: Address
  readonly range?: Range | undefined
  readonly from?: Date | undefined
  readonly to?: Date | undefined
  readonly lots?: LotMethod | undefined
  readonly benchmark?: string | undefined
  readonly points: number
}

/** Returns the period of a request; refuses one that ends before it begins. */
const periodOf = ({ from, range = "all", to }: Question, now: Date): Effect.Effect<Period, ValidationFailure> => {
  const end = to === undefined || to > now ? now : to
  const seconds = ranges[range]
  const begin = from ?? (seconds === null ? null : new Date(now.getTime() - seconds * 1_000))
  return begin !== null && begin >= end
    ? Effect.fail(
      new ValidationFailure({
        code: "1010",
        message: from === undefined ? "to: must be later than the start of the range" : "to: must be later than from"
      })
    )
    : Effect.succeed({ from: begin, to: end })
}

/** The clock of a chain may be ahead of this one, so no sample is left out for its time. */
const always = { from: new Date(0), to: new Date("9999-01-01") }

/** Makes the read of all samples of a vault, in order and with their gaps. */
const makeSeries = Effect.map(ValueSampleStore, (store) => (place: { network: Network; pool: Address }) =>
  Effect.map(
    query(Effect.all([store.points(place, always.from, always.to), store.missed(place, always.from, always.to)])),
    ([points, missed]) => seriesOf(points, missed)
  ))

/** Returns the time until which samples count: now, or the newest of them where its chain is ahead. */
export const untilOf = (now: number, samples: ReadonlyArray<SeriesPoint>): Date =>
  new Date(samples.reduce((latest, { at }) => Math.max(latest, at.getTime()), now))

/** Makes the read of a report's input. Trades of other wallets are read only for those who may see them. */
const makeInput = Effect.gen(function*() {
  const series = yield* makeSeries
  const store = yield* ValueSampleStore
  const ledger = yield* PerformanceLedger
  const accessOf = yield* StrategyReaders.make
  return (wallet: Address, question: Question): Effect.Effect<PerformanceInput, ValidationFailure> =>
    Effect.gen(function*() {
      const { benchmark, lots = "fifo", network, points, pool } = question
      const place = { network, pool }
      const samples = yield* series(place)
      const now = untilOf(yield* Clock.currentTimeMillis, samples)
      const period = yield* periodOf(question, now)
      const found = yield* query(store.details(place, detailSlots(samples, period)))
      const { reads } = yield* accessOf(place, wallet)
      return {
        ...{ network, pool, period, now, benchmark, lots, points, series: samples },
        details: new Map(found.map(({ details, slot }) => [slot.getTime(), details])),
        trades: yield* query(ledger.trades({ network, pool, wallet: reads ? null : wallet }))
      }
    })
})

export const PerformanceReads = Effect.all({ input: makeInput, series: makeSeries })

/** The stores that the reads need. */
export const PerformanceStores = Layer.mergeAll(ValueSampleStore.layer, PerformanceLedger.layer, ManagerStore.layer)
