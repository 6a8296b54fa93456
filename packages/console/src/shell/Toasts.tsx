/** Where notices appear. It is loaded after the page; notices that come before wait for it. */
import { Notifications } from "@mantine/notifications"

export function Toasts() {
  return <Notifications position="bottom-right" limit={3} />
}
