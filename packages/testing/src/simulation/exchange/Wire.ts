/** Between a process and the exchange: requests of the real ccxt, answered by the fake's own code, on virtual time and through a network that fails. */
import * as Binance from "@vault-trader/devnet/exchange/Binance"
import type { Desk } from "@vault-trader/devnet/exchange/ExchangeControl"
import type { Fault } from "@vault-trader/devnet/exchange/ExchangeFault"
import type { Transport } from "@vault-trader/workers/ccxt/CcxtLibrary"
import type { Misfortune } from "../FaultInjector.ts"
import type { Process } from "../Process.ts"
import type { Kind } from "../FaultCounts.ts"
import type { World } from "../Environment.ts"

/** Milliseconds: how long a request is waited for, and for how long the exchange takes an order after it was signed. */
export const timeoutMillis = 3_000
export const windowMillis = 5_000
/** Where the fake answers, for ccxt. */
export const url = "http://exchange.invalid/binance"

type Heard = Awaited<ReturnType<Transport["request"]>>
type Request = Parameters<Transport["request"]>[0]
type Trouble = "none" | "timeoutBefore" | "timeoutAfter" | "late" | "resetBefore" | "resetAfter" | "gatewayBefore" | "gatewayAfter"

export interface Wire {
  readonly transport: (process: Process) => Transport
  /** Client ids of all orders that left a process, once each time one did. */
  readonly sent: ReadonlyArray<string>
  /** The exchange's clock goes wrong, or right again. */
  readonly jump: (millis: number) => void
}

/** What orders meet at the exchange itself, percent. */
const ofExchange: ReadonlyArray<readonly [Fault, number, Kind]> = [
  ...[["partialFill", 15, "partial fill"], ["serverError", 6, "order taken and answered with 500"]] as const,
  ...[["duplicateId", 8, "order taken and answered as a duplicate"], ["rateLimited", 12, "HTTP 429"], ["maintenance", 8, "maintenance"]] as const
]

const troubles: ReadonlyArray<Trouble> = ["timeoutBefore", "timeoutAfter", "timeoutAfter", "late", "late", "late", "late", "resetBefore", "resetAfter", "gatewayBefore", "gatewayAfter"]

const told: Readonly<Record<Exclude<Trouble, "none" | "late">, readonly [question: Kind, order: Kind]>> = {
  timeoutBefore: ["question timed out", "order timed out before the exchange"],
  timeoutAfter: ["question timed out", "order timed out after the exchange"],
  resetBefore: ["reset before the exchange", "reset before the exchange"],
  resetAfter: ["reset after the exchange", "reset after the exchange"],
  gatewayBefore: ["gateway failed before the exchange", "gateway failed before the exchange"],
  gatewayAfter: ["gateway failed after the exchange", "gateway failed after the exchange"]
}

const gateway: Heard = { status: 504, body: "<html><body>Gateway Time-out</body></html>" }
/** For so long after a jump of the exchange's clock no order is late: what was signed by a wrong clock says nothing of its age. */
const confusionMillis = 60_000

export const make = (
  { border, chance, clock, tally, trace, weather }: World,
  life: { readonly desk: Desk; readonly misfortune: Misfortune; readonly isTroubled: () => boolean }
): Wire => {
  const { desk, isTroubled, misfortune } = life
  const sent: Array<string> = []
  let jumpedAt = Number.NEGATIVE_INFINITY

  desk.tellEach(() => {
    if (!isTroubled()) return undefined
    let sum = 0
    const drawn = chance.next()
    const found = ofExchange.find(([, percent]) => (sum += percent / 100 * Math.min(1, weather.rpc * 4)) > drawn)
    if (found !== undefined) tally.count(found[2])
    return found?.[0]
  })

  const answered = ({ body, headers, method, url: whole }: Request): Heard => {
    const [path = "", query = ""] = whole.slice(url.length).split("?")
    const apiKey = Object.entries(headers).find(([name]) => name.toLowerCase() === "x-mbx-apikey")?.[1]
    const answer = Binance.answer(desk, { method, path, query, body, apiKey })
    return answer._tag === "json" ? { status: answer.status, body: JSON.stringify(answer.body) } : gateway
  }

  const troubleOf = (isOrder: boolean): Trouble => {
    if (!isTroubled() || !chance.happens(isOrder ? Math.min(0.6, weather.rpc * 3) : weather.rpc)) return "none"
    const trouble = troubles[chance.below(troubles.length)] ?? "none"
    // A question that is late is one that is not answered.
    if (trouble === "late" && (!isOrder || clock.now() - jumpedAt < confusionMillis)) return "timeoutBefore"
    return trouble
  }

  /** It arrives after its sender has given up, or almost: the exchange looks at how old it is. */
  const late = (asked: Request) => {
    const [jumps, millis] = [jumpedAt, timeoutMillis + chance.below(windowMillis)]
    clock.after(millis, () => {
      if (jumpedAt !== jumps) return
      const heard = answered(asked)
      trace.add("arrives late", clock.now(), JSON.stringify(heard))
      tally.count(typeof heard === "object" && heard.status === 200 ? "order arrived late" : "order arrived too late")
    })
  }

  /** What is heard of it, and after how many milliseconds. */
  const carried = (asked: Request, isOrder: boolean): readonly [heard: Heard, millis: number] => {
    const trouble = troubleOf(isOrder)
    const quickly = 20 + chance.below(180)
    if (trouble === "none") return [answered(asked), quickly]
    if (trouble === "late") {
      late(asked)
      return ["timeout", timeoutMillis]
    }
    tally.count(told[trouble][isOrder ? 1 : 0])
    if (trouble.endsWith("After")) answered(asked)
    if (trouble.startsWith("timeout")) return ["timeout", timeoutMillis]
    return [trouble.startsWith("reset") ? "reset" : gateway, quickly]
  }

  const request = (process: Process) => (asked: Request): Promise<Heard> =>
    new Promise((resolve) => {
      const isOrder = asked.method === "POST" && asked.url.includes("/api/v3/order")
      border.cross({
        process,
        ready: () => true,
        happen: () => {
          const fate = misfortune.ofCall(process, isOrder, isOrder ? 25 : 0.6)
          trace.add("exchange", process.name, asked.method, asked.url, asked.body, fate)
          if (fate === "diesBefore") return misfortune.befall(fate, process, () => undefined)
          if (isOrder) sent.push(new URLSearchParams(asked.body).get("newClientOrderId") ?? asked.url)
          const [heard, millis] = carried(asked, isOrder)
          clock.after(millis, () => process.deliver(() => resolve(heard)))
          if (fate !== "runs") misfortune.befall(fate, process, () => undefined)
        }
      })
    })

  return {
    sent,
    transport: (process) => ({ now: clock.now, request: request(process) }),
    jump: (millis) => {
      jumpedAt = clock.now()
      desk.skew(millis)
    }
  }
}
