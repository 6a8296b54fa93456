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

type Keyed = Readonly<Record<string, unknown>> & { readonly idempotency_key: string }

/** Returns the payload of a request that moves something on behalf of a gas wallet. */
const keyedOf = ({ payload, tag }: Request<unknown>): Keyed | undefined =>
  tag.startsWith("wallet.") && typeof payload === "object" && payload !== null && "idempotency_key" in payload &&
    typeof payload.idempotency_key === "string"
    ? payload as Keyed
    : undefined

/** The parameters of a request without its key, as text. */
export type Params = Readonly<Record<string, string>>

const textOf = (value: unknown): string => typeof value === "string" ? value : JSON.stringify(value)

const paramsOf = ({ idempotency_key: _, ...params }: Readonly<Record<string, unknown>>): Params =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) => value === undefined ? [] : [[name, textOf(value)]])
  )

const aboutOf = (tag: string, payload: Keyed): string =>
  `${tag}?${new URLSearchParams(Object.entries(paramsOf(payload)).sort()).toString()}`

/** A stored request: `key` and the time when it was sent first, as text. */
const entryOf = (text: string) => {
  const [key = "", sentAt = ""] = text.split(" ")
  return { key, sentAt: Number(sentAt) }
}

export const make = (memory: () => Memory, now: () => number) => {
  /** Reads what is kept, the oldest first; what is damaged or too old is left out. */
  const read = (): Map<string, string> =>
    new Map([...new URLSearchParams(memory().getItem(stored) ?? "")].filter(([, text]) => {
      const { key, sentAt } = entryOf(text)
      return key !== "" && now() - sentAt < keptMillis
    }))
  const write = (entries: ReadonlyMap<string, string>) =>
    memory().setItem(stored, new URLSearchParams([...entries].slice(-maxKept)).toString())
  return {
    /** Notes that a request is sent, and returns it with the key under which it was sent before, if it was. */
    sending: <A>(request: Request<A>): Request<A> => {
      const payload = keyedOf(request)
      if (payload === undefined) return request
      const about = aboutOf(request.tag, payload)
      const entries = read()
      const before = entries.get(about)
      if (before !== undefined) {
        return { ...request, payload: { ...payload, idempotency_key: entryOf(before).key } }
      }
      write(entries.set(about, `${payload.idempotency_key} ${now()}`))
      return request
    },
    /** Notes that the outcome of a request is known: the same one again is another. */
    answered: (request: Request<unknown>): void => {
      const payload = keyedOf(request)
      if (payload === undefined) return
      const entries = read()
      entries.delete(aboutOf(request.tag, payload))
      write(entries)
    },
    /** Finds the newest request of a kind whose outcome is not known, and which has these parameters among others. */
    find: (tag: string, about: Readonly<Record<string, string>>): Params | undefined =>
      [...read().keys()].reverse().flatMap((text) => {
        const params = text.startsWith(`${tag}?`)
          ? Object.fromEntries(new URLSearchParams(text.slice(tag.length + 1)))
          : undefined
        return params !== undefined && Object.entries(about).every(([name, value]) => params[name] === value)
          ? [params]
          : []
      })[0],
    /** Forgets all requests, as those of another manager. */
    clear: (): void => write(new Map())
  }
}
