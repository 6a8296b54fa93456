/** Switches of one vault's bots, and the party that has set a switch. */
export const botSwitchSchema: ReadonlyArray<string> = [
  `alter table kill_switches drop constraint kill_switches_scope_check`,
  `alter table kill_switches add constraint kill_switches_scope_check
    check (scope = 'service' or scope ~ '^wallet/0x[0-9a-f]{40}$' or scope ~ '^bot/[a-z]+/0x[0-9a-f]{40}$')`,
  `alter table kill_switches add column set_by text not null default 'operator' check (set_by in ('operator', 'owner'))`
]
