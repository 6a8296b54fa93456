/** Venues that a wallet does not call on a network for a while, because one of its requests was one too many. */
export const venuePauseSchema: ReadonlyArray<string> = [
  `create table venue_pauses (
    network text not null,
    venue text not null,
    wallet text not null,
    reason text not null,
    until timestamptz not null,
    primary key (network, venue, wallet)
  )`
]
