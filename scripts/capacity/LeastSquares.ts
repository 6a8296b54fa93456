/** Finds the unit costs that explain what several fleets used. */

/** A fleet's use, and how often each thing that costs happened. */
export interface Equation {
  readonly counts: ReadonlyArray<number>
  readonly used: number
}

const rounds = 20_000

/**
 * Returns costs of at least 0 for which the relative differences between what was used and what the costs explain have
 * the least sum of squares: one cost after the other is set to its best value until none changes.
 */
export const solve = (equations: ReadonlyArray<Equation>): ReadonlyArray<number> => {
  const rows = equations.map(({ counts, used }) => counts.map((count) => count / used))
  const width = rows[0]?.length ?? 0
  const costs = Array.from({ length: width }, () => 0)
  const left = rows.map(() => 1)
  for (let turn = 0; turn < rounds; turn++) {
    for (let place = 0; place < width; place++) {
      let [slope, square] = [0, 0]
      for (const [index, row] of rows.entries()) {
        const count = row[place] ?? 0
        slope += count * (left[index] ?? 0)
        square += count * count
      }
      if (square === 0) continue
      const before = costs[place] ?? 0
      const now = Math.max(0, before + slope / square)
      costs[place] = now
      for (const [index, row] of rows.entries()) left[index] = (left[index] ?? 0) - (now - before) * (row[place] ?? 0)
    }
  }
  return costs
}
