/** A text in the browser's storage, the same in every component and every tab. */
import { useCallback, useSyncExternalStore } from "react"

const listeners = new Set<() => void>()

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  // Another tab has changed something.
  addEventListener("storage", listener)
  return () => {
    listeners.delete(listener)
    removeEventListener("storage", listener)
  }
}

/** Returns the text under a key, empty without one, and a function that stores another. */
export const useStored = (key: string): readonly [text: string, store: (text: string) => void] => {
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key) ?? "")
  const store = useCallback((changed: string) => {
    localStorage.setItem(key, changed)
    for (const listener of listeners) listener()
  }, [key])
  return [text, store]
}
