import * as Fs from "node:fs"
import * as Os from "node:os"
import * as Path from "node:path"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import * as SeedRecord from "../seeds/SeedRecord.ts"
import * as Sources from "../seeds/Sources.ts"

let folder: string
beforeEach(() => {
  folder = Fs.mkdtempSync(Path.join(Os.tmpdir(), "vault-trader-seeds-"))
})
afterEach(() => Fs.rmSync(folder, { recursive: true, force: true }))

const sources = { count: 3, digest: "a".repeat(64) }
const result = (seed: number, broken: ReadonlyArray<string> = []) => ({
  ...{ seed, broken },
  sums: { accepted: 2 },
  faults: { delay: 1 }
})
const recordOf = (...seeds: ReadonlyArray<number>) =>
  seeds.reduce((record, seed) => SeedRecord.plus(record, result(seed)), SeedRecord.empty(sources))

describe("the record of seeds", () => {
  it("joins seeds that arrive in any order, and counts each once", () => {
    const record = recordOf(3, 1, 7, 2, 8, 3)
    expect(record.seeds).toEqual([[1, 3], [7, 8]])
    expect(SeedRecord.countSeeds(record)).toBe(5)
    expect(record.sums).toEqual({ accepted: 10 })
    expect(record.faults).toEqual({ delay: 5 })
  })

  it("keeps the seeds of runs that violated an invariant", () => {
    const record = SeedRecord.plus(SeedRecord.plus(recordOf(1), result(9, ["lost"])), result(4, ["twice"]))
    expect(record.broken).toEqual([4, 9])
  })

  it("names what is missing, up to the last seed and to what another run has", () => {
    const record = recordOf(1, 2, 6)
    expect(SeedRecord.missing(record, { last: 10, most: 100 })).toEqual({ from: 3, count: 3 })
    expect(SeedRecord.missing(record, { last: 10, most: 2 })).toEqual({ from: 3, count: 2 })
    expect(SeedRecord.missing(record, { last: 4, most: 100 })).toEqual({ from: 3, count: 2 })
    expect(SeedRecord.missing(record, { last: 2, most: 100 })).toBeUndefined()
    expect(SeedRecord.missing(recordOf(1, 2, 3, 4, 5, 6), { last: 8, most: 100 })).toEqual({ from: 7, count: 2 })
  })

  it("is read for its own sources only", () => {
    const path = Path.join(folder, "seeds.json")
    expect(SeedRecord.read(sources, path)).toEqual(SeedRecord.empty(sources))
    SeedRecord.write(recordOf(1, 2), path)
    expect(SeedRecord.read(sources, path)).toEqual(recordOf(1, 2))
    const others = { count: 3, digest: "b".repeat(64) }
    expect(SeedRecord.read(others, path)).toEqual(SeedRecord.empty(others))
    expect(Fs.readdirSync(folder)).toEqual(["seeds.json"])
  })
})

describe("the sources of a program", () => {
  const write = (name: string, text: string) => Fs.writeFileSync(Path.join(folder, name), text)
  const install = (version: string) => write("node_modules/a-library/package.json", JSON.stringify({ version }))
  beforeEach(() => {
    Fs.mkdirSync(Path.join(folder, "node_modules/a-library"), { recursive: true })
    install("1.0.0")
    write("main.ts", `import { b } from "./b.ts"\nimport * as Fs from "node:fs"\nconsole.log(b, Fs)`)
    write("b.ts", `import type { C } from "./c.ts"\nimport a from "a-library/part"\nexport const b: C = a`)
    write("c.ts", "export type C = number")
  })
  const digest = async () => (await Sources.ofProgram("main.ts", folder)).digest

  it("are the modules that it loads, without those of types", async () => {
    expect((await Sources.ofProgram("main.ts", folder)).count).toBe(2)
  })

  it("have another digest once one of them, or a library, changes", async () => {
    const before = await digest()
    write("c.ts", "export type C = 1")
    expect(await digest()).toBe(before)
    install("1.0.1")
    const afterUpdate = await digest()
    expect(afterUpdate).not.toBe(before)
    write("b.ts", "export const b = 2")
    expect(await digest()).not.toBe(afterUpdate)
  })
})
