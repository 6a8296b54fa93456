/** Sign-in messages that wait for their signature, and the sessions of managers who signed in to the console. */
export const sessionSchema: ReadonlyArray<string> = [
  // The message is kept whole: what is verified is what was handed out, to the byte.
  `create table sign_ins (
    nonce text primary key check (length(nonce) <= 64),
    manager evm_address not null,
    message text not null,
    expires_at timestamptz not null
  )`,
  `create index sign_ins_expired on sign_ins (expires_at)`,

  // Only a digest is kept: who reads the table cannot take a session over.
  `create table sessions (
    digest text primary key check (digest ~ '^[0-9a-f]{64}$'),
    manager evm_address not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null
  )`,
  `create index sessions_expired on sessions (expires_at)`
]
