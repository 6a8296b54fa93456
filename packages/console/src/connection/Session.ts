/** The session as the page knows it: the signed-in manager, if any. The page cannot read the cookie itself. */
import { useQuery } from "@tanstack/react-query"
import { queries } from "./QueryCache.ts"
import { t } from "../text/Text.ts"

export interface SessionView {
  readonly manager: string | null
  readonly expiresAt: string | null
}

const key = ["session"]

/** Sends a plain HTTP request to the service. Throws the message of an error response. */
export const send = async <A>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<A> => {
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
  })
  const result = await response.json().catch(() => ({})) as A & { readonly message?: string }
  if (!response.ok) {
    throw new Error(
      result.message ?? t("The service returned HTTP {status}. Try again in a moment.", { status: response.status })
    )
  }
  return result
}

const read = { queryKey: key, queryFn: () => send<SessionView>("GET", "/console/session") }

/** Reads the session before anything is drawn: the page has already requested it. */
export const readSession = (): void => void queries.prefetchQuery(read)

export const useSession = () =>
  useQuery({
    ...read,
    refetchInterval: false,
    // Each page reads it. A session that has ended is noticed by the next call.
    refetchOnMount: false
  })

const listeners = new Set<() => void>()

/**
 * Registers a function to call when the signed-in manager changes or signs out. It closes resources of the previous
 * session.
 */
export const onSessionChange = (leave: () => void): void => {
  listeners.add(leave)
}

/** Stores the session and clears the cache of the previous one. */
export const setSession = (session: SessionView): void => {
  if (queries.getQueryData<SessionView>(key)?.manager !== session.manager) { for (const leave of listeners) leave() }
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== key[0] })
  queries.setQueryData(key, session)
}

let isEnding = false
/** The last attempt to open a socket: resolves when it has succeeded or failed, or after five seconds. */
let attempt: Promise<unknown> | undefined

/** Opens a socket; returns undefined while a session ends or the manager is signed out, as it would be refused. */
export const openSocket = (url: string): WebSocket | undefined => {
  if (isEnding || queries.getQueryData<SessionView>(key)?.manager === null) return undefined
  const socket = new WebSocket(url)
  attempt = new Promise((resolve) => {
    socket.addEventListener("open", resolve)
    socket.addEventListener("close", resolve)
    setTimeout(resolve, 5_000)
  })
  return socket
}

/** Ends the session, once no socket is connecting: it would be refused. No other one is opened until `next` is done. */
export const endSession = async <A>(next: (ended: SessionView) => A | Promise<A>): Promise<A> => {
  isEnding = true
  await attempt
  return send<SessionView>("DELETE", "/console/session").then(next).finally(() => {
    isEnding = false
  })
}

export const signOut = (): Promise<void> => endSession(setSession)

/** Ends the session after the service has rejected it; the sign-in page appears. */
export const forgetSession = (): void => setSession({ manager: null, expiresAt: null })

/** Reads the session again; called when it may have ended. */
export const checkSession = (): void => {
  if (queries.isFetching({ queryKey: key }) === 0) void queries.invalidateQueries({ queryKey: key })
}
