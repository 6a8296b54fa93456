/** Handlers of the endpoints about performance. */
import { Caller } from "@vault-trader/core/endpoint/Admission"
import { defaultPoints, PerformanceApi } from "@vault-trader/core/performance/PerformanceApi"
import { curveCsv, performanceOf, periodLotsOf } from "@vault-trader/core/performance/PerformanceReport"
import {
  disposalOf,
  notesOf,
  openLotOf,
  realisedOf,
  taxCsv,
  unrealisedOf
} from "@vault-trader/core/performance/TaxLots"
import { tearsheetOf } from "@vault-trader/core/performance/Tearsheet"
import { format } from "@vault-trader/core/chain/Quantity"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Handlers from "../wire/Handlers.ts"
import { PerformanceReads, PerformanceStores } from "./PerformanceReads.ts"

const usd = (raw18: bigint | null) => raw18 === null ? null : format(raw18, 18)

/** The number of points of a tearsheet's charts. */
const chartPoints = 600

export const PerformanceApiLive = Handlers.layer(
  PerformanceApi,
  Effect.gen(function*() {
    const { input } = yield* PerformanceReads
    return {
      getPerformance: ({ format: table, points = defaultPoints, ...question }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const data = performanceOf(yield* input(wallet, { ...question, points }))
          return { data, csv: table === "csv" ? curveCsv(data.curve) : null }
        }),
      getTaxLots: ({ format: table, lots: method = "fifo", ...question }) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const { lots, prices, sold } = periodLotsOf(
            yield* input(wallet, { ...question, lots: method, points: defaultPoints })
          )
          const disposals = sold.map(disposalOf)
          return {
            ...{ method, disposals, notes: notesOf(sold, lots) },
            open: lots.open.map((lot) => openLotOf(lot, prices)),
            realised_usd: usd(realisedOf(sold)),
            unrealised_usd: usd(unrealisedOf(lots.open, prices)),
            csv: table === "csv" ? taxCsv(disposals, method) : null
          }
        }),
      getTearsheet: (question) =>
        Effect.gen(function*() {
          const { wallet } = yield* Caller
          const report = yield* input(wallet, { ...question, points: chartPoints })
          return { html: tearsheetOf(performanceOf(report), report.now) }
        })
    }
  })
).pipe(Layer.provide(PerformanceStores))
