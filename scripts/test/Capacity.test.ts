import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Fs from "node:fs"
import { describe, expect, it } from "vitest"
import * as CapacityArguments from "../capacity/CapacityArguments.ts"
import * as CapacityPage from "../capacity/CapacityPage.ts"
import { firstWall, table } from "../capacity/CapacityTable.ts"
import { costs } from "../capacity/Costs.ts"
import { type FleetSize, grown, sizes, usual } from "../capacity/FleetSize.ts"
import * as LeastSquares from "../capacity/LeastSquares.ts"
import { callsOf, callsOfBots, needsOf, ratesOf } from "../capacity/Model.ts"
import { usualSurroundings, wallsOf } from "../capacity/Walls.ts"

const fleet = usual(80_000, 10)
const calls = (changed: Partial<FleetSize> = {}) => callsOf({ ...fleet, ...changed }, costs)
const needs = (changed: Partial<FleetSize> = {}) => needsOf({ ...fleet, ...changed }, costs)

describe("the page of scale", () => {
  it("has the tables that the model prints", () => {
    const text = Fs.readFileSync(CapacityPage.page, "utf8")
    expect(CapacityPage.withTables(text, CapacityPage.generated())).toBe(text)
  })

  it("is refused without a place for the tables", () => {
    expect(() => CapacityPage.withTables("# A page", "")).toThrow("no place")
  })
})

describe("the model of a fleet", () => {
  it("reads 200 bots in a call, and each page of 1,000 by itself", () => {
    expect([0, 1, 200, 201, 1_000, 1_001, 2_500].map(callsOfBots)).toEqual([0, 1, 1, 2, 5, 6, 13])
  })

  it("makes twice the calls for twice the bots, and for checks twice as often", () => {
    expect(calls({ bots: 160_000 }).bots).toBeCloseTo(2 * calls().bots)
    expect(calls({ checkSeconds: fleet.checkSeconds * 2 }).bots).toBeCloseTo(calls().bots / 2)
    expect(calls({ bots: 160_000 }).wallets).toBe(calls().wallets)
  })

  it("counts two calls for each check of a wallet, and its code once an hour", () => {
    expect(calls({ lanes: 60, gasSeconds: 60 }).wallets).toBeCloseTo(2 + 60 / 3_600)
  })

  it("lists four times the rows for twice the bots and networks", () => {
    const double = { ...fleet, bots: fleet.bots * 2, wallets: fleet.wallets * 2, networks: fleet.networks * 2 }
    expect(ratesOf(double, 2).listedRows).toBeCloseTo(4 * ratesOf(fleet, 2).listedRows)
  })

  it("needs no fewer processes, rows and bytes for more of anything", () => {
    const before = needs()
    for (
      const more of [
        ...[{ bots: 300_000 }, { vaults: 300_000 }, { lanes: 50_000 }, { tradesPerDay: 1e7 }, { alertsPerDay: 1e7 }],
        { readsPerSecond: 5_000 }
      ]
    ) {
      const after = needs(more)
      for (const name of ["runners", "servers", "postgresCores", "rowsPerDay", "bytesPerDay", "connections"] as const) {
        expect(after[name], `${name} with ${JSON.stringify(more)}`).toBeGreaterThanOrEqual(before[name])
      }
    }
  })

  it("plans at least two processes of each kind, and more only when they are busy", () => {
    const { runners, servers } = needs({ bots: 100, vaults: 100, wallets: 10, lanes: 10, tradesPerDay: 1 })
    expect([runners, servers]).toEqual([2, 2])
    const { runnerCores, runners: many } = needs({ bots: 1_000_000 })
    expect(runnerCores / many).toBeLessThanOrEqual(0.6)
    expect(runnerCores / (many - 1)).toBeGreaterThan(0.55)
  })
})

