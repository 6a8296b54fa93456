/** Sends HTTP requests from a process of its own, so that its work is neither ours nor the peer's. */
import * as Effect from "effect/Effect"
import type { Scope } from "effect/Scope"
import { fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { percentile } from "../bots/PriceMoves.ts"

export interface LoadRequest {
  readonly method: "GET" | "POST"
  /** With its query. */
  readonly path: string
  /** JSON. */
  readonly body?: string
}

/** One run: until `total` requests are sent, or until `seconds` have passed, whichever is first. */
export interface Load {
  /** The servers, `http://127.0.0.1:PORT`; the connections are distributed over them. */
  readonly origins: ReadonlyArray<string>
  /** Sent in turn. */
  readonly requests: ReadonlyArray<LoadRequest>
  readonly connections: number
  readonly total?: number
  readonly seconds?: number
  /** A part of each right response; any other response, and any status but 200, is wrong. */
  readonly expects: string
}

/** Measurement of the load process. */
export interface Measured {
  /** From the first request, on open connections, to the last response. */
  readonly seconds: number
  /** Milliseconds of each request, ascending. */
  readonly latencies: ReadonlyArray<number>
  readonly wrong: number
  readonly firstWrong: string | null
}

/** Rate and latencies of a run. */
export interface Rate {
  readonly count: number
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
  readonly latencies: ReadonlyArray<number>
  readonly seconds: number
}

/** Summarizes a run. */
export const rateOf = ({ latencies, seconds }: Pick<Measured, "latencies" | "seconds">): Rate => ({
  count: latencies.length,
  perSecond: latencies.length / seconds,
  p50: percentile(latencies, 50),
  p99: percentile(latencies, 99),
  latencies,
  seconds
})

export interface LoadGenerator {
  /** Runs a load. A wrong response is a defect: a rate of failures is no number. */
  readonly run: (load: Load) => Effect.Effect<Rate>
}

interface Report {
  readonly measured?: Measured
  readonly failed?: string
}

/** Starts the process; it ends with the scope. */
export const start: Effect.Effect<LoadGenerator, never, Scope> = Effect.gen(function*() {
  const child = yield* Effect.acquireRelease(
    Effect.sync(() => fork(fileURLToPath(new URL("LoadProcess.ts", import.meta.url)))),
    (process) => Effect.sync(() => process.kill("SIGKILL"))
  )
  yield* Effect.promise(() => once(child, "message"))
  return {
    run: (load) =>
      Effect.gen(function*() {
        const { failed, measured } = yield* Effect.promise(async () => {
          const report = once(child, "message")
          child.send(load)
          return (await report)[0] as Report
        })
        if (measured === undefined) return yield* Effect.die(new Error(`the load failed: ${failed}`))
        if (measured.wrong > 0) {
          const { firstWrong, latencies, wrong } = measured
          return yield* Effect.die(new Error(`${wrong} of ${latencies.length} responses were wrong: ${firstWrong}`))
        }
        return rateOf(measured)
      })
  }
})
