/**
 * How long the console takes to answer what a manager does with a table of many rows, as Chromium measures it: from the
 * event to the next picture (Event Timing), the longest task, and all work of the page's thread (the protocol's
 * `TaskDuration`).
 */
import * as Effect from "effect/Effect"
import type { CDPSession, Page } from "playwright-core"

export interface Interaction {
  readonly name: string
  /** From the event to the picture that shows its effect, in milliseconds; at most 16 where nothing was measured. */
  readonly response: number
  /** The longest task in milliseconds; 0 if none took more than 50. */
  readonly longestTask: number
  /** All work of the thread in milliseconds, including what follows the picture. */
  readonly work: number
}

interface Measured {
  readonly fleetTimes: { readonly events: Array<number>; readonly tasks: Array<number> }
}

/** Runs in the page: collects events and long tasks from now on. */
const observe = () => {
  const fleetTimes = { events: [] as Array<number>, tasks: [] as Array<number> }
  Object.assign(globalThis, { fleetTimes })
  const { PerformanceObserver } = globalThis as unknown as {
    readonly PerformanceObserver: new(
      use: (list: { readonly getEntries: () => ReadonlyArray<{ readonly duration: number }> }) => void
    ) => { readonly observe: (options: object) => void }
  }
  const into = (durations: Array<number>) =>
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) durations.push(duration)
    })
  into(fleetTimes.events).observe({ type: "event", durationThreshold: 16 })
  into(fleetTimes.tasks).observe({ type: "longtask" })
}

/** Runs in the page: forgets what was collected. */
const reset = () => {
  const { fleetTimes } = globalThis as unknown as Measured
  fleetTimes.events.length = 0
  fleetTimes.tasks.length = 0
}

const collected = () => (globalThis as unknown as Measured).fleetTimes

const workOf = async (session: CDPSession): Promise<number> => {
  const { metrics } = await session.send("Performance.getMetrics")
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000
}

/** How long the page is left alone until its work is read: longer than the table waits for typing to pause. */
const settleMillis = 400

/** Returns a function that measures one interaction of the page. */
const measurerOf = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  await session.send("Performance.enable")
  await page.evaluate(observe)
  return async (name: string, interact: () => Promise<unknown>): Promise<Interaction> => {
    await page.waitForTimeout(settleMillis)
    await page.evaluate(reset)
    const before = await workOf(session)
    await interact()
    await page.waitForTimeout(settleMillis)
    const work = await workOf(session) - before
    const { events, tasks } = await page.evaluate(collected)
    return { name, response: Math.max(16, ...events), longestTask: Math.max(0, ...tasks), work }
  }
}

/** Measures the table of bots, and that of vaults, of the console at this URL. */
export const interactionsOf = (page: Page, url: string): Effect.Effect<ReadonlyArray<Interaction>> =>
  Effect.promise(async () => {
    await page.goto(`${url}/console/bots?kind=all`)
    const bots = page.getByRole("table", { name: "Bots" })
    await bots.locator("tbody a").first().waitFor()
    const measure = await measurerOf(page)
    const search = page.getByLabel("Search", { exact: true }).last()
    const found: Array<Interaction> = []
    const add = async (name: string, interact: () => Promise<unknown>) => {
      found.push(await measure(name, interact))
    }
    const heading = (name: string) => page.getByRole("columnheader", { name }).getByRole("button")
    await add("sort bots", () => heading("Vault").click())
    await add("sort bots again", () => heading("Vault").click())
    await add("type into the search", () => search.press("w"))
    await add("empty the search", () => search.press("Backspace"))
    await add("filter by state", () => page.getByLabel("State").selectOption("active"))
    await add("show all states", () => page.getByLabel("State").selectOption(""))
    await add("group by vault", () => page.getByLabel("Group by").selectOption("Vault"))
    await add("end the groups", () => page.getByLabel("Group by").selectOption("Nothing"))
    await add("select a bot", () => bots.locator("tbody input").first().click())
    await add("select all bots", () => page.getByLabel(/^Select all [\d,]+ bots$/).click())
    await add("open the review", () => page.getByRole("button", { name: "Pause", exact: true }).click())
    await add("close the review", () => page.keyboard.press("Escape"))
    await bots.hover()
    await add("scroll", async () => {
      for (let turn = 0; turn < 10; turn++) await page.mouse.wheel(0, 1_500)
    })
    await add("open a bot", () => bots.locator("tbody tr:not([aria-hidden]) a").nth(30).click())
    await add("open the vaults", () => page.getByRole("link", { name: "Managed Vaults" }).click())
    await page.getByRole("table", { name: "Vaults" }).locator("tbody a").first().waitFor()
    await add("sort vaults", () => heading("Today").click())
    await add("search a vault", () => search.press("c"))
    return found
  })

/** Formats the measurements as a table. */
export const interactionsText = (found: ReadonlyArray<Interaction>): string =>
  [
    "interaction               response  longest task  work (ms)",
    ...found.map(({ longestTask, name, response, work }) =>
      `${name.padEnd(26)}${response.toFixed(0).padStart(8)}${longestTask.toFixed(0).padStart(14)}${
        work.toFixed(0).padStart(11)
      }`
    )
  ].join("\n")
