/**
 * `npm run mutants -- [part of a name…]`: applies each mutant of `mutants/Mutants.ts` to a copy of this folder and runs
 * seeds of the simulation against it, two at a time, until one detects it, 200 at most, or its test file. Prints the
 * number of runs, or of tests, after which each mutant was detected; the exit code is 1 if one was not detected. With
 * `--authority` it does the same with `mutants/AuthorityMutants.ts` and the authority model. Needs the `cp` of Linux.
 */
import { spawn } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { authorityMutants } from "./mutants/AuthorityMutants.ts"
import { edited } from "./mutants/Mutant.ts"
import { mutants } from "./mutants/Mutants.ts"
import { copyTo, root } from "./RepositoryCopy.ts"

const isAuthority = process.argv.includes("--authority")
const parts = process.argv.slice(2).filter((part) => part !== "--authority")
const described = (isAuthority ? authorityMutants : mutants).map((mutant) => ({
  ...mutant,
  name: mutant.threat === undefined ? mutant.name : `${mutant.name} (threat ${mutant.threat})`
}))
const chosen = described.filter(({ name }) => parts.every((part) => name.includes(part)))
if (chosen.length === 0) {
  console.error(
    `No mutant has ${parts.join(" and ")} in its name. There are:\n${
      described.map(({ name }) => `  ${name}`).join("\n")
    }`
  )
  process.exit(2)
}

/** Runs the simulation in a folder. Returns the number of runs, and of those that violated an invariant. */
const simulate = (folder: string) =>
  new Promise<{ readonly runs: number; readonly broken: number }>((resolve, reject) => {
    const args = ["scripts/run.mjs", "simulate", "--seeds", "200", "--jobs", "2", "--first", "--json"]
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
    child.once("close", () => {
      const last = output.trim().split("\n").at(-1) ?? ""
      if (!last.startsWith("{")) {
        return reject(new Error(`the simulation ended without a summary:\n${output.slice(-2000)}`))
      }
      const { broken, runs } = JSON.parse(last) as { readonly runs: number; readonly broken: ReadonlyArray<unknown> }
      resolve({ runs, broken: broken.length })
    })
  })

/** Runs the authority model in a folder until it detects a difference. Returns its message, or undefined for none. */
const checkAuthority = (folder: string) =>
  new Promise<string | undefined>((resolve, reject) => {
    const child = spawn(
      process.execPath,
      [Path.join(folder, "node_modules/vitest/vitest.mjs"), "run", "test/authority/AuthorityModel.test.ts"],
      {
        cwd: Path.join(folder, "packages/testing"),
        env: { ...process.env, AUTHORITY_SEQUENCES: "1000", AUTHORITY_SHRINK: "off" },
        stdio: ["ignore", "pipe", "pipe"]
      }
    )
    let output = ""
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text
      })
    }
    child.once("close", (code) => {
      const found = /(the model says .*|accepted the same signature twice|authority over .* instead of .*)/.exec(output)
      if (code === 0) return resolve(undefined)
      if (found === null) return reject(new Error(`the authority model did not run:\n${output.slice(-4000)}`))
      resolve(found[0].slice(0, 160))
    })
  })

/** Runs a test file in a folder. Returns the number of its tests, and of those that failed. */
const runTest = (folder: string, test: string) =>
  new Promise<{ readonly tests: number; readonly failed: number }>((resolve, reject) => {
    const workspace = test.split("/").slice(0, 2).join("/")
    const report = Path.join(folder, "report.json")
    Fs.rmSync(report, { force: true })
    const args = [
      ...[Path.join(folder, "node_modules/vitest/vitest.mjs"), "run", Path.relative(workspace, test)],
      ...["--reporter=json", `--outputFile=${report}`]
    ]
    const child = spawn(process.execPath, args, {
      cwd: Path.join(folder, workspace),
      env: { ...process.env, ...(test.endsWith(".deep.test.ts") ? { TEST_DEEP: "1" } : {}) },
      stdio: ["ignore", "ignore", "inherit"]
    })
    child.once("close", () => {
      if (!Fs.existsSync(report)) return reject(new Error(`${test} ended without a report`))
      const { numFailedTests, numPassedTests, numTotalTests } = JSON.parse(Fs.readFileSync(report, "utf8")) as {
        readonly numFailedTests: number
        readonly numPassedTests: number
        readonly numTotalTests: number
      }
      // A file that cannot be loaded, or whose service does not start, has detected nothing.
      if (numFailedTests + numPassedTests === 0) return reject(new Error(`${test} has run no test`))
      resolve({ tests: numTotalTests, failed: numFailedTests })
    })
  })

const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-mutants-"))
process.once("exit", () => Fs.rmSync(folder, { recursive: true, force: true }))
process.once("SIGINT", () => process.exit(130))
// Tests that start the service build the console's page, by what the lock file says.
copyTo(folder, ["package-lock.json"])
for (const { edits, name, test } of chosen) {
  const inCopy = (file: string) => Path.join(folder, file)
  for (const edit of edits) {
    Fs.writeFileSync(inCopy(edit.file), edited(Fs.readFileSync(inCopy(edit.file), "utf8"), edit))
  }
  if (isAuthority) {
    const found = await checkAuthority(folder)
    console.log(`${name}: ${found ?? "not detected"}`)
    if (found === undefined) process.exitCode = 1
  } else if (test === undefined) {
    const { broken, runs } = await simulate(folder)
    console.log(`${name}: ${broken === 0 ? `not detected in ${runs} runs` : `detected in run ${runs} of 200 at most`}`)
    if (broken === 0) process.exitCode = 1
  } else {
    const { failed, tests } = await runTest(folder, test)
    console.log(`${name}: ${failed === 0 ? "none" : failed} of ${tests} tests of ${Path.basename(test)} failed`)
    if (failed === 0) process.exitCode = 1
  }
  for (const { file } of edits) Fs.copyFileSync(Path.join(root, file), inCopy(file))
}
