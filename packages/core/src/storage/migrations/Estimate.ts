/** What the planner's simulation said of a call, so that the lane need not ask the node again a moment later. */
export const estimateSchema: ReadonlyArray<string> = [
  `alter table submissions add column estimate jsonb`
]
