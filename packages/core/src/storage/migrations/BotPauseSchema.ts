/** Switches of one threshold bot, by its legs. */
export const botPauseSchema: ReadonlyArray<string> = [
  `alter table kill_switches drop constraint kill_switches_scope_check`,
  `alter table kill_switches add constraint kill_switches_scope_check
    check (scope = 'service' or scope ~ '^wallet/0x[0-9a-f]{40}$'
      or scope ~ '^bot/[a-z]+/0x[0-9a-f]{40}(/0x[0-9a-f]{40}/0x[0-9a-f]{40})?$')`
]
