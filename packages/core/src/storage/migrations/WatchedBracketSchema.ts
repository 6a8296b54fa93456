/** Whether the bracket of a bot at an exchange that paused itself is watched. */
export const watchedBracketSchema: ReadonlyArray<string> = [
  `alter table exchange_bots add column watching boolean not null default false`
]
