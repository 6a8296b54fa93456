/** Keyboard shortcuts: Ctrl+K or "/" searches; "g" and a letter opens a page. None of them works while typing. */
import { useNavigate } from "@tanstack/react-router"
import { useEffect, useRef } from "react"

/** The pages by the letter after "g", as the palette lists them. */
export const pageKeys = {
  h: "/",
  v: "/vaults",
  b: "/bots",
  o: "/orders",
  a: "/activity",
  w: "/gas-wallets"
} as const

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

export const useShortcuts = (search: () => void): void => {
  const navigate = useNavigate()
  const latest = useRef(search)
  latest.current = search
  useEffect(() => {
    let goesAt = 0
    const onKey = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if ((event.ctrlKey || event.metaKey) && key === "k") {
        event.preventDefault()
        latest.current()
        return
      }
      const hasDialog = document.querySelector("[role=dialog]") !== null
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || hasDialog) return
      if (key === "/") {
        event.preventDefault()
        latest.current()
      } else if (key === "g") goesAt = event.timeStamp
      else if (event.timeStamp - goesAt < 1_500 && key in pageKeys) {
        goesAt = 0
        void navigate({ to: pageKeys[key as keyof typeof pageKeys] })
      }
    }
    document.addEventListener("keydown", onKey)
    return () => document.removeEventListener("keydown", onKey)
  }, [navigate])
}
