/** Builds the documentation site of a clone beside the service; a build of the service has the site already. */
import * as Effect from "effect/Effect"
import { spawn } from "node:child_process"
import * as Os from "node:os"
import { documentationScript } from "./ShippedFiles.ts"

/** How much of the builder's output the log repeats. */
const maxSaid = 2_000

/** Runs the builder at the lowest priority, without the settings of this service; it ends with this process. */
export const buildDocumentation: Effect.Effect<void> = Effect.callback<string | undefined>((resume) => {
  const { PATH = "" } = process.env
  const child = spawn(process.execPath, [documentationScript], { env: { PATH }, stdio: ["ignore", "ignore", "pipe"] })
  let said = ""
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said = (said + text).slice(-maxSaid)
  })
  child.once("spawn", () => Os.setPriority(child.pid ?? 0, Os.constants.priority.PRIORITY_LOW))
  child.once("error", ({ message }) => resume(Effect.succeed(message)))
  child.once("close", (code) => resume(Effect.succeed(code === 0 ? undefined : said.trim())))
  return Effect.sync(() => void child.kill())
}).pipe(
  Effect.flatMap((fault) =>
    fault === undefined ? Effect.void : Effect.logWarning(`The documentation site could not be built: ${fault}`)
  )
)
