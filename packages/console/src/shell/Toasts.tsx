/** Where notices appear. It is loaded after the page; notices that come before wait for it. */
import { Notification } from "@mantine/core"
import { Notifications } from "@mantine/notifications"

/** A notice as it looks, for the style page: imported from here, it needs no file of its own. */
export const Notice = Notification

export function Toasts() {
  return <Notifications position="bottom-right" limit={3} />
}
