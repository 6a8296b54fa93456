/** All benches: `npm run bench -- GROUP`. */
import * as Result from "effect/Result"
import type { Bench } from "./Bench.ts"
import { brakesRow } from "./bots/Brakes.ts"
import { priceMoves } from "./bots/PriceMoves.ts"
import { resume } from "./bots/Resume.ts"
import { botsWatch } from "./bots/SchedulerHarness.ts"
import { fleet } from "./console/Fleet.ts"
import { load } from "./console/Load.ts"
import { burstRefused } from "./engine/BurstRefused.ts"
import { durableTx } from "./engine/DurableTx.ts"
import { manyWallets } from "./engine/ManyWallets.ts"
import { oldRows } from "./engine/OldRows.ts"
import { recovery } from "./engine/Recovery.ts"
import { twoEndpoints } from "./engine/TwoEndpoints.ts"
import { warmTrades } from "./engine/WarmTrades.ts"
import { dryRuns } from "./http/DryRuns.ts"
import { garbage } from "./http/Garbage.ts"
import { lists, reads } from "./http/Reads.ts"
import { trades } from "./http/Trades.ts"
import { command } from "./start/Command.ts"
import { memory } from "./start/Memory.ts"
import { warmStart } from "./start/WarmStart.ts"
import { alerts } from "./webhooks/Alerts.ts"

export const groups: Readonly<Record<string, ReadonlyArray<Bench>>> = {
  engine: [durableTx, manyWallets, oldRows, warmTrades, twoEndpoints, recovery, burstRefused],
  bots: [botsWatch, priceMoves, resume, brakesRow],
  http: [reads, garbage, lists, trades, dryRuns],
  webhooks: [alerts],
  console: [load, fleet],
  start: [warmStart, command, memory]
}

/** Selection of benches: all, those of a group, the one with a row, and those that can do what the flags require. */
interface Selection {
  readonly group: string | undefined
  readonly only: string | undefined
  readonly grow: boolean
  readonly oldRows: number
}

/** Finds the benches of a group, or of one row; a part of a row is found by its row. Fails with the choice there is. */
export const chosen = ({ group, grow, oldRows, only }: Selection): Result.Result<ReadonlyArray<Bench>, string> => {
  const named = group === undefined ? Object.values(groups).flat() : groups[group]
  if (named === undefined) {
    return Result.fail(`There is no group ${group}; there are ${Object.keys(groups).join(", ")}.`)
  }
  const able = named.filter((bench) =>
    (!grow || bench.grow !== undefined) && (oldRows === 0 || bench.takesOldRows === true)
  )
  const found = only === undefined ? able : able.filter(({ rows }) => rows.some((row) => row === only))
  if (found.length > 0) return Result.succeed(found)
  const flags = [...(grow ? ["--grow"] : []), ...(oldRows > 0 ? ["--old-rows"] : [])]
  const rows = able.flatMap((bench) => bench.rows)
  return Result.fail(
    `There is no ${only === undefined ? "bench" : `row ${only}`}${
      flags.length > 0 ? ` for ${flags.join(" and ")}` : ""
    }; there are ${rows.length > 0 ? rows.join(", ") : "none in this group"}.`
  )
}

const names = Object.values(groups).flat().flatMap(({ rows }) => rows)

/** Position of a row in the table; a row without a bench comes last. */
export const order = (name: string): number => {
  const place = names.indexOf(name)
  return place === -1 ? names.length : place
}
