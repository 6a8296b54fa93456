/** Wraps a node's requests with the gate and the faults of the process that sends them. */
import type { Request } from "../test-chain/Rpc.ts"
import * as Effect from "effect/Effect"
import type { FaultInjector } from "./FaultInjector.ts"
import type { Process } from "./Process.ts"
import { textOf } from "./Trace.ts"
import type { Sessions } from "./VirtualPostgres.ts"
import type { Environment } from "./Environment.ts"

/** Builds a process's `Request` of a node. A request that has been sent is executed even if the process crashes. */
export const requestThrough = (
  { gate, trace }: Environment,
  options: {
    readonly injector: FaultInjector
    readonly sessions: Sessions
    /** Runs an effect outside of any process: no crash interrupts it. */
    readonly fork: <A, E>(effect: Effect.Effect<A, E>, done: (exit: Effect.Effect<A, E>) => void) => void
    /** Reports signed bytes as they leave, and whether a committed row has them. */
    readonly onSend: (raw: string, isRecorded: boolean) => void
  }
) =>
(process: Process, request: Request): Request =>
(method, params) =>
  Effect.callback((resume) => {
    const { fork, injector, onSend, sessions } = options
    const withdraw = gate.enqueue({
      process,
      ready: () => true,
      run: () => {
        const decision = injector.forCall(process, method === "eth_sendRawTransaction")
        trace.add("rpc", process.name, method, textOf(params), decision)
        if (decision === "diesBefore") return injector.apply(decision, process, () => undefined)
        const [raw] = params
        if (method === "eth_sendRawTransaction" && typeof raw === "string") onSend(raw, sessions.isCommitted(raw))
        fork(request(method, params), (exit) => process.deliver(() => resume(exit)))
        if (decision !== "runs") injector.apply(decision, process, () => undefined)
      }
    })
    return Effect.sync(withdraw)
  })
