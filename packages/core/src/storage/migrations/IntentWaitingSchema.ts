/** Why an open intent is not signed now. */
export const intentWaitingSchema: ReadonlyArray<string> = [
  // Null for an intent that is not waiting, and for every intent of an earlier release.
  `alter table intents add column waiting text`
]
