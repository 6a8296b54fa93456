/**
 * Distributes runs over child processes: each requests a few seeds, runs them, reports each result and requests more.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { RunResult } from "./Summary.ts"

interface Seeds {
  readonly from: number
  readonly count: number
}

/** A child's message: the result of a run, or that it is idle. */
type ChildMessage = { readonly result: RunResult } | { readonly idle: true }

/** Maximum seeds of one share: few enough that all children finish at about the same time. */
const maxShare = 10
/** A run takes about a second; a child that reports nothing for this long hangs. */
const stallTimeoutMillis = 600_000

const shares = ({ count, from }: Seeds, jobs: number): ReadonlyArray<Seeds> => {
  const share = Math.max(1, Math.min(maxShare, Math.floor(count / jobs / 4)))
  return Array.from(
    { length: Math.ceil(count / share) },
    (_, index) => ({ from: from + index * share, count: Math.min(share, count - index * share) })
  )
}

/**
 * Runs the seeds in `jobs` processes: all of them, or until `onResult` returns false. Fails when one of the processes
 * ends before its work is done.
 */
export const parent = async (
  seeds: Seeds,
  jobs: number,
  options: ReadonlyArray<string>,
  onResult: (result: RunResult) => boolean
): Promise<void> => {
  const left = [...shares(seeds, jobs)]
  const children: Array<ChildProcess> = []
  let isStopped = false
  const report = (result: RunResult) => {
    if (isStopped || onResult(result)) return
    isStopped = true
    for (const child of children) child.kill("SIGKILL")
  }
  const work = async () => {
    const script = fileURLToPath(new URL("../../../../scripts/run.mjs", import.meta.url))
    // Runs allocate much short-lived memory: a large heap keeps the garbage collector idle (an eighth of a run's time), and
    // its threads would take the processor from the other child.
    const child = fork(script, ["simulate", "--child", ...options], {
      execArgv: [
        "--initial-old-space-size=3000",
        "--min-semi-space-size=128",
        "--max-semi-space-size=128",
        "--single-threaded-gc"
      ],
      stdio: ["ignore", "inherit", "inherit", "ipc"]
    })
    children.push(child)
    const exit = once(child, "exit")
    await feed(child, left, report).catch((error: unknown) => {
      if (!isStopped) throw error
    })
    const [code] = await exit as [number | null]
    if (code !== 0 && !isStopped) throw new Error(`a simulation process ended with ${code}`)
  }
  await Promise.all(Array.from({ length: Math.min(jobs, left.length) }, work))
}

/** Sends a child its shares until none are left. */
const feed = (child: ChildProcess, left: Array<Seeds>, onResult: (result: RunResult) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    let share: Seeds | undefined
    let last = 0
    const progress = () =>
      share === undefined
        ? "before its first run"
        : `after ${last} of the seeds from ${share.from} to ${share.from + share.count - 1}`
    const stallTimer = setTimeout(() => {
      child.kill("SIGKILL")
      reject(new Error(`a simulation process reported nothing for ${stallTimeoutMillis / 1000} s, ${progress()}`))
    }, stallTimeoutMillis)
    child.on("exit", () => {
      clearTimeout(stallTimer)
      reject(new Error(`a simulation process ended ${progress()}`))
    })
    child.on("message", (message: ChildMessage) => {
      stallTimer.refresh()
      if ("result" in message) {
        last = message.result.seed
        return onResult(message.result)
      }
      share = left.shift()
      if (share !== undefined) return void child.send(share)
      clearTimeout(stallTimer)
      child.disconnect()
      resolve()
    })
  })

/** Runs the seeds the parent sends until it disconnects. */
export const child = async (run: (seed: number) => Promise<RunResult>): Promise<void> => {
  const send = (message: ChildMessage) => process.send?.(message)
  const disconnected = once(process, "disconnect")
  process.on("message", ({ count, from }: Seeds) => {
    const all = async () => {
      for (let seed = from; seed < from + count; seed++) send({ result: await run(seed) })
      send({ idle: true })
    }
    all().catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  })
  send({ idle: true })
  await disconnected
}
