import { assert, layer } from "@effect/vitest"
import * as FakePush from "@vault-trader/devnet/notification/FakePush"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { act, keptBy, looked, openPage, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, rows, running } from "@vault-trader/testing/harness/Harness"
import { until } from "@vault-trader/testing/harness/Until"
import * as Effect from "effect/Effect"
import type { Page, Worker } from "playwright-core"
import { buildConsole } from "../../../scripts/console.mjs"

await buildConsole()

interface Faked {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** Runs in the page: subscribes at a fake in place of the browser's own push service, which is on the internet. */
const subscribeAt = ({ endpoint, keys }: Faked) => {
  PushManager.prototype.subscribe = (options) => {
    const key = btoa(String.fromCharCode(...new Uint8Array(options?.applicationServerKey as ArrayBuffer)))
    const publicKey = key.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
    return Promise.resolve(
      { toJSON: () => ({ endpoint: endpoint + publicKey, expirationTime: null, keys }) } as unknown as PushSubscription
    )
  }
}

interface Noted {
  readonly shown?: Array<readonly [string, NotificationOptions]>
}

/** Notes what the service worker shows: the browser of the tests has no place for notifications. */
const noteNotifications = (worker: Worker) =>
  Effect.promise(() =>
    worker.evaluate(() => {
      const shown: Array<readonly [string, NotificationOptions]> = []
      Object.assign(globalThis, { shown })
      ServiceWorkerRegistration.prototype.showNotification = (title, options = {}) => {
        shown.push([title, options])
        return Promise.resolve()
      }
    })
  )

const notifications = (worker: Worker) => Effect.promise(() => worker.evaluate(() => (globalThis as Noted).shown ?? []))

/** Hands messages to the page's service worker, as the browser's push service does. */
const deliveryTo = (page: Page, origin: string) =>
  Effect.gen(function*() {
    const session = yield* Effect.promise(() => page.context().newCDPSession(page))
    const registered = new Promise<string>((resolve) => {
      session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
        const [first] = registrations
        if (first !== undefined) resolve(first.registrationId)
      })
    })
    yield* Effect.promise(() => session.send("ServiceWorker.enable"))
    const registrationId = yield* Effect.promise(() => registered)
    return (data: string) =>
      Effect.promise(() => session.send("ServiceWorker.deliverPushMessage", { origin, registrationId, data }))
  })

const env = { WEBHOOKS_TO_LOOPBACK: "on" }

layer(running({ networks: ["base"], env }), { timeout: 240_000, excludeTestServices: true })(
  "push messages to a browser",
  (it) => {
    it.effect("are asked for once, arrive and are shown once; the browser keeps no key", () =>
      Effect.gen(function*() {
        const { baseUrl } = yield* Running
        const fake = yield* FakePush.make
        const guest = yield* visitor(yield* browser, baseUrl)
        const { page } = guest
        yield* signIn(guest)
        yield* Effect.promise(() => page.evaluate(subscribeAt, { endpoint: fake.endpointOf(""), keys: fake.keys }))
        yield* openPage(guest, "Notifications")
        const form = page.getByRole("dialog", { name: "Add a channel" })
        yield* act(async () => {
          await page.getByRole("button", { name: "Add a channel" }).click()
          await form.getByLabel("Where to").selectOption("This browser")
          await form.getByText("This browser on this device.").waitFor()
          await form.getByLabel("Name").fill("laptop")
        })
        yield* looked(guest, "push-channel", { screen: 1_500, phone: 1_900 })
        // Without permission nothing is stored, and the form says what helps.
        yield* act(async () => {
          await page.context().clearPermissions()
          await form.getByRole("button", { name: "Add the channel" }).click()
          await form.getByText("The browser shows no notifications of this page.").waitFor()
        })
        assert.deepStrictEqual(yield* rows("select id from notification_channels"), [])
        yield* act(async () => {
          await page.context().grantPermissions(["notifications"], { origin: baseUrl })
          await form.getByRole("button", { name: "Add the channel" }).click()
          await form.waitFor({ state: "detached" })
          await page.getByRole("link", { name: "laptop" }).click()
          await page.getByRole("button", { name: "Send a test" }).click()
          await page.getByText("The test arrived").waitFor()
        })
        const [message] = yield* fake.shown
        assert.strictEqual(message?.body, "This is a test of the channel laptop.")
        const worker = yield* until("the service worker", Effect.sync(() => page.context().serviceWorkers()[0]))
        yield* noteNotifications(worker)
        const deliver = yield* deliveryTo(page, baseUrl)
        for (const data of [JSON.stringify(message), "{"]) yield* deliver(data)
        const shown = yield* until(
          "both notifications",
          Effect.map(notifications(worker), (all) => all.length === 2 ? all : undefined)
        )
        const figures = shown.map(([title, { body, tag }]) => [title, body, tag])
        assert.deepStrictEqual(figures, [["Test", message?.body, message?.id], ["Vault Trader", "", "unreadable"]])
        const kept = (yield* keptBy(guest)) + guest.sent.join("\n")
        const stored = yield* rows("select c::text as c from notification_channels c")
        const sent = /"privateKey":"([\w-]{43})"/.exec(guest.frames.join("\n"))?.[1] ?? ""
        assert.lengthOf(sent, 43)
        for (const secret of [sent, fake.keys.auth, "secret-of-the-browser"]) {
          assert.notInclude(kept + JSON.stringify(stored), secret)
        }
        assert.deepStrictEqual(guest.complaints, [])
      }), 240_000)
  }
)
