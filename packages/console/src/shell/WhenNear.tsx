/** Draws its content once it comes near the visible part of the page. Until then, a place of the same height is kept. */
import { Skeleton } from "@mantine/core"
import { type ReactNode, startTransition, useEffect, useRef, useState } from "react"

/** How near, as a margin around the visible part. */
const margin = "240px"

export function WhenNear({ children, height }: { readonly children: ReactNode; readonly height: number }) {
  const place = useRef<HTMLDivElement>(null)
  const [isNear, setIsNear] = useState(false)
  useEffect(() => {
    if (place.current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) startTransition(() => setIsNear(true))
    }, { rootMargin: margin })
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [isNear])
  return isNear ? children : <Skeleton h={height} ref={place} />
}
