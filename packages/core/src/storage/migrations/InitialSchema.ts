/** The first schema: wallets and keys, the intent ledger, submissions and their signed attempts, charges. */
export const initialSchema: ReadonlyArray<string> = [
  `create domain evm_address as text check (value ~ '^0x[0-9a-f]{40}$')`,
  `create domain evm_hash as text check (value ~ '^0x[0-9a-f]{64}$')`,
  `create domain evm_hex as text check (value ~ '^0x([0-9a-fA-F]{2})*$')`,

  // The private key is encrypted under a data key, which is wrapped by a key that is not in the database.
  `create table gas_wallets (
    address evm_address primary key,
    ciphertext text not null,
    created_at timestamptz not null default now()
  )`,

  `create table api_keys (
    id uuid primary key,
    wallet evm_address not null references gas_wallets (address),
    digest text not null unique check (digest ~ '^[0-9a-f]{64}$'),
    last_four text not null check (length(last_four) = 4),
    created_at timestamptz not null default now(),
    revoked_at timestamptz
  )`,
  `create unique index api_keys_one_active on api_keys (wallet) where revoked_at is null`,

  `create table intents (
    id uuid primary key,
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    endpoint text not null,
    network text not null,
    pool evm_address not null,
    request jsonb not null,
    idempotency_key text,
    status text not null default 'accepted' check (status in ('accepted', 'submitted', 'succeeded', 'failed')),
    step integer not null default 0,
    plan jsonb,
    tx_hash evm_hash,
    outcome jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    check ((status in ('succeeded', 'failed')) = (outcome is not null))
  )`,
  `create unique index intents_idempotency on intents (wallet, idempotency_key) where idempotency_key is not null`,
  `create index intents_of_wallet on intents (wallet, id desc)`,
  `create index intents_unfinished on intents (network, pool, id) where status in ('accepted', 'submitted')`,

  `create table submissions (
    key text primary key,
    -- Null for a filler: an empty transaction that closes a gap somebody else's lost transaction left in the lane.
    intent_id uuid references intents (id),
    network text not null,
    wallet evm_address not null references gas_wallets (address),
    to_address evm_address not null,
    data evm_hex not null,
    value numeric(78, 0) not null check (value >= 0),
    reserve numeric(78, 0) not null check (reserve >= 0),
    status text not null default 'queued' check (status in ('queued', 'signed', 'mined', 'final', 'refused', 'superseded')),
    waiting_for_gas boolean not null default false,
    nonce bigint,
    receipt jsonb,
    failure jsonb,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (network, wallet, nonce),
    check ((nonce is null) = (status in ('queued', 'refused'))),
    check ((receipt is not null) = (status in ('mined', 'final'))),
    check ((failure is not null) = (status = 'refused'))
  )`,
  `create index submissions_unsettled on submissions (network, wallet) where status in ('queued', 'signed', 'mined')`,
  `create index submissions_of_intent on submissions (intent_id)`,

  // The primary key prevents a second owner of a lane from committing bytes for a nonce that already has some.
  `create table attempts (
    network text not null,
    wallet evm_address not null,
    nonce bigint not null,
    attempt integer not null,
    submission_key text not null references submissions (key),
    hash evm_hash not null unique,
    raw evm_hex not null,
    gas_limit numeric(78, 0) not null,
    max_fee_per_gas numeric(78, 0) not null,
    max_priority_fee_per_gas numeric(78, 0) not null,
    created_at timestamptz not null default now(),
    primary key (network, wallet, nonce, attempt)
  )`,
  `create index attempts_of_submission on attempts (submission_key)`,

  `create table charges (
    intent_id uuid primary key references intents (id),
    wallet evm_address not null,
    network text not null,
    action text not null,
    usd numeric(20, 6) not null check (usd >= 0),
    native_wei numeric(78, 0),
    native_price_usd numeric(40, 18),
    price_source text,
    price_at timestamptz,
    created_at timestamptz not null default now()
  )`,
  // A row pauses the whole service, one wallet or, since a later version, one vault's bots. Read in the transaction of
  // every signature.
  `create table kill_switches (
    scope text primary key check (scope = 'service' or scope ~ '^wallet/0x[0-9a-f]{40}$'),
    reason text not null,
    created_at timestamptz not null default now()
  )`,
  `create index charges_of_wallet on charges (wallet, created_at)`
]
