/** Runs a request in a worker of its own; stopping it ends the worker. */
import { useEffect, useRef, useState } from "react"
import type { Answer, Fault, Progress, Request, SweepRow } from "./BacktestJob.ts"

interface Running {
  readonly answer: Promise<Answer>
  readonly stop: () => void
}

/** Starts a worker. Its answer never arrives once it is stopped. */
export const start = (request: Request, report: (progress: Progress) => void = () => {}): Running => {
  const worker = new Worker(new URL("./BacktestWorker.ts", import.meta.url), { type: "module" })
  const answer = new Promise<Answer>((resolve) => {
    worker.addEventListener("message", ({ data }: MessageEvent<Answer | Progress>) => {
      if (data._tag === "progress") return report(data)
      worker.terminate()
      resolve(data)
    })
    worker.addEventListener("error", () => {
      worker.terminate()
      resolve({ _tag: "refused", fault: { code: "broken" } })
    })
  })
  worker.postMessage(request)
  return { answer, stop: () => worker.terminate() }
}

interface State {
  readonly isRunning: boolean
  /** True if it was stopped before its end; rows that were known by then are kept. */
  readonly wasStopped: boolean
  readonly answer: Answer | undefined
  readonly fault: Fault | undefined
  readonly done: number
  readonly of: number
  readonly rows: ReadonlyArray<SweepRow>
}

const idle: State = {
  ...{ isRunning: false, wasStopped: false, answer: undefined, fault: undefined, done: 0, of: 0, rows: [] }
}

/** The run of a page: one at a time. It ends with the page. */
export const useBacktest = () => {
  const [state, setState] = useState(idle)
  const stop = useRef(() => {})
  useEffect(() => () => stop.current(), [])
  return {
    ...state,
    run: (request: Request) => {
      stop.current()
      setState({ ...idle, isRunning: true })
      const running = start(
        request,
        ({ done, of, rows }) => setState((before) => ({ ...before, done, of, rows: [...before.rows, ...rows] }))
      )
      stop.current = running.stop
      void running.answer.then((answer) =>
        setState((before) => ({
          ...before,
          isRunning: false,
          ...(answer._tag === "refused" ? { fault: answer.fault } : { answer })
        }))
      )
    },
    refuse: (fault: Fault) => setState({ ...idle, fault }),
    stop: () => {
      stop.current()
      setState((before) => ({ ...before, isRunning: false, wasStopped: true }))
    }
  }
}

export type Backtesting = ReturnType<typeof useBacktest>
