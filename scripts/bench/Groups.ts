/** All benches: `npm run bench -- GROUP`. */
import type { Bench } from "./Bench.ts"
import { brakesRow } from "./bots/Brakes.ts"
import { priceMoves } from "./bots/PriceMoves.ts"
import { resume } from "./bots/Resume.ts"
import { botsWatch } from "./bots/SchedulerHarness.ts"
import { burstRefused } from "./engine/BurstRefused.ts"
import { durableTx } from "./engine/DurableTx.ts"
import { manyWallets } from "./engine/ManyWallets.ts"
import { oldRows } from "./engine/OldRows.ts"
import { recovery } from "./engine/Recovery.ts"
import { warmTrades } from "./engine/WarmTrades.ts"

export const groups: Readonly<Record<string, ReadonlyArray<Bench>>> = {
  engine: [durableTx, manyWallets, oldRows, warmTrades, recovery, burstRefused],
  bots: [botsWatch, priceMoves, resume, brakesRow]
}

const names = Object.values(groups).flat().flatMap(({ rows }) => rows)

/** Position of a row in the table; a row without a bench comes last. */
export const order = (name: string): number => {
  const place = names.indexOf(name)
  return place === -1 ? names.length : place
}
