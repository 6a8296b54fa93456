/** Draws its content once the page has nothing else to do. */
import { type ReactNode, startTransition, useEffect, useState } from "react"
import { whenIdle } from "./Tasks.ts"

export function WhenIdle({ children }: { readonly children: ReactNode }) {
  const [isIdle, setIsIdle] = useState(false)
  useEffect(() => whenIdle(() => startTransition(() => setIsIdle(true))), [])
  return isIdle && children
}
