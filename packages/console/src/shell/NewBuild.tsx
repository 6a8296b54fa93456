/**
 * Registers the service worker, and says when the service has another build of the console than this page. The page is
 * reloaded by its user only: it may show a secret or an unsent form.
 */
import { Alert, Button, Group, Text } from "@mantine/core"
import { IconRefresh } from "@tabler/icons-react"
import { useEffect, useState } from "react"
import { register, registered } from "./ServiceWorker.ts"
import { t } from "../text/Text.ts"

/** How often the page looks for a new build while it is open. */
const lookMillis = 600_000

/** The build of this page, as the build's page names it. */
const ownBuild = (): string | null => document.querySelector<HTMLMetaElement>(`meta[name="build"]`)?.content ?? null

const buildOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "build" in message ? message.build : undefined

/** Follows the builds that the service worker announces. Without HTTPS there is none. */
const watch = (onNewBuild: () => void): () => void => {
  if (!("serviceWorker" in navigator) || ownBuild() === null) return () => {}
  const workers = navigator.serviceWorker
  const look = () => {
    if (document.visibilityState !== "visible") return
    // The service may be down; the page looks again.
    registered().then((registration) => registration?.update()).catch(() => {})
  }
  const hear = ({ data }: MessageEvent<unknown>) => {
    const build = buildOf(data)
    if (build !== undefined && build !== ownBuild()) onNewBuild()
  }
  workers.addEventListener("message", hear)
  workers.startMessages()
  // The console works without one, as where the certificate is not trusted.
  register().catch(() => {})
  const timer = setInterval(look, lookMillis)
  document.addEventListener("visibilitychange", look)
  addEventListener("online", look)
  return () => {
    clearInterval(timer)
    workers.removeEventListener("message", hear)
    document.removeEventListener("visibilitychange", look)
    removeEventListener("online", look)
  }
}

export function NewBuild() {
  const [isNew, setIsNew] = useState(false)
  useEffect(() => watch(() => setIsNew(true)), [])
  return isNew && (
    <Alert
      color="blue"
      role="status"
      mb="md"
      title={t("A new version of the console is ready")}
      icon={<IconRefresh size={18} aria-hidden="true" />}
    >
      <Group gap="xs">
        <Text size="sm">{t("Reload the page when nothing is open that you need.")}</Text>
        <Button size="compact-sm" variant="default" onClick={() => location.reload()}>{t("Reload")}</Button>
      </Group>
    </Alert>
  )
}
