/** Groups of vaults, and the calls that trade them. */
export const vaultGroupSchema: ReadonlyArray<string> = [
  `create table vault_groups (
    id uuid primary key,
    wallet evm_address not null references gas_wallets (address),
    name text not null,
    members jsonb not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create unique index vault_groups_name on vault_groups (wallet, lower(name))`,

  // A call is committed before its first trade. Its key names it as an intent's key names the intent.
  `create table vault_group_calls (
    id uuid primary key,
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    sub_key_id uuid,
    idempotency_key text,
    request jsonb not null,
    members jsonb not null,
    created_at timestamptz not null default now()
  )`,
  `create index vault_group_calls_of_wallet on vault_group_calls (wallet, id)`,
  `create trigger take_idempotency_key before insert on vault_group_calls for each row
    when (new.idempotency_key is not null) execute function take_idempotency_key()`,
  `create trigger release_idempotency_key after update of idempotency_key on vault_group_calls for each row
    when (old.idempotency_key is not null and new.idempotency_key is null) execute function release_idempotency_key()`,
  // For retention.
  `create index vault_group_calls_named on vault_group_calls (created_at, id) where idempotency_key is not null`
]
