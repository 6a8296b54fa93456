/**
 * Queries whose results are drawn as transitions: React draws them in slices, between which the page answers its user.
 * TanStack's own hooks draw each result at once, in one task, however much of the page it changes; on a slow phone a
 * page with many streams is blocked for seconds while they arrive.
 */
import {
  notifyManager,
  QueriesObserver,
  QueryObserver,
  type QueryObserverOptions,
  type QueryObserverResult
} from "@tanstack/react-query"
import { startTransition, useEffect, useReducer, useState } from "react"
import { queries } from "./QueryCache.ts"

/** Returns a function that draws the component again, as a transition. */
const useRedraw = (): () => void => {
  const [, draw] = useReducer((count: number) => count + 1, 0)
  return () => startTransition(() => draw())
}

/** Follows a query of the cache. The component is drawn again when a member of the result that it has read changes. */
export const useObserved = <A, B>(options: QueryObserverOptions<A, Error, B>): QueryObserverResult<B> => {
  const current = { ...queries.defaultQueryOptions(options), _optimisticResults: "optimistic" as const }
  const [observer] = useState(() => new QueryObserver<A, Error, B>(queries, current))
  const redraw = useRedraw()
  const result = observer.getOptimisticResult(current)
  useEffect(() => {
    observer.setOptions(current)
  })
  useEffect(() => {
    const leave = observer.subscribe(notifyManager.batchCalls(redraw))
    // The query may have changed since it was drawn.
    observer.updateResult()
    return leave
  }, [observer])
  return observer.trackResult(result)
}

/** Follows several queries of the cache, as `useObserved` follows one. */
export const useObservedAll = <A>(
  options: ReadonlyArray<QueryObserverOptions<A, Error, A>>
): ReadonlyArray<QueryObserverResult<A>> => {
  const current = options.map((each) => ({
    ...queries.defaultQueryOptions(each),
    _optimisticResults: "optimistic" as const
  })) as Array<QueryObserverOptions>
  const [observer] = useState(() => new QueriesObserver(queries, current))
  const redraw = useRedraw()
  const [, , tracked] = observer.getOptimisticResult(current, undefined)
  useEffect(() => observer.setQueries(current))
  useEffect(() => {
    const leave = observer.subscribe(notifyManager.batchCalls(redraw))
    // The queries may have changed since they were drawn.
    redraw()
    return leave
  }, [observer])
  return tracked() as Array<QueryObserverResult<A>>
}
