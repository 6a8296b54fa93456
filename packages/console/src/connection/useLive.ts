/**
 * Live queries: the service pushes changes, so that pages do not poll. A hook that was
 *   `useQuery({ queryKey: key, queryFn: ({ signal }) => call((client) => client.wallet.getBotStatus(about), signal) })`
 * is live as `useLive(key, (client) => client.live["wallet.getBotStatus"](about))`; every read has such a stream. The
 * result has a query's members (`data`, `error`, `isPending`, `dataUpdatedAt`, `refetch`), and all components with the
 * same key share one stream.
 */
import { hashKey, type QueryKey, skipToken } from "@tanstack/react-query"
import { useEffect } from "react"
import { first, follow, type Watch } from "./RpcConnection.ts"
import { queries } from "./QueryCache.ts"
import { useObserved, useObservedAll } from "./useObserved.ts"

const open = new Map<string, { readers: number; readonly stop: () => void }>()

/** Returns what the cache keeps of a new item, given what it has, which was current at the time `at`. */
export type Keep<A, B> = (old: B | undefined, next: A, at: number) => B

/** Keeps each item as it is. */
const keepNext = <A, B>(_: B | undefined, next: A): B => next as unknown as B

/** Writes a stream's items into the cache while a component reads it. */
const subscribe = <A, B = A>(
  key: QueryKey,
  watch: Watch<A>,
  keep: Keep<A, B> = keepNext
): () => void => {
  const hash = hashKey(key)
  const stream = open.get(hash) ?? {
    readers: 0,
    stop: follow(watch, {
      // An unchanged value is written again to update its age.
      onItem: ({ data, read_at }) => {
        const at = queries.getQueryState(key)?.dataUpdatedAt ?? 0
        // The page may have read it itself, later than the service.
        if (read_at !== undefined && read_at <= at) return
        queries.setQueryData<B>(
          key,
          (old) => data === undefined ? old : keep(old, data, at),
          read_at === undefined ? {} : { updatedAt: read_at }
        )
      },
      onFailure: (error) => queries.getQueryCache().get(hash)?.setState({ status: "error", error })
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

/** Follows a stream while the component is mounted; idle without `watch`. `select` extracts the value from an item. */
export const useLive = <A, B = A>(key: QueryKey, watch: Watch<A> | undefined, select?: (data: A) => B) => {
  const hash = hashKey(key)
  useEffect(() => watch === undefined ? undefined : subscribe(key, watch), [hash, watch === undefined])
  return useObserved<A, B>({
    queryKey: key,
    queryFn: watch === undefined ? skipToken : ({ signal }) => first(watch, signal),
    enabled: false,
    staleTime: Infinity,
    ...(select === undefined ? {} : { select })
  })
}

/** Follows several streams: the results of each, in order, whatever the others do. */
export const useLivesEach = <A, B = A>(
  streams: ReadonlyArray<readonly [key: QueryKey, watch: Watch<A>, keep?: Keep<A, B>]>
) => {
  const hash = hashKey(streams.map(([key]) => key))
  useEffect(() => {
    const stops = streams.map(([key, watch, keep]) => subscribe(key, watch, keep))
    return () => stops.forEach((stop) => stop())
  }, [hash])
  return useObservedAll<B>(streams.map(([key, watch, keep = keepNext]) => ({
    queryKey: key,
    queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
      const at = queries.getQueryState(key)?.dataUpdatedAt ?? 0
      return keep(queries.getQueryData<B>(key), await first(watch, signal), at)
    },
    enabled: false,
    staleTime: Infinity
  })))
}

/**
 * Combines several streams: `data` is their latest values in order, once each has emitted; undefined without streams.
 */
export const useLives = <A>(streams: ReadonlyArray<readonly [key: QueryKey, watch: Watch<A>]> | undefined) => {
  const results = useLivesEach<A, A>(streams ?? [])
  const values = results.flatMap(({ data }) => data === undefined ? [] : [data])
  const data: ReadonlyArray<A> | undefined = streams !== undefined && values.length === results.length
    ? values
    : undefined
  return {
    data,
    error: results.find(({ error }) => error !== null)?.error ?? null,
    isPending: data === undefined,
    // The age of the oldest value; without streams, nothing can be outdated.
    dataUpdatedAt: data === undefined
      ? 0
      : results.reduce((oldest, { dataUpdatedAt }) => Math.min(oldest, dataUpdatedAt), Date.now())
  }
}
