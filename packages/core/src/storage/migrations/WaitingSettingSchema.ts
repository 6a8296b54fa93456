/** Settings of bots that wait for a node, and when each bot was set. */
export const waitingSettingSchema: ReadonlyArray<string> = [
  `create table waiting_settings (
    id uuid primary key,
    network text not null,
    pool evm_address not null,
    wallet evm_address not null references gas_wallets (address) on delete cascade,
    key_id uuid not null references api_keys (id) on delete cascade,
    -- The legs as they were named: symbols upper-cased, addresses lower-cased.
    base text not null,
    quote text not null,
    terms jsonb not null,
    idempotency_key text,
    -- The alert's token; revoking it ends the setting.
    token uuid references webhook_tokens (id) on delete cascade,
    valid_until timestamptz,
    -- Why the vault's bots could not be set to it, once a node has answered.
    refused text,
    created_at timestamptz not null default now(),
    -- A newer setting of the same bot takes the place of one that waits.
    unique (network, pool, wallet, base, quote)
  )`,
  `create index waiting_settings_of_wallet on waiting_settings (wallet)`,
  `create index waiting_settings_open on waiting_settings (network, pool) where refused is null`,
  `alter table threshold_bots add column set_at timestamptz not null default now()`
]
