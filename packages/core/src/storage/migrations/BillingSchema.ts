/** Charges without an intent, and the settlements that pay charges. */
export const billingSchema: ReadonlyArray<string> = [
  // A trade at an exchange has no intent here: its charge is identified by the caller's name for the order.
  `alter table charges drop constraint charges_pkey`,
  `alter table charges add column id uuid not null default gen_random_uuid()`,
  `update charges set id = intent_id`,
  `alter table charges add primary key (id)`,
  `alter table charges alter column intent_id drop not null`,
  `alter table charges add constraint charges_one_an_intent unique (intent_id)`,
  `alter table charges add column reference text`,
  `alter table charges add constraint charges_one_a_reference unique (wallet, reference)`,
  `alter table charges add constraint charges_of_something check ((intent_id is null) <> (reference is null))`,

  // One payment for many charges of a wallet on a network. Its submission's key is settlement/<id>.
  `create table settlements (
    id uuid primary key,
    network text not null,
    wallet evm_address not null references gas_wallets (address),
    treasury evm_address not null,
    native_wei numeric(78, 0) not null check (native_wei > 0),
    usd numeric(20, 6) not null check (usd >= 0),
    charges integer not null check (charges > 0),
    -- open: on its way. paid: in a block that is final. released: it will never be mined, or reverted; its charges are outstanding again.
    status text not null default 'open' check (status in ('open', 'paid', 'released')),
    tx_hash evm_hash,
    -- What its own gas cost the wallet; null while it is open, and where nothing was mined.
    gas_wei numeric(78, 0),
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    check ((status = 'open') = (ended_at is null))
  )`,
  // Prevents double payment: a lane has one open settlement at a time, and a charge belongs to one settlement.
  `create unique index settlements_one_open on settlements (network, wallet) where status = 'open'`,
  `create index settlements_of_wallet on settlements (wallet, network, id desc)`,

  `alter table charges add column settlement_id uuid references settlements (id)`,
  `create index charges_unsettled on charges (network, wallet, created_at) where settlement_id is null`,
  `create index charges_unconverted on charges (network) where native_wei is null`,
  `create index charges_of_settlement on charges (settlement_id) where settlement_id is not null`,
  `create index charges_of_wallet_newest on charges (wallet, id desc)`
]