describe("the limits of a fleet", () => {
  const wallsWith = (changed: Partial<FleetSize> = {}, surroundings = usualSurroundings) =>
    wallsOf({ ...fleet, ...changed }, costs, surroundings)
  const first = (...args: Parameters<typeof wallsWith>) => wallsWith(...args)[0]?.name

  it("are named, the nearest first", () => {
    expect(first({ lanes: 800_000 })).toMatch(/wallets|RPC/)
    expect(first({ vaults: 8_000_000 }, { ...usualSurroundings, callsPerSecond: 1e6, diskBytes: 1e18 })).toBe(
      "samples of a network's vaults, as long as from slot to slot"
    )
    expect(first({}, { ...usualSurroundings, maxConnections: 20 })).toBe("PostgreSQL's connections")
    expect(first({}, { ...usualSurroundings, diskBytes: 1e9 })).toBe("disk")
    expect(first({}, { ...usualSurroundings, callMillis: 20_000 })).toMatch(/^a round over/)
  })

  it("are reached at the size at which all of a limit is needed", () => {
    for (const { name, times, used } of wallsWith()) {
      const again = wallsOf(grown(fleet, times), costs, usualSurroundings).find((wall) => wall.name === name)
      expect(again?.used, name).toBeGreaterThanOrEqual(1)
      expect(used < 1, name).toBe(times > 1)
    }
  })

  it("are none for a small fleet, with the size at which the next one is reached", () => {
    const [small] = sizes
    if (small === undefined) throw new Error("there are no sizes")
    expect(firstWall(small, wallsOf(small, costs, usualSurroundings))).toMatch(
      /^none; the next is ".+", at [\d.,]+.* bots$/
    )
  })

  it("of processes that are given do not grow with the fleet", () => {
    const walls = wallsOf(fleet, costs, usualSurroundings, { runners: 2, servers: 1 })
    expect(walls.find(({ name }) => name === "PostgreSQL's connections")?.times).toBe(Infinity)
  })
})

describe("the unit costs", () => {
  it("are found from what fleets used", () => {
    const [base, each] = LeastSquares.solve([
      ...[1, 10, 100].map((count) => ({ counts: [1, count], used: 5 + 2 * count }))
    ])
    expect(base).toBeCloseTo(5)
    expect(each).toBeCloseTo(2)
  })

  it("are never below 0", () => {
    const [, none] = LeastSquares.solve([{ counts: [1, 0], used: 5 }, { counts: [1, 10], used: 4 }])
    expect(none).toBe(0)
  })
})

describe("the options of npm run capacity", () => {
  const read = (...words: ReadonlyArray<string>) => Effect.runSync(Effect.result(CapacityArguments.read(words)))
  const refusal = (...words: ReadonlyArray<string>) => {
    const result = read(...words)
    return Result.isFailure(result) ? result.failure.message : ""
  }
  const sizeOf = (...words: ReadonlyArray<string>) => {
    const result = read(...words)
    return Result.isSuccess(result) && result.success._tag === "fleet" ? result.success : undefined
  }

  it("choose the sizes of the page, a fleet, or the check", () => {
    expect(read()).toEqual(Result.succeed({ _tag: "sizes" }))
    expect(read("--check")).toEqual(Result.succeed({ _tag: "check" }))
    expect(sizeOf("--bots", "100000")?.fleet).toEqual(usual(100_000, 10))
    expect(sizeOf("--bots", "5000", "--networks", "3", "--wallets", "50", "--lanes", "150")?.fleet).toMatchObject({
      ...{ bots: 5_000, networks: 3, wallets: 50, lanes: 150, vaults: 5_000 }
    })
    expect(sizeOf("--bots", "5", "--runners", "3", "--servers", "1")?.processes).toEqual({ runners: 3, servers: 1 })
  })

  it("are refused with the reason and the usage", () => {
    for (
      const [words, reason] of [
        [["--bots", "many"], "--bots: expected a whole number from 1, not 'many'"],
        [["--bots", "0"], "--bots: expected a whole number"],
        [["--networks", "3"], "--bots: the size of a fleet begins with its bots"],
        [["--bots", "10", "--wallets", "2", "--lanes", "30"], "--lanes: 2 wallets act on at most 20 networks, summed"],
        [["--bots", "10", "--runners", "2"], "--runners and --servers are given together"],
        [["--check", "--bots", "5"], "--check goes with no other option, not with --bots"],
        [["--check", "--measure"], "--check goes with no other option, not with --measure"],
        [["--fleet"], "Unknown option '--fleet'"],
        [["10"], "Unexpected argument '10'"]
      ] as const
    ) {
      expect(refusal(...words)).toContain(reason)
      expect(refusal(...words)).toContain("Usage: npm run capacity")
    }
  })
})

it("prints a table of Markdown", () => {
  expect(table(["", "one"], [["rows", "2"]])).toBe("|  | one |\n| --- | --- |\n| rows | 2 |")
})
