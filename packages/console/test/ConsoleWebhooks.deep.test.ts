import { assert, layer } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { Page } from "playwright-core"
import { buildConsole } from "../../../scripts/console.mjs"
import { succeeded } from "@vault-trader/testing/harness/Answers"
import { browser, visitor } from "@vault-trader/testing/harness/Browser"
import { type Answers, serve } from "@vault-trader/testing/harness/ConsoleFixture"
import { act, keptBy, looked, openPage, rawCall, signIn } from "@vault-trader/testing/harness/ConsoleSteps"
import { Running, rows, running } from "@vault-trader/testing/harness/Harness"
import { type Message, receiver } from "@vault-trader/testing/harness/Receiver"
import { until } from "@vault-trader/testing/harness/Until"
import { answersOf, manager } from "./Fixture.ts"
import { newSecret, webhooks } from "./WebhookFixture.ts"

await buildConsole()

type Verify = (secret: string, headers: object, body: string) => boolean

/** Imports the code that the dialog of the secret shows, as its reader would copy it. */
const imported = (code: string) =>
  Effect.promise(async () => {
    const module = await import(`data:text/javascript,${encodeURIComponent(code)}`) as { readonly verify: Verify }
    return module.verify
  })

const secretDialog = (page: Page) => page.getByRole("dialog", { name: "The signing secret" })

/** Returns the revealed secret and the code in the dialog. */
const shownSecret = (page: Page) =>
  Effect.promise(async () => {
    const dialog = secretDialog(page)
    await dialog.waitFor()
    const masked = await dialog.innerText()
    await dialog.getByRole("button", { name: "Reveal Signing secret" }).click()
    const secret = /whsec_[A-Za-z0-9+/]+=*/.exec(await dialog.innerText())?.[0] ?? ""
    await dialog.getByRole("button", { name: "Show code that verifies" }).click()
    const code = await dialog.getByLabel("Code that verifies").innerText()
    return { code, masked, secret }
  })

const closeSecret = (page: Page) =>
  act(async () => {
    await secretDialog(page).getByLabel("I stored it").check()
    await secretDialog(page).getByRole("button", { name: "Close" }).click()
    await secretDialog(page).waitFor({ state: "detached" })
  })

/** Runs in the page: all that the cache of the service's answers has, and the names of the browser's databases. */
const readCache = async () => {
  interface Fiber {
    readonly child: Fiber | null
    readonly sibling: Fiber | null
    readonly memoizedProps: { readonly client?: Record<string, () => { readonly getAll: () => ReadonlyArray<object> }> }
  }
  const { document, indexedDB } = globalThis as unknown as {
    readonly document: { readonly querySelector: (selector: string) => Record<string, Fiber> | null }
    readonly indexedDB: { readonly databases: () => Promise<ReadonlyArray<{ readonly name: string }>> }
  }
  const root = document.querySelector("#root") ?? {}
  const name = Object.keys(root).find((key) => key.startsWith("__reactContainer$")) ?? ""
  const find = (fiber: Fiber | null | undefined): Fiber["memoizedProps"]["client"] =>
    fiber === null || fiber === undefined
      ? undefined
      : typeof fiber.memoizedProps?.client?.["getQueryCache"] === "function"
      ? fiber.memoizedProps.client
      : find(fiber.child) ?? find(fiber.sibling)
  const client = find(root[name])
  const stateOf = (cache: "getQueryCache" | "getMutationCache") =>
    (client?.[cache]?.().getAll() ?? []).map((each) => (each as { readonly state: unknown }).state)
  const databases = (await indexedDB.databases()).map((each) => each.name)
  return JSON.stringify([stateOf("getQueryCache"), stateOf("getMutationCache"), databases])
}

const cacheOf = (page: Page) => Effect.promise(() => page.evaluate(readCache))

const table = (page: Page) => page.getByRole("table", { name: "Deliveries" })

