/**
 * Push messages to this browser. Its subscription has a key pair that is made here and sent to the service once; the
 * page keeps neither.
 */
import { activated, register, registered } from "../shell/ServiceWorker.ts"
import { t } from "../text/Text.ts"

/** Timeout of a subscription. */
const subscribeMillis = 20_000

/** Checks whether this browser takes push messages of this page at all. */
export const isSupported = (): boolean =>
  isSecureContext && "serviceWorker" in navigator && typeof PushManager === "function" &&
  typeof Notification === "function"

const base64Url = (buffer: ArrayBuffer): string =>
  btoa(String.fromCharCode(...new Uint8Array(buffer))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")

/** Returns the registration of the service worker that receives the messages. */
const receiver = (): Promise<ServiceWorkerRegistration> =>
  register().then(activated).catch(() => {
    throw new Error(
      t("The part of the console that receives messages could not be installed. Check that its certificate is trusted.")
    )
  })

const permitted = async (): Promise<void> => {
  if (await Notification.requestPermission() === "granted") return
  throw new Error(
    t("The browser shows no notifications of this page. Permit them in its settings for this site, then try again.")
  )
}

/** Waits for the browser's push service. In a private window Chrome never settles this. */
const answered = (subscribing: Promise<PushSubscription>): Promise<PushSubscription> =>
  Promise.race([
    subscribing,
    new Promise<never>((_, reject) => setTimeout(() => reject(new Error()), subscribeMillis))
  ]).catch(() => {
    throw new Error(
      t("The browser could not reach its push service. Try again when it is online, and not in a private window.")
    )
  })

/** Makes a new subscription in place of an earlier one, and returns it as the API takes it. */
export const subscribe = async () => {
  await permitted()
  const { pushManager } = await receiver()
  await (await pushManager.getSubscription())?.unsubscribe()
  const pair = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign"])
  const applicationServerKey = await crypto.subtle.exportKey("raw", pair.publicKey)
  const { d: privateKey } = await crypto.subtle.exportKey("jwk", pair.privateKey)
  const subscription = await answered(pushManager.subscribe({ userVisibleOnly: true, applicationServerKey }))
  return {
    ...subscription.toJSON(),
    vapid: { publicKey: base64Url(applicationServerKey), privateKey },
    contact: location.protocol === "https:" ? location.origin : "mailto:operator@localhost"
  }
}

/** Ends the subscription. */
export const unsubscribe = async (): Promise<void> => {
  await (await (await registered())?.pushManager.getSubscription())?.unsubscribe()
}
