/** A moment relative to now, with the exact time on hover. All of them on a page follow one clock. */
import { Text } from "@mantine/core"
import { useSyncExternalStore } from "react"
import { T } from "../text/Sentence.tsx"
import { moment, relative } from "./Format.ts"

const listeners = new Set<() => void>()
let now = Date.now()
let clock: ReturnType<typeof setInterval> | undefined

/** Ticks every second while anything is shown that depends on the time. */
const subscribe = (listener: () => void) => {
  listeners.add(listener)
  clock ??= setInterval(() => {
    now = Date.now()
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(clock)
    clock = undefined
  }
}

/** Formats a moment by the page's clock; the component renders again only when its text changes. */
const useRelative = (at: number): string => useSyncExternalStore(subscribe, () => relative(at, Math.max(now, 0)))

export function Time({ at }: { readonly at: string }) {
  const text = useRelative(Date.parse(at))
  return <time dateTime={at} title={moment(at)}>{text}</time>
}

/** The age of a value that cannot be read now, below it. */
export function LastRead({ at }: { readonly at: number }) {
  return (
    <Text size="xs" c="var(--mantine-color-error)" component="div">
      <T message="last read {at}" values={{ at: <Time at={new Date(at).toISOString()} /> }} />
    </Text>
  )
}
