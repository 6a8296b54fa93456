/**
 * A link in a row of a long table. It is what the router's `Link` is, without a subscription to the router: while a
 * table is scrolled, dozens of links are made in each picture.
 */
import { useRouter } from "@tanstack/react-router"
import type { MouseEvent, ReactNode } from "react"

export function RowLink({ children, isStrong = false, to }: {
  /** A path of the console, without its base. */
  readonly to: string
  readonly isStrong?: boolean
  readonly children: ReactNode
}) {
  const router = useRouter()
  const open = (event: MouseEvent) => {
    // Everything else is the browser's: a new tab, a download.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void router.navigate({ to })
  }
  return (
    <a
      className={isStrong ? "row-name" : "row-anchor"}
      href={`${router.basepath}${to}`}
      onClick={open}
      onPointerEnter={() => void router.preloadRoute({ to: to })}
    >
      {children}
    </a>
  )
}
