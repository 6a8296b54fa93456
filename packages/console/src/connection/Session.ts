/** The session as the page knows it: who is signed in, if anybody. The cookie itself is out of the page's reach. */
import { useQuery } from "@tanstack/react-query"
import { queries } from "./QueryCache.ts"

export interface SessionView {
  readonly manager: string | null
  readonly expiresAt: string | null
}

const key = ["session"]

/** An answer of the service's plain HTTP, or the sentence it refused with. */
export const send = async <A>(method: "GET" | "POST" | "DELETE", path: string, body?: unknown): Promise<A> => {
  const response = await fetch(path, {
    method,
    credentials: "same-origin",
    ...(body === undefined ? {} : { headers: { "content-type": "application/json" }, body: JSON.stringify(body) })
  })
  const said = await response.json().catch(() => ({})) as A & { readonly message?: string }
  if (!response.ok) throw new Error(said.message ?? `The service answered ${response.status}. Try again in a moment.`)
  return said
}

export const useSession = () =>
  useQuery({ queryKey: key, queryFn: () => send<SessionView>("GET", "/console/session"), refetchInterval: false })

const leavers = new Set<() => void>()

/** Calls `leave` whenever another manager is signed in than before, or nobody any more: what was opened for the one before is to be closed. */
export const whenItChanges = (leave: () => void): void => { leavers.add(leave) }

/** Takes what the service said of the session; nothing of another session stays in the cache. */
export const setSession = (session: SessionView): void => {
  if (queries.getQueryData<SessionView>(key)?.manager !== session.manager) for (const leave of leavers) leave()
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== key[0] })
  queries.setQueryData(key, session)
}

export const signOut = async (): Promise<void> => setSession(await send<SessionView>("DELETE", "/console/session"))

/** The session is over, as the service says: back to the sign-in page. */
export const forgetSession = (): void => setSession({ manager: null, expiresAt: null })

/** Whether there still is a session: asked when something hints that there is none. */
export const checkSession = (): void => {
  if (queries.isFetching({ queryKey: key }) === 0) void queries.invalidateQueries({ queryKey: key })
}
