/** Notifications of successes and failures. */
import { notifications } from "@mantine/notifications"
import { t } from "../text/Text.ts"

const closeButtonProps = { "aria-label": t("Close this notification") }

/** Returns an error handler for mutations: shows the service's message under a title until it is closed. */
export const showError = (title: string) => (problem: Error): void => {
  notifications.show({
    color: "red",
    title,
    message: problem.message,
    autoClose: false,
    role: "alert",
    closeButtonProps
  })
}

export const showSuccess = (message: string): void => {
  notifications.show({ color: "green", message, role: "status", closeButtonProps })
}
