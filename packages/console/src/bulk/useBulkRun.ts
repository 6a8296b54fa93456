/**
 * Sends the requests of a bulk action, a few at once, and keeps the outcome of each. A request whose answer was lost is
 * sent again with the same idempotency key; after a refusal the next try is a new request.
 */
import { useEffect, useRef, useState } from "react"
import { queries } from "../connection/QueryCache.ts"
import { isAnswered, isLost } from "../connection/RpcConnection.ts"
import type { BulkLine } from "./BulkLine.ts"

export interface Outcome {
  readonly state: "waiting" | "sending" | "done" | "failed"
  readonly message: string
  /** True if the answer was lost: what was sent may have been done. */
  readonly isLost?: boolean
}

export const useBulkRun = (atOnce: number) => {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map())
  const [isRunning, setIsRunning] = useState(false)
  const isStopped = useRef(false)
  const requestKeys = useRef(new Map<string, string>())
  // Nothing more is sent for a review that is not on the page.
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])

  const mark = (keys: ReadonlyArray<string>, outcome: Outcome | undefined) =>
    setOutcomes((old) => {
      const next = new Map(old)
      for (const key of keys) {
        if (outcome === undefined) next.delete(key)
        else next.set(key, outcome)
      }
      return next
    })

  const sendOne = async ({ key, send }: BulkLine) => {
    const requestKey = requestKeys.current.get(key) ?? crypto.randomUUID()
    requestKeys.current.set(key, requestKey)
    mark([key], { state: "sending", message: "" })
    await (send?.(requestKey) ?? Promise.resolve("")).then(
      (message) => mark([key], { state: "done", message }),
      (error: Error) => {
        if (isAnswered(error)) requestKeys.current.delete(key)
        mark([key], { state: "failed", message: error.message, isLost: isLost(error) })
      }
    )
  }

  const run = async (lines: ReadonlyArray<BulkLine>) => {
    isStopped.current = false
    setIsRunning(true)
    const queue = [...lines]
    mark(queue.map(({ key }) => key), { state: "waiting", message: "" })
    const work = async () => {
      for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
        if (isStopped.current) return mark([line.key, ...queue.splice(0).map(({ key }) => key)], undefined)
        await sendOne(line)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    setIsRunning(false)
    await queries.invalidateQueries()
  }

  return {
    outcomes,
    isRunning,
    run: (lines: ReadonlyArray<BulkLine>) => void run(lines),
    stop: () => {
      isStopped.current = true
    }
  }
}
