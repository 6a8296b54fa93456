/** The open dialog of a page. When it closes, the focus returns to the control that opened it. */
import { useRef, useState } from "react"

/** Time for the dialog to leave the page; it takes the focus with it. */
const settleMillis = 60

export const useDialog = <Name>() => {
  const [dialog, setDialog] = useState<Name>()
  const opener = useRef<HTMLElement | null>(null)
  return {
    dialog,
    open: (name: Name) => {
      // A dialog that another one leads to is closed to the same control.
      if (dialog === undefined) {
        opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
      }
      setDialog(() => name)
    },
    close: () => {
      setDialog(undefined)
      setTimeout(() => opener.current?.focus(), settleMillis)
    }
  }
}
