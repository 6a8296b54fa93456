/** Tokens in the URLs of chart alerts: each sets the side of one bot and can do nothing else. */
export const webhookTokenSchema: ReadonlyArray<string> = [
  // Only a digest is stored. Tokens belong to the wallet, so alerts continue to work when its key is rotated.
  `create table webhook_tokens (
    id uuid primary key,
    digest text not null unique check (digest ~ '^[0-9a-f]{64}$'),
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    network text not null,
    pool evm_address not null,
    base text not null,
    quote text not null,
    label text check (length(label) between 1 and 64),
    created_at timestamptz not null default now(),
    used_at timestamptz,
    revoked_at timestamptz
  )`,
  `create index webhook_tokens_of_wallet on webhook_tokens (wallet, id)`
]
