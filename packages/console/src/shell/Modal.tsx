/** A dialog: Mantine's, whose script is loaded after the page that opens it. */
import type { ModalProps } from "@mantine/core"
import { lazy, Suspense } from "react"

const Loaded = lazy(() => import("./Overlays.tsx").then(({ Modal }) => ({ default: Modal })))

export function Modal(props: ModalProps) {
  return (
    <Suspense fallback={null}>
      <Loaded {...props} />
    </Suspense>
  )
}
