/** Rules of webhook tokens on when their alerts count, and the bots that a token drives besides its own. */
export const signalRuleSchema: ReadonlyArray<string> = [
  `alter table webhook_tokens add column rules jsonb not null default '{}' check (jsonb_typeof(rules) = 'object')`,
  // An empty list: the bot of the token's vault and pair.
  `alter table webhook_tokens add column targets jsonb not null default '[]' check (jsonb_typeof(targets) = 'array')`
]
