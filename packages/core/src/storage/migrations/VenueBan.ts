/** Which venues are left alone on which networks, and for how long. */
export const venueBanSchema: ReadonlyArray<string> = [
  // One row a network and venue at most: a new ban takes the place of the old one, so nothing needs cleaning up.
  `create table venue_bans (
    network text not null,
    venue text not null,
    reason text not null,
    until timestamptz not null,
    primary key (network, venue)
  )`
]
