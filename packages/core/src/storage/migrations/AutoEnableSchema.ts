/** Bots that may enable the asset that they are to hold. */
export const autoEnableSchema: ReadonlyArray<string> = [
  `alter table threshold_bots add column auto_enable boolean not null default false`
]
