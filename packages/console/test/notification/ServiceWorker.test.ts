/** Runs the service worker's script against stand-ins of what a browser gives it. */
import { assert, it } from "@effect/vitest"
import * as Fs from "node:fs"
import * as Path from "node:path"
import * as Vm from "node:vm"

const script = Fs.readFileSync(Path.join(import.meta.dirname, "../../service-worker.js"), "utf8")
const origin = "https://trade.example"

interface Options {
  readonly body: string
  readonly tag: string
  readonly requireInteraction: boolean
  readonly data: { readonly link: unknown }
}

/** Returns a running script, what it shows and opens. `windows` are the pages that are open. */
const worker = (windows: ReadonlyArray<string> = []) => {
  const handlers = new Map<string, (event: object) => void>()
  const shown: Array<{ readonly title: string } & Options> = []
  const opened: Array<string> = []
  const focused: Array<string> = []
  const self = {
    location: { origin },
    addEventListener: (type: string, handle: (event: object) => void) => handlers.set(type, handle),
    registration: {
      showNotification: (title: string, options: Options) => Promise.resolve(shown.push({ title, ...options }))
    },
    clients: {
      matchAll: () => Promise.resolve(windows.map((url) => ({ url, focus: () => Promise.resolve(focused.push(url)) }))),
      openWindow: (url: string) => Promise.resolve(opened.push(url))
    }
  }
  Vm.runInNewContext(script, { self, URL })
  const happen = async (type: string, event: object) => {
    const waits: Array<Promise<unknown>> = []
    handlers.get(type)?.({ ...event, waitUntil: (promise: Promise<unknown>) => waits.push(promise) })
    await Promise.all(waits)
  }
  return {
    ...{ focused, opened, shown },
    push: (text: string | null) =>
      happen("push", { data: text === null ? null : { json: () => JSON.parse(text) as unknown } }),
    click: (link: unknown) => happen("notificationclick", { notification: { close: () => {}, data: { link } } })
  }
}

const message = { id: "7", title: "Gas is low", body: "momentum", link: `${origin}/console/activity`, urgent: true }

it("a push message is shown under its id, and stays until it is seen when it is urgent", async () => {
  const { push, shown } = worker()
  await push(JSON.stringify(message))
  await push(JSON.stringify({ ...message, id: "8", urgent: false }))
  assert.deepInclude(shown[0], { title: "Gas is low", body: "momentum", tag: "7", requireInteraction: true })
  assert.deepInclude(shown[1], { tag: "8", requireInteraction: false })
})

it("a message that cannot be read shows something, because browsers end subscriptions that show nothing", async () => {
  const { push, shown } = worker()
  for (const text of [null, "", "{", "null", "[]"]) await push(text)
  assert.lengthOf(shown, 5)
  for (const { title } of shown) assert.isNotEmpty(title)
})

it("a click opens the message's page of this console, or focuses the window that shows it", async () => {
  const { click, focused, opened } = worker([`${origin}/console/bots`, message.link])
  await click(message.link)
  assert.deepStrictEqual([focused, opened], [[message.link], []])
  await click(`${origin}/console/vaults`)
  assert.deepStrictEqual(opened, [`${origin}/console/vaults`])
})

it("a click opens no page of another site, whatever the message says", async () => {
  const { click, opened } = worker()
  const links = ["https://evil.example/console/", `${origin}/setTrader?x`, "javascript:alert(1)", "//evil", null, 7, {}]
  for (const link of links) await click(link)
  assert.deepStrictEqual(opened, links.map(() => `${origin}/console/`))
})