const setFrames = (frames: ReadonlyArray<string>) => frames.filter((frame) => frame.includes("manager.setWebhook"))

const env = { WEBHOOKS_TO_LOOPBACK: "on" }

layer(running({ networks: ["base"], env }), { timeout: 240_000, excludeTestServices: true })(
  "the page of webhooks",
  (it) => {
    it.effect(
      "sets a webhook whose messages its code verifies, shows retries, and makes a new secret",
      () =>
        Effect.gen(function*() {
          const { ask, baseUrl } = yield* Running
          const { answer, messages, url } = yield* receiver
          const guest = yield* visitor(yield* browser, baseUrl)
          const { page } = guest
          yield* signIn(guest)
          /** Stops a new wallet, which is an event. */
          const stopWallet = Effect.gen(function*() {
            const made = yield* rawCall(guest, "createWallet", { label: null })
            const apiKey = /"apiKey":"([0-9a-f-]{36})"/.exec(made)?.[1] ?? made
            succeeded(yield* ask("/pauseWallet", { json: { apiKey } }))
          })
          const received = (count: number) =>
            until(
              `${count} messages`,
              Effect.sync(() => messages.length >= count ? messages[messages.length - 1] : undefined)
            )
          yield* openPage(guest, "Webhooks")
          const form = page.getByRole("dialog", { name: "Add a webhook" })
          yield* act(async () => {
            await page.getByText("No webhook yet").waitFor()
            await page.getByRole("button", { name: "Add a webhook" }).click()
            // Addresses of the operator's own network are refused, in the service's words.
            await form.getByLabel("URL", { exact: true }).fill("https://10.0.0.1/hook")
            await form.getByRole("button", { name: "Review" }).click()
            await form.getByRole("button", { name: "Add the webhook" }).click()
            await form.getByText("The webhook is not set").waitFor()
            await form.getByText("its host is not on the public internet").waitFor()
            await form.getByRole("button", { name: "Back" }).click()
            await form.getByLabel("URL", { exact: true }).fill(url)
            for (const box of await form.getByRole("checkbox").all()) await box.uncheck()
            await form.getByRole("group", { name: "Gas wallets" }).getByLabel(/^Signing stopped/).check()
            await form.getByRole("button", { name: "Review" }).click()
            await form.getByText(`Posts 1 event of all your gas wallets to ${url}, from now on.`).waitFor()
          })
          assert.deepStrictEqual(yield* rows("select id from webhooks"), [])
          yield* looked(guest, "webhook-review")
          yield* act(() => form.getByRole("button", { name: "Add the webhook" }).click())
          const first = yield* shownSecret(page)
          assert.match(first.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
          assert.notInclude(first.masked, first.secret)
          yield* looked(guest, "webhook-secret", { screen: 1_100, phone: 1_300 })
          // The cache is read by this test: it has the webhook, and never the secret, not even while it is shown.
          yield* until(
            "the webhook in the cache",
            Effect.map(cacheOf(page), (cache) => cache.includes(url) || undefined)
          )
          assert.notInclude(yield* cacheOf(page), first.secret)
          yield* closeSecret(page)
          for (const kept of [yield* cacheOf(page), yield* keptBy(guest)]) assert.notInclude(kept, first.secret)

          const verify = yield* imported(first.code)
          const isSigned = (message: Message | undefined, secret: string) =>
            message !== undefined && verify(secret, message.headers, message.body)
          yield* stopWallet
          const message = yield* received(1)
          assert.isTrue(isSigned(message, first.secret))
          assert.isFalse(verify(first.secret, message?.headers ?? {}, `${message?.body ?? ""} `))
          yield* act(async () => {
            await table(page).getByRole("row", { name: /Signing stopped.*delivered.*HTTP 204: accepted/ }).waitFor()
            await page.getByRole("table", { name: "Webhooks" }).getByText("delivered").waitFor()
          })

          // A receiver that fails gets the message again, under the same id.
          yield* answer(500)
          yield* stopWallet
          const failing = table(page).getByRole("row", { name: /retrying.*HTTP 500: the receiver failed/ })
          yield* act(() => failing.getByText(/will be tried again at /).waitFor())
          yield* looked(guest, "webhooks")
          yield* answer(204)
          // Where the pictures took longer than the first two pauses, the next one is of two minutes.
          yield* act(() => failing.waitFor({ state: "detached", timeout: 180_000 }))
          const ids = messages.slice(1).map(({ headers }) => headers["webhook-id"])
          assert.isAtLeast(ids.length, 2)
          assert.lengthOf(new Set(ids), 1)

          // A new secret ends the old one, which the page says before.
          const rotation = page.getByRole("dialog", { name: "Make a new secret" })
          yield* act(async () => {
            await page.getByRole("button", { name: "Make a new secret" }).click()
            await rotation.getByText("It gets a new secret").waitFor()
            await rotation.getByRole("button", { name: "Make a new secret" }).click()
          })
          const second = yield* shownSecret(page)
          yield* closeSecret(page)
          assert.notStrictEqual(second.secret, first.secret)
          const before = messages.length
          yield* stopWallet
          const later = yield* received(before + 1)
          assert.isTrue(isSigned(later, second.secret))
          assert.isFalse(isSigned(later, first.secret))

          // Other events, with the review of what changes.
          const change = page.getByRole("dialog", { name: "Change the events" })
          yield* act(async () => {
            await page.getByRole("button", { name: "Change the events" }).click()
            await change.getByText("It gets a new secret").first().waitFor()
            await change.getByLabel(/^Signing resumed/).check()
            await change.getByRole("button", { name: "Review" }).click()
            await change.getByText("New: Signing resumed").waitFor()
            await change.getByRole("button", { name: "Change and make a new secret" }).click()
          })
          const third = yield* shownSecret(page)
          yield* closeSecret(page)
          assert.deepStrictEqual(
            (yield* rows("select events from webhooks")).map(({ events }) => events),
            [["signing.stopped", "signing.resumed"]]
          )
          assert.lengthOf(setFrames(guest.frames), 4)

          // Deleting drops what is pending.
          yield* answer(500)
          yield* stopWallet
          yield* act(() => failing.waitFor())
          const deletion = page.getByRole("dialog", { name: "Delete the webhook" })
          yield* act(async () => {
            await page.getByRole("button", { name: "Delete", exact: true }).click()
            await deletion.getByText(/Pending deliveries are dropped/).waitFor()
            await deletion.getByRole("button", { name: "Delete" }).click()
            await page.getByText("No webhook yet").waitFor()
          })
          assert.deepStrictEqual(yield* rows("select id from webhook_deliveries"), [])
          const kept = (yield* cacheOf(page)) + (yield* keptBy(guest)) + guest.frames.join("\n") + guest.sent.join("\n")
          for (const { secret } of [first, second, third]) assert.notInclude(kept, secret)
          assert.deepStrictEqual(guest.complaints, [])
        }),
      240_000
    )
  }
)

/** Opens the page on given answers. */
const opened = (answers: Answers) =>
  Effect.gen(function*() {
    const { called, url } = yield* serve(manager, { ...answersOf(), ...answers })
    const chromium = yield* browser
    const page = yield* Effect.promise(() => chromium.newPage({ reducedMotion: "reduce" }))
    page.setDefaultTimeout(20_000)
    yield* act(async () => {
      await page.goto(`${url}/console/webhooks`)
      await table(page).waitFor()
    })
    return { called, page }
  })

/** Reviews a webhook at a URL and adds it. */
const add = (page: Page, url: string) =>
  act(async () => {
    const form = page.getByRole("dialog", { name: "Add a webhook" })
    await page.getByRole("button", { name: "Add a webhook" }).click()
    await form.getByLabel("URL", { exact: true }).fill(url)
    await form.getByRole("button", { name: "Review" }).click()
    await form.getByRole("button", { name: "Add the webhook" }).click()
  })

layer(Layer.empty, { excludeTestServices: true })("the page of webhooks, of a service with given answers", (it) => {
  it.effect("says in words what each receiver answered, and shows the deliveries of one webhook", () =>
    Effect.scoped(Effect.gen(function*() {
      const { page } = yield* opened({})
      yield* act(async () => {
        for (
          const name of [
            /Guardian tripped.*retrying.*3.*HTTP 500: the receiver failed.*will be tried again at/,
            /Failed.*waiting.*not sent yet/,
            /Done.*delivered.*HTTP 204: accepted/,
            /Gas is low.*given up.*11.*nothing listens at its address.*no further attempt/,
            /HTTP 302: a redirect, which is not followed/,
            /HTTP 401: the receiver refused it; check that it has the present secret/
          ]
        ) await table(page).getByRole("row", { name }).waitFor()
        await page.getByRole("table", { name: "Webhooks" }).getByRole("row", { name: /new\.example.*none yet/ })
          .waitFor()
        await page.getByLabel("Deliveries of").selectOption(webhooks[0].url)
        await table(page).getByText("Gas is low").first().waitFor({ state: "detached" })
        await page.getByLabel("Deliveries of").selectOption(webhooks[2].url)
        await page.getByText("No delivery yet").waitFor()
      })
    })))

  it.effect("shows the sentence of a refusal, and keeps what was typed", () =>
    Effect.scoped(Effect.gen(function*() {
      const { called, page } = yield* opened({ "manager.setWebhook": () => "url: only https URLs are permitted" })
      yield* add(page, "http://hooks.example.com/")
      const form = page.getByRole("dialog", { name: "Add a webhook" })
      yield* act(async () => {
        await form.getByText("The webhook is not set").waitFor()
        await form.getByText("url: only https URLs are permitted").waitFor()
        await form.getByRole("button", { name: "Back" }).click()
      })
      const typed = yield* Effect.promise(() => form.getByLabel("URL", { exact: true }).inputValue())
      assert.strictEqual(typed, "http://hooks.example.com/")
      assert.deepStrictEqual(called.filter((tag) => tag === "manager.setWebhook"), ["manager.setWebhook"])
      // A text that is no URL is not sent at all.
      yield* act(async () => {
        await form.getByLabel("URL", { exact: true }).fill("ftp://hooks.example.com/")
        await form.getByText("Must be an https URL of at most 2000 characters, without user and password").waitFor()
      })
    })))

  it.effect("does not claim that nothing was set when the answer is lost, and says that a known URL is set again", () =>
    Effect.scoped(Effect.gen(function*() {
      let isLost = true
      const { page } = yield* opened({
        "manager.setWebhook": (payload: never) => {
          if (isLost) throw new Error("The connection ended.")
          return answersOf()["manager.setWebhook"]?.(payload)
        }
      })
      const form = page.getByRole("dialog", { name: "Add a webhook" })
      yield* add(page, webhooks[1].url)
      yield* act(async () => {
        await form.getByText("It gets a new secret").waitFor()
        await form.getByText(/^No longer: Gas is low/).or(form.getByText(/^New: /)).first().waitFor()
        await form.getByText("No secret arrived").waitFor()
        await form.getByText(/the webhook may be set with it\. Make a new secret\./).waitFor()
      })
      assert.strictEqual(yield* Effect.promise(() => form.getByText("The webhook is not set").count()), 0)
      isLost = false
      yield* act(() => form.getByRole("button", { name: "Add the webhook" }).click())
      const { secret } = yield* shownSecret(page)
      assert.strictEqual(secret, newSecret)
      yield* closeSecret(page)
      assert.notInclude(yield* cacheOf(page), newSecret)
      assert.notInclude(yield* keptBy({ page }), newSecret)
    })))
})
