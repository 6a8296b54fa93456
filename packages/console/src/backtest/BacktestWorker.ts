/** The worker of the backtest page: it reads files and runs backtests, so that the page stays usable meanwhile. */
import * as Result from "effect/Result"
import type { Answer, Fault, Progress, Request, SweepRow } from "./BacktestJob.ts"
import { reportOf } from "./BacktestReport.ts"
import { candlesOf, noteOf, signalsOf } from "./BacktestRun.ts"
import { sweep, walk } from "./BacktestSweep.ts"

/** Shortest time between two reports of progress, in milliseconds. */
const reportEvery = 100

const post = (message: Answer | Progress) => postMessage(message)

/** Collects rows and reports them to the page from time to time. */
const reporter = () => {
  let reported = 0
  let rows: Array<SweepRow> = []
  return (done: number, of: number, row?: SweepRow) => {
    if (row !== undefined) rows.push(row)
    if (done < of && performance.now() - reported < reportEvery) return
    reported = performance.now()
    post({ _tag: "progress", done, of, rows })
    rows = []
  }
}

const answerTo = (request: Request): Result.Result<Answer, Fault> => {
  switch (request._tag) {
    case "describe": {
      const { content, source } = request
      return content === "signals"
        ? Result.map(signalsOf(source), ({ length }) => ({ _tag: "described", count: length, series: null }))
        : Result.map(candlesOf(source), (candles) => ({
          ...{ _tag: "described", count: candles.length },
          series: noteOf(source.name, candles)
        }))
    }
    case "run":
      return Result.map(reportOf(request.job), (report) => ({ _tag: "report", report }))
    case "sweep": {
      const { job } = request
      const report = reporter()
      return job.windows === null
        ? Result.map(sweep(job, (row, done, of) => report(done, of, row)), () => ({ _tag: "swept" }))
        : Result.map(walk(job, job.windows, report), (result) => ({ _tag: "walked", walk: result }))
    }
  }
}

addEventListener("message", ({ data }: MessageEvent<Request>) =>
  post(
    Result.match(answerTo(data), {
      onFailure: (fault): Answer => ({ _tag: "refused", fault }),
      onSuccess: (answer) => answer
    })
  ))
