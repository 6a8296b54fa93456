/** Tables for operators' checks: do the configured secrets match this database, and does the database accept writes? */
export const operationsSchema: ReadonlyArray<string> = [
  // A digest made with a secret that is not in the database; it detects a changed secret.
  `create table secret_checks (
    name text primary key,
    value text not null
  )`,
  // Written by health checks. Each of a few slots has a row, so that checks do not wait for each other.
  `create table write_probes (
    slot integer primary key,
    at timestamptz not null
  )`
]
