/**
 * Transport between a process and the exchange: requests of the real ccxt reach the fake on virtual time, through a
 * faulty network.
 */
import * as Binance from "@vault-trader/devnet/exchange/Binance"
import type { ExchangeControl } from "@vault-trader/devnet/exchange/ExchangeControl"
import type { Fault } from "@vault-trader/devnet/exchange/ExchangeFault"
import type { Transport } from "@vault-trader/workers/ccxt/CcxtLibrary"
import type { FaultInjector } from "../FaultInjector.ts"
import type { Process } from "../Process.ts"
import type { Kind } from "../FaultCounts.ts"
import type { Environment } from "../Environment.ts"

/** Milliseconds: the timeout of a request, and how long after signing the exchange accepts an order. */
export const timeoutMillis = 3_000
export const windowMillis = 5_000
/** Base URL of the fake exchange, for ccxt. */
export const url = "http://exchange.invalid/binance"

type Response = Awaited<ReturnType<Transport["request"]>>
type Request = Parameters<Transport["request"]>[0]
type NetworkFault =
  | "none"
  | "timeoutBefore"
  | "timeoutAfter"
  | "late"
  | "resetBefore"
  | "resetAfter"
  | "gatewayBefore"
  | "gatewayAfter"

export interface Wire {
  readonly transport: (process: Process) => Transport
  /** Client ids of all orders that left a process, one entry for each time. */
  readonly sent: ReadonlyArray<string>
  /** Sets how far the exchange's clock is off. */
  readonly jump: (millis: number) => void
}

/** Faults of orders at the exchange itself, in percent. */
const exchangeFaults: ReadonlyArray<readonly [Fault, number, Kind]> = [
  ...[["partialFill", 15, "partial fill"], ["serverError", 6, "order taken and answered with 500"]] as const,
  ...[["duplicateId", 8, "order taken and answered as a duplicate"], ["rateLimited", 12, "HTTP 429"], [
    "maintenance",
    8,
    "maintenance"
  ]] as const
]

const networkFaults: ReadonlyArray<NetworkFault> = [
  "timeoutBefore",
  "timeoutAfter",
  "timeoutAfter",
  "late",
  "late",
  "late",
  "late",
  "resetBefore",
  "resetAfter",
  "gatewayBefore",
  "gatewayAfter"
]

const countedAs: Readonly<Record<Exclude<NetworkFault, "none" | "late">, readonly [question: Kind, order: Kind]>> = {
  timeoutBefore: ["question timed out", "order timed out before the exchange"],
  timeoutAfter: ["question timed out", "order timed out after the exchange"],
  resetBefore: ["reset before the exchange", "reset before the exchange"],
  resetAfter: ["reset after the exchange", "reset after the exchange"],
  gatewayBefore: ["gateway failed before the exchange", "gateway failed before the exchange"],
  gatewayAfter: ["gateway failed after the exchange", "gateway failed after the exchange"]
}

const gateway: Response = { status: 504, body: "<html><body>Gateway Time-out</body></html>" }
/**
 * No order is late for this long after a jump of the exchange's clock: a timestamp of a wrong clock says nothing about
 * its age.
 */
const clockJumpMillis = 60_000

/** Draws the fault that an order meets at the exchange, if any. */
const drawExchangeFault = ({ chance, counts, profile }: Environment): Fault | undefined => {
  let sum = 0
  const draw = chance.next()
  const [fault, , kind] =
    exchangeFaults.find(([, percent]) => (sum += percent / 100 * Math.min(1, profile.rpc * 4)) > draw) ?? []
  if (kind !== undefined) counts.count(kind)
  return fault
}

/** Returns the exchange's response to a request that reached it. */
const answer = (desk: ExchangeControl, { body, headers, method, url: whole }: Request): Response => {
  const [path = "", query = ""] = whole.slice(url.length).split("?")
  const apiKey = Object.entries(headers).find(([name]) => name.toLowerCase() === "x-mbx-apikey")?.[1]
  const reply = Binance.answer(desk, { method, path, query, body, apiKey })
  return reply._tag === "json" ? { status: reply.status, body: JSON.stringify(reply.body) } : gateway
}

