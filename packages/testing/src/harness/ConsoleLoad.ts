/**
 * How a page of the console loads on a slow phone, as Chromium measures it: the processor four times slower, and
 * Lighthouse's "Slow 4G" (150 ms to the server, 1.6 Mbit/s), with the factors by which DevTools imitates it.
 */
import * as SessionToken from "@vault-trader/server/console/SessionToken"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { Page } from "playwright-core"
import { browser } from "./Browser.ts"

export interface Load {
  readonly name: string
  /** Until something of the page is drawn (First Contentful Paint), in milliseconds. */
  readonly firstPaint: number
  /** Until the last script has arrived, in milliseconds. */
  readonly scripts: number
  /** The time of long tasks beyond 50 ms each, after the first paint (Total Blocking Time), in milliseconds. */
  readonly blocked: number
  readonly requests: number
  /** The bytes that were transferred. */
  readonly bytes: number
}

const slowProcessor = 4
const slowNetwork = {
  offline: false,
  latency: 150 * 3.75,
  downloadThroughput: 1_600 * 1_024 / 8 * 0.9,
  uploadThroughput: 750 * 1_024 / 8 * 0.9
}
/** A page without a long task for this long has finished loading. */
const quietMillis = 3_000
/** A task blocks the page from this on. */
const longMillis = 50

interface Task {
  readonly startTime: number
  readonly duration: number
}

/** Runs in the page before its own scripts: collects long tasks. */
const observe = () => {
  const longTasks: Array<Task> = []
  Object.assign(globalThis, { longTasks })
  const { PerformanceObserver } = globalThis as unknown as {
    readonly PerformanceObserver: new(
      use: (list: { readonly getEntries: () => ReadonlyArray<Task> }) => void
    ) => { readonly observe: (options: object) => void }
  }
  new PerformanceObserver((list) => {
    for (const { duration, startTime } of list.getEntries()) longTasks.push({ duration, startTime })
  }).observe({ type: "longtask", buffered: true })
}

/** Runs in the page: what was measured until now. */
const measured = () => {
  interface Entry {
    readonly name: string
    readonly startTime: number
    readonly responseEnd: number
    readonly transferSize: number
  }
  const { longTasks, performance } = globalThis as unknown as {
    readonly longTasks: ReadonlyArray<Task>
    readonly performance: { readonly now: () => number; readonly getEntriesByType: (type: string) => Array<Entry> }
  }
  const loaded = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
  return {
    now: performance.now(),
    longTasks,
    paint: performance.getEntriesByType("paint").find(({ name }) => name === "first-contentful-paint")?.startTime,
    loaded: loaded.map(({ name, responseEnd, transferSize }) => ({ name, responseEnd, transferSize }))
  }
}

/** Waits until the page has had no long task for a while. */
const settled = async (page: Page): Promise<Awaited<ReturnType<typeof measured>>> => {
  for (;;) {
    const found = await page.evaluate(measured)
    const last = found.longTasks.at(-1)
    const quietSince = last === undefined ? 0 : last.startTime + last.duration
    if (found.now - quietSince >= quietMillis) return found
    await page.waitForTimeout(quietMillis - (found.now - quietSince))
  }
}

/** Runs in the page before its own scripts: what it stored when the manager signed in. */
const remember = () => {
  const { localStorage } = globalThis as unknown as {
    readonly localStorage: { readonly setItem: (key: string, value: string) => void }
  }
  localStorage.setItem("vault-trader/wallet", "org.example.wallet")
}

/** The cookie that the browser stored then: the service does not read whether its token is valid to send a page. */
const sessionCookie = (() => {
  const [name = "", value = ""] = SessionToken.cookie(Redacted.make("0".repeat(64)), { seconds: 60, secure: false })
    .split(";", 1).join().split("=")
  return { name, value }
})()

/**
 * Loads a page in a browser of its own, whose cache is empty, and waits until `isThere`. `isKnown`: a manager has signed
 * in with this browser before.
 */
export const loadOf = (
  { isKnown, isThere, name, url }: {
    readonly name: string
    readonly url: string
    readonly isKnown: boolean
    readonly isThere: (page: Page) => Promise<unknown>
  }
): Effect.Effect<Load> =>
  Effect.scoped(Effect.flatMap(browser, (chromium) =>
    Effect.promise(async () => {
      const page = await chromium.newPage({ viewport: { width: 360, height: 740 }, reducedMotion: "reduce" })
      await page.addInitScript(observe)
      if (isKnown) {
        await page.addInitScript(remember)
        await page.context().addCookies([{ ...sessionCookie, domain: new URL(url).hostname, path: "/console" }])
      }
      const session = await page.context().newCDPSession(page)
      await session.send("Network.enable")
      await session.send("Network.emulateNetworkConditions", slowNetwork)
      await session.send("Emulation.setCPUThrottlingRate", { rate: slowProcessor })
      await page.goto(url, { waitUntil: "commit" })
      await isThere(page)
      const { loaded, longTasks, paint = Infinity } = await settled(page)
      return {
        name,
        firstPaint: paint,
        scripts: Math.max(...loaded.filter((each) => each.name.endsWith(".js")).map((each) => each.responseEnd)),
        blocked: longTasks.filter(({ startTime }) => startTime >= paint)
          .reduce((sum, { duration }) => sum + duration - longMillis, 0),
        requests: loaded.length,
        bytes: loaded.reduce((sum, { transferSize }) => sum + transferSize, 0)
      }
    })))

/** Formats the measurements as a table. */
export const loadsText = (loads: ReadonlyArray<Load>): string =>
  [
    "page                first paint  scripts  blocked (ms)  requests      kB",
    ...loads.map(({ blocked, bytes, firstPaint, name, requests, scripts }) =>
      [
        name.padEnd(20),
        firstPaint.toFixed(0).padStart(11),
        scripts.toFixed(0).padStart(9),
        blocked.toFixed(0).padStart(14),
        String(requests).padStart(10),
        (bytes / 1_000).toFixed(0).padStart(8)
      ].join("")
    )
  ].join("\n")
