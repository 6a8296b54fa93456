/** Sign-in messages that wait for a signature, and the sessions of managers who signed in to the console. */
export const sessionSchema: ReadonlyArray<string> = [
  // The whole message is stored, so that exactly the bytes that were issued are verified.
  `create table sign_ins (
    nonce text primary key check (length(nonce) <= 64),
    manager evm_address not null,
    message text not null,
    expires_at timestamptz not null
  )`,
  `create index sign_ins_expired on sign_ins (expires_at)`,

  // Only a digest is stored, so that a reader of the table cannot take over a session.
  `create table sessions (
    digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
    manager evm_address not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  `create index sessions_expired on sessions (expires_at)`
]