/** The network between a process and the exchange. */
interface Network {
  /** Returns the response and the milliseconds until it arrives. */
  readonly deliver: (request: Request, isOrder: boolean) => readonly [response: Response, millis: number]
  readonly jump: Wire["jump"]
}

const makeNetwork = (
  { chance, clock, counts, trace, profile }: Environment,
  { desk, isFaultPhase }: { readonly desk: ExchangeControl; readonly isFaultPhase: () => boolean }
): Network => {
  let jumpedAt = Number.NEGATIVE_INFINITY

  const drawFault = (isOrder: boolean): NetworkFault => {
    if (!isFaultPhase() || !chance.happens(isOrder ? Math.min(0.6, profile.rpc * 3) : profile.rpc)) return "none"
    const fault = networkFaults[chance.below(networkFaults.length)] ?? "none"
    // A late query is the same as one that is not answered.
    if (fault === "late" && (!isOrder || clock.now() - jumpedAt < clockJumpMillis)) return "timeoutBefore"
    return fault
  }

  /** Delivers a request about when its sender gives up or later: the exchange checks its age. */
  const deliverLate = (request: Request) => {
    const [jumps, millis] = [jumpedAt, timeoutMillis + chance.below(windowMillis)]
    clock.after(millis, () => {
      if (jumpedAt !== jumps) return
      const response = answer(desk, request)
      trace.add("arrives late", clock.now(), JSON.stringify(response))
      counts.count(
        typeof response === "object" && response.status === 200 ? "order arrived late" : "order arrived too late"
      )
    })
  }

  return {
    deliver: (request, isOrder) => {
      const fault = drawFault(isOrder)
      const latencyMillis = 20 + chance.below(180)
      if (fault === "none") return [answer(desk, request), latencyMillis]
      if (fault === "late") {
        deliverLate(request)
        return ["timeout", timeoutMillis]
      }
      counts.count(countedAs[fault][isOrder ? 1 : 0])
      if (fault.endsWith("After")) answer(desk, request)
      if (fault.startsWith("timeout")) return ["timeout", timeoutMillis]
      return [fault.startsWith("reset") ? "reset" : gateway, latencyMillis]
    },
    jump: (millis) => {
      jumpedAt = clock.now()
      desk.skew(millis)
    }
  }
}

export const make = (
  environment: Environment,
  options: { readonly desk: ExchangeControl; readonly injector: FaultInjector; readonly isFaultPhase: () => boolean }
): Wire => {
  const { gate, clock, trace } = environment
  const { desk, isFaultPhase, injector } = options
  const { deliver, jump } = makeNetwork(environment, { desk, isFaultPhase })
  const sent: Array<string> = []

  desk.injectEach(() => isFaultPhase() ? drawExchangeFault(environment) : undefined)

  const requestOf = (process: Process) => (request: Request): Promise<Response> =>
    new Promise((resolve) => {
      const isOrder = request.method === "POST" && request.url.includes("/api/v3/order")
      gate.enqueue({
        process,
        ready: () => true,
        run: () => {
          const decision = injector.forCall(process, isOrder, isOrder ? 25 : 0.6)
          trace.add("exchange", process.name, request.method, request.url, request.body, decision)
          if (decision === "diesBefore") return injector.apply(decision, process, () => undefined)
          if (isOrder) sent.push(new URLSearchParams(request.body).get("newClientOrderId") ?? request.url)
          const [response, millis] = deliver(request, isOrder)
          clock.after(millis, () => process.deliver(() => resolve(response)))
          if (decision !== "runs") injector.apply(decision, process, () => undefined)
        }
      })
    })

  return { sent, transport: (process) => ({ now: clock.now, request: requestOf(process) }), jump }
}
