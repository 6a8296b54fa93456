/** The MAC of a submission's row, made with a key that is not in the database. */
export const submissionMacSchema: ReadonlyArray<string> = [
  // Null for a row of an earlier release, and for one that was rebuilt from the signing record: that one is signed.
  `alter table submissions add column mac text`
]
