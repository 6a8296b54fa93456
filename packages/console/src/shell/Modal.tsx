/** A dialog: Mantine's, whose script is loaded after the page that opens it. */
import type { ModalProps } from "@mantine/core"
import { lazy, Suspense, useState } from "react"
import type * as Overlays from "./Overlays.tsx"

let loaded: typeof Overlays | undefined

/** Loads the script of dialogs and notices. */
export const loadOverlays = async () => {
  loaded = await import("./Overlays.tsx")
  return loaded
}

const Later = lazy(() => loadOverlays().then(({ Modal }) => ({ default: Modal })))

export function Modal(props: ModalProps) {
  // Stays what it was when the dialog opened. Once the script is there, a dialog opens in the same picture as its page.
  const [now] = useState(loaded)
  if (now !== undefined) return <now.Modal {...props} />
  return (
    <Suspense fallback={null}>
      <Later {...props} />
    </Suspense>
  )
}
