/** Venues that are banned on a network, and until when. */
export const venueBanSchema: ReadonlyArray<string> = [
  // At most one row per network and venue: a new ban replaces the old one, so nothing needs to be removed.
  `create table venue_bans (
    network text not null,
    venue text not null,
    reason text not null,
    until timestamptz not null,
    primary key (network, venue)
  )`
]
