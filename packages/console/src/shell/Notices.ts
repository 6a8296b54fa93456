/** Notices: what was done, and what was not and why. */
import { notifications } from "@mantine/notifications"

const closeButtonProps = { "aria-label": "Close this notice" }

/** For a mutation's failure: the service's sentence under a title. It stays until it is read. */
export const told = (title: string) => (problem: Error): void => {
  notifications.show({ color: "red", title, message: problem.message, autoClose: false, role: "alert", closeButtonProps })
}

export const done = (message: string): void => {
  notifications.show({ color: "green", message, role: "status", closeButtonProps })
}
