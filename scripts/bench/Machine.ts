/** The machine and the commit of a measurement; a number means nothing without them. */
import * as Schema from "effect/Schema"
import { execFileSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"

export const root = Path.join(import.meta.dirname, "../..")

export const Machine = Schema.Struct({
  cpu: Schema.String,
  cores: Schema.Int,
  memoryGiB: Schema.Number,
  node: Schema.String,
  os: Schema.String
})
export type Machine = typeof Machine.Type

const distribution = (): string => {
  try {
    return /^PRETTY_NAME="?([^"\n]+)/m.exec(Fs.readFileSync("/etc/os-release", "utf8"))?.[1] ?? Os.type()
  } catch {
    return Os.type()
  }
}

export const machine = (): Machine => ({
  cpu: Os.cpus()[0]?.model ?? "unknown",
  cores: Os.availableParallelism(),
  memoryGiB: Math.round(Os.totalmem() / 2 ** 30),
  node: process.version,
  os: `${distribution()}, ${Os.type()} ${Os.release()}`
})

/** Files that the bench itself changes, or that cannot affect a measurement. */
const irrelevant = /^(bench\/|docs\/|[A-Z]+\.md$)/

/** Returns the commit, with a mark when the working tree differs from it. */
export const commit = (): string => {
  const git = (...args: ReadonlyArray<string>) =>
    execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] })
  try {
    const paths = git("status", "--porcelain").split("\n").map((line) => line.slice(3))
    const changed = paths.filter((path) => path !== "" && !irrelevant.test(path))
    return `${git("rev-parse", "--short", "HEAD").trim()}${changed.length > 0 ? " with changes" : ""}`
  } catch {
    // A copy without git, or a machine without it.
    return "unknown"
  }
}

/** Load average of the last minute, including this process. */
export const load = (): number => Os.loadavg()[0] ?? 0
