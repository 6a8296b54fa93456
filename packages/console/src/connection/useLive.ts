/**
 * What pages show is told by the service when it changes; no page asks again by itself. A hook that was
 *   `useQuery({ queryKey: key, queryFn: ({ signal }) => call((client) => client.wallet.getBotStatus(about), signal) })`
 * is live as `useLive(key, (client) => client.live["wallet.getBotStatus"](about))`: every call that only looks has such a stream. The answer has
 * a query's members (`data`, `error`, `isPending`, `dataUpdatedAt`, `refetch`), and all who use one key share one stream.
 */
import { hashKey, type QueryKey, skipToken, useQueries, useQuery } from "@tanstack/react-query"
import { useEffect } from "react"
import { first, follow, type Watch } from "./RpcConnection.ts"
import { queries } from "./QueryCache.ts"

const open = new Map<string, { readers: number; readonly stop: () => void }>()

/** Writes what a stream tells into the cache, as long as anybody reads it. */
const subscribe = <A>(key: QueryKey, watch: Watch<A>): () => void => {
  const hash = hashKey(key)
  const stream = open.get(hash) ?? {
    readers: 0,
    stop: follow(watch, {
      // What did not change is as new as what did.
      seen: (data) => void queries.setQueryData<A>(key, (old) => data ?? old),
      failed: (error) => queries.getQueryCache().get(hash)?.setState({ status: "error", error })
    })
  }
  stream.readers += 1
  open.set(hash, stream)
  return () => {
    stream.readers -= 1
    if (stream.readers > 0) return
    open.delete(hash)
    stream.stop()
  }
}

/** What a stream tells, from when the component is on the page until it is not; nothing while there is none. `shown` takes what is to be seen out of it. */
export const useLive = <A, B = A>(key: QueryKey, watch: Watch<A> | undefined, shown?: (data: A) => B) => {
  const hash = hashKey(key)
  useEffect(() => watch === undefined ? undefined : subscribe(key, watch), [hash, watch === undefined])
  return useQuery<A, Error, B>({
    queryKey: key,
    queryFn: watch === undefined ? skipToken : ({ signal }) => first(watch, signal),
    enabled: false,
    staleTime: Infinity,
    ...(shown === undefined ? {} : { select: shown })
  })
}

/** Several streams that are one to who reads them: `data` is what each tells, in their order, once all have told something; nothing while there is none of them. */
export const useLives = <A>(each: ReadonlyArray<readonly [key: QueryKey, watch: Watch<A>]> | undefined) => {
  const hash = hashKey((each ?? []).map(([key]) => key))
  useEffect(() => {
    const stops = (each ?? []).map(([key, watch]) => subscribe(key, watch))
    return () => stops.forEach((stop) => stop())
  }, [hash])
  const asked = useQueries({
    queries: (each ?? []).map(([key, watch]) => ({
      queryKey: key,
      queryFn: ({ signal }: { readonly signal: AbortSignal }) => first(watch, signal),
      enabled: false,
      staleTime: Infinity
    }))
  })
  const told = asked.flatMap(({ data }) => data === undefined ? [] : [data])
  const data: ReadonlyArray<A> | undefined = each !== undefined && told.length === asked.length ? told : undefined
  return {
    data,
    error: asked.find(({ error }) => error !== null)?.error ?? null,
    isPending: data === undefined,
    // As old as the oldest of them; of nothing there is nothing that could be old.
    dataUpdatedAt: data === undefined ? 0 : asked.reduce((oldest, { dataUpdatedAt }) => Math.min(oldest, dataUpdatedAt), Date.now())
  }
}
