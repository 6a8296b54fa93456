/** Bots that trade in slices of a maximum price impact. */
export const botImpactSchema: ReadonlyArray<string> = [
  `alter table threshold_bots add column max_impact double precision check (max_impact > 0)`
]
