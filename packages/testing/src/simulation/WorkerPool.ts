/** Lives shared out among child processes: each asks for a few seeds, lives them, tells what became of each, and asks again. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import type { Lived } from "./Summary.ts"

export interface Seeds {
  readonly from: number
  readonly count: number
}

/** From a child: a life, or that it has none left. */
type Said = { readonly lived: Lived } | { readonly idle: true }

/** Few enough that all end together. */
const most = 10
/** A life takes about a second; one that takes this long does not end. */
const patienceMillis = 600_000

const shares = ({ count, from }: Seeds, jobs: number): ReadonlyArray<Seeds> => {
  const share = Math.max(1, Math.min(most, Math.floor(count / jobs / 4)))
  return Array.from({ length: Math.ceil(count / share) }, (_, index) =>
    ({ from: from + index * share, count: Math.min(share, count - index * share) }))
}

/** Lives all seeds in so many processes; fails when one of them ends before its work is done. */
export const parent = async (seeds: Seeds, jobs: number, options: ReadonlyArray<string>, tell: (lived: Lived) => void): Promise<void> => {
  const left = [...shares(seeds, jobs)]
  const work = async () => {
    const run = fileURLToPath(new URL("../../../../scripts/run.mjs", import.meta.url))
    // Lives make much that is soon forgotten: with room for it the collector has little to do.
    const child = fork(run, ["simulate", "--child", ...options], { execArgv: ["--max-semi-space-size=64"], stdio: ["ignore", "inherit", "inherit", "ipc"] })
    const exit = once(child, "exit")
    await attend(child, left, tell)
    const [code] = await exit as [number | null]
    if (code !== 0) throw new Error(`a process of the simulation ended with ${code}`)
  }
  await Promise.all(Array.from({ length: Math.min(jobs, left.length) }, work))
}

/** Gives a child its shares until there are none. */
const attend = (child: ChildProcess, left: Array<Seeds>, tell: (lived: Lived) => void): Promise<void> =>
  new Promise((resolve, reject) => {
    let given: Seeds | undefined
    let last = 0
    const where = () => given === undefined ? "before its first life" : `after ${last} of the seeds from ${given.from} to ${given.from + given.count - 1}`
    const impatience = setTimeout(() => {
      child.kill("SIGKILL")
      reject(new Error(`a process of the simulation said nothing for ${patienceMillis / 1000} s, ${where()}`))
    }, patienceMillis)
    child.on("exit", () => {
      clearTimeout(impatience)
      reject(new Error(`a process of the simulation ended ${where()}`))
    })
    child.on("message", (said: Said) => {
      impatience.refresh()
      if ("lived" in said) {
        last = said.lived.seed
        return tell(said.lived)
      }
      given = left.shift()
      if (given !== undefined) return void child.send(given)
      clearTimeout(impatience)
      child.disconnect()
      resolve()
    })
  })

/** The other side: lives what it is given until its parent lets go of it. */
export const child = async (live: (seed: number) => Promise<Lived>): Promise<void> => {
  const say = (said: Said) => process.send?.(said)
  const gone = once(process, "disconnect")
  process.on("message", ({ count, from }: Seeds) => {
    const all = async () => {
      for (let seed = from; seed < from + count; seed++) say({ lived: await live(seed) })
      say({ idle: true })
    }
    all().catch((error: unknown) => {
      console.error(error)
      process.exit(1)
    })
  })
  say({ idle: true })
  await gone
}
