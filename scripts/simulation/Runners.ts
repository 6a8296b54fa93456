/** The runners of a life, one after the other, and now and then two at once: they die, stand still, lose their actors, and are started anew. */
import type { Address } from "@vault-trader/core/chain/Address"
import type { NetworkBook } from "@vault-trader/core/chain/NetworkBook"
import type { Faults } from "@vault-trader/devnet/test-chain/Faults"
import type { Request } from "@vault-trader/devnet/test-chain/Rpc"
import * as Effect from "effect/Effect"
import type { Border } from "./Border.ts"
import type { Chance } from "./Chance.ts"
import type { Misfortune } from "./Misfortune.ts"
import * as Process from "./Process.ts"
import * as Runner from "./Runner.ts"
import { network } from "./Stage.ts"
import type { Tally } from "./Tally.ts"
import { textOf, type Trace } from "./Trace.ts"
import type { VirtualClock } from "./VirtualClock.ts"
import type { Sessions } from "./VirtualPostgres.ts"

export interface Runners {
  readonly start: () => void
  /** The youngest, if it stands: what can be asked of it, on its own time. */
  readonly current: () => { readonly process: Process.Process; readonly services: Runner.Services } | undefined
  readonly died: (process: Process.Process) => void
  readonly froze: (process: Process.Process) => void
  readonly endActors: (process: Process.Process, millis: number) => void
  /** At the end nobody lives. */
  readonly end: () => void
}

export const make = (life: {
  readonly border: Border
  readonly chance: Chance
  readonly clock: VirtualClock
  readonly tally: Tally
  readonly trace: Trace
  readonly book: NetworkBook
  readonly treasury: Address | undefined
  readonly nodes: ReadonlyArray<Faults>
  readonly sessions: () => Sessions
  readonly misfortune: () => Misfortune
  /** Runs something of the world's: it stops for no process's end. */
  readonly fork: <A, E>(effect: Effect.Effect<A, E>, done: (exit: Effect.Effect<A, E>) => void) => void
  /** Signed bytes that are in no committed row. */
  readonly unrecorded: (raw: string) => void
}): Runners => {
  const { border, chance, clock, fork, misfortune, sessions, tally, trace } = life
  const all: Array<Process.Process> = []
  const standing = new Map<Process.Process, Runner.Services>()
  const locksFailUntil = new Map<Process.Process, number>()
  const note = (what: string, process: Process.Process) => trace.add(what, process.name, clock.now())
  const newest = () => all[all.length - 1]

  /** A node as a process reaches it. What has left a process happens, whatever becomes of the process. */
  const reached = (process: Process.Process, node: Faults): Request => (method, params) =>
    Effect.async((resume) => {
      const withdraw = border.cross({
        process,
        ready: () => true,
        happen: () => {
          const fate = misfortune().ofCall(process, method)
          trace.add("rpc", process.name, method, textOf(params), fate)
          if (fate === "diesBefore") return misfortune().befall(fate, process, () => undefined)
          const [raw] = params
          if (method === "eth_sendRawTransaction" && typeof raw === "string" && !sessions().isCommitted(raw)) life.unrecorded(raw)
          fork(node.request(method, params), (exit) => process.deliver(() => resume(exit)))
          if (fate !== "runs") misfortune().befall(fate, process, () => undefined)
        }
      })
      return Effect.sync(withdraw)
    })

  const start = () => {
    const process = Process.make(`runner ${all.length + 1}`)
    all.push(process)
    note("starts", process)
    const runner = Runner.start({
      process,
      books: new Map([[network, { book: life.book, nodes: life.nodes.map((node) => reached(process, node)) }]]),
      sql: sessions().client(process),
      clock: clock.of(process),
      locksFail: () => clock.now() < (locksFailUntil.get(process) ?? 0),
      treasury: life.treasury
    })
    fork(Effect.tap(runner, (services) => Effect.sync(() => standing.set(process, services))), () => undefined)
  }

  const wake = (process: Process.Process) => {
    if (process.state() !== "frozen") return
    note("wakes", process)
    tally.count(process.owns() ? "frozen runner woke in time" : "frozen runner woke after another took over")
    process.thaw()
    // Its shards are gone: it lets go of them within seconds, and then nobody needs it.
    if (!process.owns()) clock.after(30_000, process.die)
  }

  const takeOver = (process: Process.Process) => {
    if (process.state() !== "frozen" || process !== newest()) return
    process.disown()
    start()
  }

  return {
    start,
    current: () => {
      const process = newest()
      const services = process === undefined ? undefined : standing.get(process)
      return process === undefined || services === undefined || process.state() !== "runs" ? undefined : { process, services }
    },
    died: (process) => {
      note("dies", process)
      if (process === newest()) clock.after(500 + chance.below(3_000), start)
    },
    froze: (process) => {
      note("freezes", process)
      tally.count("runner froze")
      clock.after(1_000 + chance.below(25_000), () => wake(process))
      // When its locks have expired another one gets them.
      clock.after(6_000 + chance.below(3_000), () => takeOver(process))
    },
    endActors: (process, millis) => {
      note("loses its actors", process)
      locksFailUntil.set(process, clock.now() + millis)
    },
    end: () => {
      for (const process of all) process.die()
    }
  }
}
