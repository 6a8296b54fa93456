/**
 * The idempotency key of a request while its terms stay the same. A repeated click, or a second try after a lost
 * answer, then gets the first request's outcome: nothing is done twice.
 */
import { useRef } from "react"

export const useRequestKey = (terms: unknown): string => {
  const about = JSON.stringify(terms)
  const last = useRef({ about, key: crypto.randomUUID() })
  if (last.current.about !== about) last.current = { about, key: crypto.randomUUID() }
  return last.current.key
}
