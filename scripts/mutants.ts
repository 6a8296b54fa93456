/**
 * `npm run mutants -- [--seeds N] [--jobs J] [part of a name]`: applies each mutant of `mutants/Mutants.ts` to a copy of this folder
 * and runs the simulation against it. Prints the number of runs that detected each mutant. Takes about two minutes a mutant.
 */
import { spawn, spawnSync } from "node:child_process"
import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { parseArgs } from "node:util"
import { type Edit, mutants } from "./mutants/Mutants.ts"

const root = Path.join(import.meta.dirname, "..")

const { positionals, values } = parseArgs({ allowPositionals: true, options: { seeds: { type: "string", default: "100" }, jobs: { type: "string", default: "2" } } })
const chosen = mutants.filter(({ name }) => positionals.every((part) => name.includes(part)))
if (chosen.length === 0) {
  console.error(`No mutant has ${positionals.join(" and ")} in its name. There are:\n${mutants.map(({ name }) => `  ${name}`).join("\n")}`)
  process.exit(2)
}

/** Copies the files a run needs. Links to packages are relative, so those of the copy point into the copy. */
const copyTo = (folder: string) => {
  for (const entry of ["package.json", "packages", "scripts", "tsconfig.base.json", "node_modules"]) {
    const { status, stderr } = spawnSync("cp", ["-a", ...(entry === "node_modules" ? ["-l"] : []), Path.join(root, entry), folder])
    if (status !== 0) throw new Error(`cp: ${stderr.toString()}`)
  }
}

const edited = (text: string, { file, from, to }: Edit) => {
  const parts = text.split(from)
  if (parts.length !== 2) throw new Error(`${file} contains this text ${parts.length - 1} times instead of once:\n${from}`)
  return parts.join(to)
}

/** Runs the simulation in a folder. Returns the number of runs, and of those that violated an invariant. */
const simulate = (folder: string) =>
  new Promise<{ readonly runs: number; readonly broken: number }>((resolve, reject) => {
    const child = spawn(process.execPath, ["scripts/run.mjs", "simulate", "--seeds", values.seeds, "--jobs", values.jobs, "--json"], { cwd: folder, stdio: ["ignore", "pipe", "inherit"] })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text
    })
    child.once("close", () => {
      const last = output.trim().split("\n").at(-1) ?? ""
      if (!last.startsWith("{")) return reject(new Error(`the simulation ended without a summary:\n${output.slice(-2000)}`))
      const { broken, runs } = JSON.parse(last) as { readonly runs: number; readonly broken: ReadonlyArray<unknown> }
      resolve({ runs, broken: broken.length })
    })
  })

const folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-mutants-"))
process.once("exit", () => Fs.rmSync(folder, { recursive: true, force: true }))
process.once("SIGINT", () => process.exit(130))
copyTo(folder)
for (const { edits, name } of chosen) {
  const originals = new Map(edits.map(({ file }) => [file, Fs.readFileSync(Path.join(root, file), "utf8")]))
  const texts = new Map(originals)
  for (const edit of edits) texts.set(edit.file, edited(texts.get(edit.file) ?? "", edit))
  for (const [file, text] of texts) Fs.writeFileSync(Path.join(folder, file), text)
  const { broken, runs } = await simulate(folder)
  console.log(`${name}: ${broken === 0 ? "none" : broken} of ${runs} runs violated an invariant`)
  for (const [file, text] of originals) Fs.writeFileSync(Path.join(folder, file), text)
}
