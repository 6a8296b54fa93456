/**
 * `npm test [-- stage…]`, `npm run test:deep [-- workspace…]`: installs what is missing, runs every stage even if an
 * earlier one fails, and ends with what failed and a summary as the last line. `npm run test:sum` prints both for the
 * last two runs together. Stages: lint, format, boundaries, words, check, then the tests of each workspace by its name.
 */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { join, relative } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { bundleCommand } from "./bundle.mjs"
import { buildConsole } from "./console.mjs"
import { handOver } from "./handover.mjs"
import { fail, installMissing, requireNode, root } from "./install.mjs"
import { workspaces } from "./workspaces.mjs"

requireNode()
await installMissing()
await handOver()
await buildConsole()
// The service and its commands as tests start them: harness/ServiceProcess.
process.env.TEST_PROGRAM = await bundleCommand()

const args = process.argv.slice(2)
const isDeep = args.includes("--deep")
const totalFile = (kind) => join(root, ".cache", "test", `total-${kind}.json`)

if (args.includes("--sum")) {
  const totals = await Promise.all(
    ["fast", "deep"].map(async (kind) => {
      const text = await readFile(totalFile(kind), "utf8").catch(() => undefined)
      return text === undefined
        ? { passed: 0, failed: 1, skipped: 0, failures: [`no ${kind} run ended`] }
        : JSON.parse(text)
    })
  )
  print(totals.reduce((sum, each) => ({
    passed: sum.passed + each.passed,
    failed: sum.failed + each.failed,
    skipped: sum.skipped + each.skipped,
    failures: [...sum.failures, ...each.failures]
  })))
  process.exit()
}

const judged = [
  { name: "lint", run: () => judge(node("scripts/lint.mjs", [])) },
  { name: "format", run: () => judge(node("scripts/format.mjs", ["--check"])) },
  { name: "boundaries", run: () => judge(node("scripts/boundaries.mjs", [])) },
  { name: "words", run: () => judge(node("scripts/words.mjs", [])) },
  // The compiler uses one core: it runs beside the other stages without tests.
  { name: "check", run: () => judge(checking ?? compile()) }
]
const tested = workspaces().filter(({ hasDeepTests, hasTests }) => isDeep ? hasDeepTests : hasTests)
const stages = [
  ...(isDeep ? [] : judged),
  ...tested.map(({ folder, name }) => ({ name, run: () => vitest(name, folder) }))
]

const wanted = args.filter((each) => each !== "--deep")
const unknown = wanted.find((name) => stages.every((stage) => stage.name !== name))
if (unknown !== undefined) fail(`There is no stage ${unknown}; there are ${stages.map(({ name }) => name).join(", ")}.`)

// A run that is killed must not be summed up with an older one.
if (wanted.length === 0) await rm(totalFile(isDeep ? "deep" : "fast"), { force: true })
const checking = !isDeep && wanted.length === 0 ? compile() : undefined
const total = { passed: 0, failed: 0, skipped: 0, tests: 0, failures: [] }
for (const { name, run } of stages.filter((stage) => wanted.length === 0 || wanted.includes(stage.name))) {
  const started = performance.now()
  console.log(`\n── ${name} ──`)
  const { failures = [], ...counts } = await run()
  for (const key of Object.keys(counts)) total[key] += counts[key]
  total.failures.push(...failures.map((each) => `${name}: ${each}`))
  console.log(
    `── ${name}: ${counts.failed > 0 ? "failed" : "passed"} in ${((performance.now() - started) / 1000).toFixed(1)} s`
  )
}
const noTests = total.tests === 0 && wanted.length === 0
if (noTests) console.log("\nno test ran")
if (wanted.length === 0) {
  await mkdir(join(root, ".cache", "test"), { recursive: true })
  await writeFile(totalFile(isDeep ? "deep" : "fast"), JSON.stringify(total))
}
print(total)
process.exitCode = total.failed > 0 || noTests ? 1 : 0

/** Prints each failure and the counts. CI may keep only the end of its output, so the failures stand there again. */
function print({ failed, failures, passed, skipped }) {
  if (failures.length > 0) console.log(`\nfailed:\n\n${failures.join("\n\n")}`)
  console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`)
}

/** Type-checks everything, and prints the result once it is complete. */
async function compile() {
  const child = spawn(process.execPath, [join(root, "scripts/check.mjs")], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      output += text
    })
  }
  const end = () => child.kill()
  process.on("exit", end)
  const [code] = await once(child, "close")
  process.off("exit", end)
  process.stdout.write(output)
  return { code: code ?? 1, output }
}

/** Counts a stage without vitest as one test. */
async function judge(ended) {
  const { code, output } = await ended
  return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1, failures: [lastLines(output)] }
}

/** The last lines of an output, of limited length. */
function lastLines(output) {
  return output.trimEnd().split("\n").slice(-20).map((line) => line.slice(0, 200)).join("\n")
}

async function vitest(name, folder) {
  const report = join(root, ".cache", "test", `${name}${isDeep ? "-deep" : ""}.json`)
  await mkdir(join(root, ".cache", "test"), { recursive: true })
  await rm(report, { force: true })
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`]
  const { code, output } = await node("node_modules/vitest/vitest.mjs", ["run", ...reporters], folder)
  const counts = JSON.parse(await readFile(report, "utf8").catch(() => "{}"))
  const { numFailedTests = 0, numPassedTests = 0, numPendingTests = 0, numTodoTests = 0, numTotalTests = 0 } = counts
  // A file that does not load, or an error outside of any test, fails vitest without failing a test.
  const noTestFailed = numFailedTests === 0 && code !== 0
  return {
    passed: numPassedTests,
    failed: noTestFailed ? 1 : numFailedTests,
    skipped: numPendingTests + numTodoTests,
    tests: numTotalTests,
    failures: noTestFailed ? [lastLines(output)] : failedTests(counts.testResults ?? [])
  }
}

/** Names each failed test of vitest's JSON report with its file and the beginning of its message. */
function failedTests(files) {
  return files.flatMap(({ assertionResults, name }) =>
    assertionResults
      .filter(({ status }) => status === "failed")
      .map(({ failureMessages, fullName }) =>
        [`${relative(root, name)} > ${fullName}`, ...failureMessages.join("\n").split("\n").slice(0, 12)]
          .map((line) => line.slice(0, 200))
          .join("\n  ")
      )
  )
}

/** Runs a program of the clone, copies its output to ours and keeps its end; a signal to us ends it first. */
async function node(program, args, cwd = root) {
  const quiet = { npm_config_loglevel: "silent" }
  const child = spawn(process.execPath, [join(root, program), ...args], {
    cwd,
    env: {
      ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}),
      ...process.env,
      ...quiet,
      TEST_DEEP: isDeep ? "1" : "0"
    },
    stdio: ["ignore", "pipe", "pipe"]
  })
  let output = ""
  for (const [stream, ours] of [[child.stdout, process.stdout], [child.stderr, process.stderr]]) {
    stream.setEncoding("utf8").on("data", (text) => {
      ours.write(text)
      output = (output + text).slice(-8_000)
    })
  }
  const forward = (signal) => {
    child.kill(signal)
    process.exitCode = 1
  }
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, forward)
  const closed = once(child, "close")
  const [code] = await once(child, "exit")
  // A process that outlives a test may hold the pipes open.
  await Promise.race([closed, delay(2_000, undefined, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  for (const signal of ["SIGINT", "SIGTERM"]) process.off(signal, forward)
  return { code: code ?? 1, output }
}
