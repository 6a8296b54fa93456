/** Live queries for the manager's webhooks and their deliveries, how people read them, and the call that sets one. */
import { useLive } from "../connection/useLive.ts"
import { call, isLost, Problem } from "../connection/RpcConnection.ts"
import { t } from "../text/Text.ts"

/** The most deliveries that the service lists. */
export const maxDeliveries = 100

export const useWebhooks = () =>
  useLive(["webhooks"], (client) => client.live["manager.getWebhooks"]({}), ({ webhooks }) => webhooks)

export type Webhook = NonNullable<ReturnType<typeof useWebhooks>["data"]>[number]

/** Follows the newest deliveries of all webhooks, or of one of them. */
export const useDeliveries = (webhook?: string, limit = maxDeliveries) =>
  useLive(
    ["webhook-deliveries", webhook, limit],
    (client) =>
      client.live["manager.getWebhookDeliveries"]({ limit, ...(webhook === undefined ? {} : { webhook_id: webhook }) }),
    ({ deliveries }) => deliveries
  )

export type Delivery = NonNullable<ReturnType<typeof useDeliveries>["data"]>[number]

/** Returns whether a delivery arrived, waits for its first attempt or the next one, or was given up. */
export const stateOf = (
  { last_error, status }: Delivery
): { readonly label: string; readonly color: string } => {
  if (status === "delivered") return { label: t("delivered"), color: "green" }
  if (status === "failed") return { label: t("given up"), color: "red" }
  return last_error === null ? { label: t("waiting"), color: "blue" } : { label: t("retrying"), color: "orange" }
}

const statusText = (status: number): string => {
  if (status < 300) return t("HTTP {status}: accepted", { status })
  if (status < 400) return t("HTTP {status}: a redirect, which is not followed", { status })
  if (status === 401 || status === 403) {
    return t("HTTP {status}: the receiver refused it; check that it has the present secret", { status })
  }
  if (status === 404 || status === 410) return t("HTTP {status}: the receiver has nothing at this URL", { status })
  return status < 500
    ? t("HTTP {status}: the receiver did not accept it", { status })
    : t("HTTP {status}: the receiver failed", { status })
}

/** Returns why there was no response, in words; what is not known here stays as the service says it. */
const faultText = (error: string): string => {
  if (error.includes("ECONNREFUSED")) return t("No answer: nothing listens at its address")
  if (/CERT|SELF_SIGNED|ERR_TLS|UNABLE_TO/.test(error)) return t("No answer: its certificate is not valid")
  if (error.includes("ECONNRESET")) return t("No answer: it closed the connection")
  if (/^no response/.test(error)) return t("No answer in time")
  return t("No answer: {error}", { error })
}

/** Returns what the receiver answered to the last attempt. */
export const answerOf = ({ attempts, last_error, last_status }: Delivery): string => {
  if (last_status !== null) return statusText(last_status)
  if (last_error !== null) return faultText(last_error)
  return attempts === 0 ? t("not sent yet") : t("no answer yet")
}

/**
 * Sets a webhook. The secret is passed on and not returned: what a mutation returns is in the cache of the page.
 */
export const setWebhook = async (
  url: string,
  events: ReadonlyArray<string> | undefined,
  show: (secret: string) => void
): Promise<{ readonly message: string }> => {
  const { message, secret } = await call((client) =>
    client.manager.setWebhook({ url, ...(events === undefined ? {} : { events: events as Webhook["events"] }) })
  ).catch((problem: Error) => {
    throw isLost(problem)
      ? new Problem(t("The answer with the secret was lost, and the webhook may be set with it. Make a new secret."))
      : problem
  })
  show(secret)
  return { message }
}
