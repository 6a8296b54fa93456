/** When the page does its work: in tasks of their own, so that the browser answers its user between them. */

/** Waits for a new task. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

/** How long the page may be busy before what waits for it to be idle is done anyway. */
const idleMillis = 2_000

/** Runs a function when the page has nothing else to do. Returns a function that cancels it. */
export const whenIdle = (run: () => void): () => void => {
  if (!("requestIdleCallback" in globalThis)) {
    const timer = setTimeout(run, idleMillis)
    return () => clearTimeout(timer)
  }
  const request = requestIdleCallback(run, { timeout: idleMillis })
  return () => cancelIdleCallback(request)
}
