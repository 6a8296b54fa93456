/** The gas estimate of the planner's simulation, so that the lane need not query the node again a moment later. */
export const estimateSchema: ReadonlyArray<string> = [
  `alter table submissions add column estimate jsonb`
]
