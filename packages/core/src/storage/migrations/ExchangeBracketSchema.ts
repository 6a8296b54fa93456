/** Take-profit and stop-loss of bots at exchanges, and the exit of one that was triggered. */
export const exchangeBracketSchema: ReadonlyArray<string> = [
  `alter table exchange_bots
    add column take_profit double precision check (take_profit > 0),
    add column stop_loss double precision check (stop_loss > 0 and stop_loss < 100),
    add column exit jsonb`
]
