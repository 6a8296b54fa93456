/**
 * Requests whose answer has not arrived, with their idempotency keys. The same request again, also from a dialog that was
 * opened again or after the page was loaded again, goes out under its first key: whatever was lost, it is done once.
 */
import type { Request } from "./Wire.ts"

/** The part of the browser's storage that is needed. */
export interface Memory {
  readonly getItem: (key: string) => string | null
  readonly setItem: (key: string, value: string) => void
}

const stored = "vault-trader/unanswered"
/** Later, the same request is meant as another one. */
const keptMillis = 3_600_000
const maxKept = 50

type Entry = readonly [about: string, key: string, sentAt: number]

type Keyed = Readonly<Record<string, unknown>> & { readonly idempotency_key: string }

/** Returns the payload of a request that moves something on behalf of a gas wallet. */
const keyedOf = ({ payload, tag }: Request<unknown>): Keyed | undefined =>
  tag.startsWith("wallet.") && typeof payload === "object" && payload !== null && "idempotency_key" in payload &&
    typeof payload.idempotency_key === "string"
    ? payload as Keyed
    : undefined

const aboutOf = (tag: string, { idempotency_key: _, ...params }: Keyed): string =>
  JSON.stringify([tag, Object.entries(params).filter(([, value]) => value !== undefined).sort()])

export const make = (memory: () => Memory, now: () => number) => {
  const read = (): ReadonlyArray<Entry> => {
    try {
      const entries = JSON.parse(memory().getItem(stored) ?? "[]") as ReadonlyArray<Entry>
      return entries.filter(([, , sentAt]) => now() - sentAt < keptMillis)
    } catch {
      return []
    }
  }
  const write = (entries: ReadonlyArray<Entry>) => {
    try {
      memory().setItem(stored, JSON.stringify(entries.slice(-maxKept)))
    } catch {
      // A full storage forgets: the dialog still has its key.
    }
  }
  return {
    /** Notes that a request is sent, and returns it with the key under which it was sent before, if it was. */
    sending: <A>(request: Request<A>): Request<A> => {
      const payload = keyedOf(request)
      if (payload === undefined) return request
      const about = aboutOf(request.tag, payload)
      const entries = read()
      const before = entries.find((entry) => entry[0] === about)
      const key = before?.[1] ?? payload.idempotency_key
      write([...entries.filter((entry) => entry !== before), [about, key, before?.[2] ?? now()]])
      return before === undefined ? request : { ...request, payload: { ...payload, idempotency_key: key } }
    },
    /** Notes that the outcome of a request is known: the same one again is another. */
    answered: (request: Request<unknown>): void => {
      const payload = keyedOf(request)
      if (payload === undefined) return
      const about = aboutOf(request.tag, payload)
      write(read().filter((entry) => entry[0] !== about))
    },
    /** Forgets all requests, as those of another manager. */
    clear: (): void => write([])
  }
}
