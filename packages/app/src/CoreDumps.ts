/**
 * Keeps the memory of a process that holds keys out of files: core dumps, Node's diagnostic reports and heap snapshots.
 * The children of the process inherit the first.
 */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { spawnSync } from "node:child_process"
import * as Fs from "node:fs"

/** The mask of the parts of this process's memory that the kernel writes into a core dump. */
const ownFilter = "/proc/self/coredump_filter"

/**
 * Empties the filter. It also holds for programs to which the kernel pipes core dumps, which do not always respect the
 * limit of their size.
 */
const emptyFilter = (filterFile: string) =>
  Result.isSuccess(Result.try(() => {
    Fs.writeFileSync(filterFile, "0x0")
    if (Number.parseInt(Fs.readFileSync(filterFile, "utf8"), 16) !== 0) throw new Error("another filter")
  }))

/** Sets the limit of the size of core dumps to zero. Node has no function for it; util-linux has a program. */
const limitSize = () =>
  spawnSync("prlimit", ["--pid", String(process.pid), "--core=0:0"], { stdio: "ignore", timeout: 5_000 }).status === 0

/** Options of Node that write memory to a file, or let a debugger read it. */
const telltale =
  /^--(?:report-on-|report-uncaught-exception|heapsnapshot-|heap-prof|abort-on-uncaught-exception|inspect)/

const optionsThatTell = () =>
  [...process.execArgv, ...(process.env["NODE_OPTIONS"] ?? "").split(/\s+/)].filter((option) => telltale.test(option))

/** Turns off reports that a signal or a failure would write: they contain the environment. */
const withoutReports = () => {
  if (process.report === undefined) return
  process.report.reportOnFatalError = false
  process.report.reportOnSignal = false
  process.report.reportOnUncaughtException = false
}

/** Does what `disable` does, with another file in place of the process's own filter. */
export const disableAt = Effect.fnUntraced(function*(filterFile: string) {
  const [isEmpty, isLimited] = yield* Effect.sync(() => {
    withoutReports()
    return [emptyFilter(filterFile), limitSize()]
  })
  if (!isEmpty) {
    yield* Effect.logWarning(
      `Core dumps of this process may contain private keys: ${filterFile} cannot be written on this system. ` +
        (isLimited ? "Their size is limited to zero." : "Start it under `ulimit -c 0`, and store no core dumps.")
    )
  }
  const options = yield* Effect.sync(optionsThatTell)
  if (options.length > 0) {
    yield* Effect.logWarning(
      `Node's options ${options.join(", ")} can show this process's memory, with private keys, to others: remove them.`
    )
  }
})

/** Switches core dumps off. Logs a warning where this system does not permit it; the service runs all the same. */
export const disable: Effect.Effect<void> = disableAt(ownFilter)
