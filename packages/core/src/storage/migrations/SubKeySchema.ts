/** Sub-keys: API keys with bounds of their own, which end with the key that made them. */
export const subKeySchema: ReadonlyArray<string> = [
  `create table sub_keys (
    id uuid primary key,
    wallet evm_address not null references gas_wallets (address),
    -- The API key that made it. A sub-key is valid only while this one is.
    parent_id uuid not null references api_keys (id),
    digest text not null unique check (digest ~ '^[0-9a-f]{64}$'),
    last_four text not null check (length(last_four) = 4),
    label text,
    -- Scopes of changes; an empty list only reads.
    scopes jsonb not null check (jsonb_typeof(scopes) = 'array'),
    -- Names of the only endpoints; null allows every read and every change of the scopes.
    endpoints jsonb check (jsonb_typeof(endpoints) = 'array'),
    -- A list of "network/address"; null allows every vault of the wallet.
    vaults jsonb check (jsonb_typeof(vaults) = 'array'),
    -- USD with 18 decimals; null only where nothing can be sold.
    max_usd18_per_trade numeric(78, 0) check (max_usd18_per_trade >= 0),
    max_usd18_per_day numeric(78, 0) check (max_usd18_per_day >= 0),
    -- The only client addresses, as addresses and blocks; null allows all.
    sources jsonb check (jsonb_typeof(sources) = 'array'),
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    used_at timestamptz,
    revoked_at timestamptz
  )`,
  `create index sub_keys_of_wallet on sub_keys (wallet)`,

  // The sub-key of the request; null for requests of the wallet's own key.
  `alter table intents add column sub_key_id uuid references sub_keys (id)`
]
