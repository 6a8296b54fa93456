/**
 * Dialogs and notices, which lie above the page. One file, which is loaded when the page has nothing else to do; a dialog
 * or a notice that comes before waits for it.
 */
import { Modal, Notification } from "@mantine/core"
import { Notifications } from "@mantine/notifications"

export { Modal }

/** A notice as it looks, for the style page: imported from here, it needs no file of its own. */
export const Notice = Notification

export function Toasts() {
  return <Notifications position="bottom-right" limit={3} />
}
