/** Creation budgets of the whole service, and the servers that share the clients' request rates. */
export const rateLimitSchema: ReadonlyArray<string> = [
  // A token bucket: a kind of creation, or a client's part of it, named by the client's digest.
  `create table rate_limits (
    name text primary key,
    tokens double precision not null check (tokens >= 0),
    at timestamptz not null
  )`,
  `create table servers (
    id uuid primary key,
    seen_at timestamptz not null
  )`
]
