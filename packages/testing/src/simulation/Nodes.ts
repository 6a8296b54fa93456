/** Nodes as a process reaches them. */
import type { Faults } from "@vault-trader/devnet/test-chain/FaultyNode"
import type { Request } from "@vault-trader/devnet/test-chain/Rpc"
import * as Effect from "effect/Effect"
import type { Misfortune } from "./FaultInjector.ts"
import type { Process } from "./Process.ts"
import { textOf } from "./Trace.ts"
import type { Sessions } from "./VirtualPostgres.ts"
import type { World } from "./Environment.ts"

/** What has left a process happens, whatever becomes of the process. */
export const reached = (
  { border, trace }: World,
  life: {
    readonly misfortune: Misfortune
    readonly sessions: Sessions
    /** Runs something of the world's: it stops for no process's end. */
    readonly fork: <A, E>(effect: Effect.Effect<A, E>, done: (exit: Effect.Effect<A, E>) => void) => void
    /** Signed bytes that are in no committed row. */
    readonly unrecorded: (raw: string) => void
  }
) =>
(process: Process, node: Faults): Request =>
(method, params) =>
  Effect.callback((resume) => {
    const { fork, misfortune, sessions, unrecorded } = life
    const withdraw = border.cross({
      process,
      ready: () => true,
      happen: () => {
        const fate = misfortune.ofCall(process, method === "eth_sendRawTransaction")
        trace.add("rpc", process.name, method, textOf(params), fate)
        if (fate === "diesBefore") return misfortune.befall(fate, process, () => undefined)
        const [raw] = params
        if (method === "eth_sendRawTransaction" && typeof raw === "string" && !sessions.isCommitted(raw)) unrecorded(raw)
        fork(node.request(method, params), (exit) => process.deliver(() => resume(exit)))
        if (fate !== "runs") misfortune.befall(fate, process, () => undefined)
      }
    })
    return Effect.sync(withdraw)
  })
