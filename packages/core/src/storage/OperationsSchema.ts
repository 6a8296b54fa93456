/** What operators rely on: whether the secrets beside the database are its own, and whether the database takes writes. */
export const operationsSchema: ReadonlyArray<string> = [
  // A digest made with a secret that is not in the database, by which another secret in its place is noticed.
  `create table secret_checks (
    name text primary key,
    value text not null
  )`,
  // Written by health checks; a row for each of a few slots, so that they do not wait for each other.
  `create table write_probes (
    slot integer primary key,
    at timestamptz not null
  )`
]
