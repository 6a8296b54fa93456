/** Rows of the lanes that were set aside: they could not be read, or were not signed by their wallet. */
export const setAsideSchema: ReadonlyArray<string> = [
  // The rows as they were found, for the operator to investigate. Nothing reads them again.
  `create table set_aside_rows (
    id bigint generated always as identity primary key,
    source text not null check (source in ('submissions', 'attempts')),
    reason text not null,
    contents jsonb not null,
    created_at timestamptz not null default now()
  )`
]
