/** Strategy bots, their candles, decisions and history. */
export const strategySchema: ReadonlyArray<string> = [
  `create table strategy_bots (
    id uuid primary key,
    network text not null,
    pool evm_address not null,
    strategy text not null,
    digest text not null,
    wallet evm_address not null references gas_wallets (address),
    key_id uuid not null references api_keys (id),
    terms jsonb not null,
    mode text not null check (mode in ('paper', 'live')),
    memory jsonb not null default 'null'::jsonb,
    -- The open candle.
    candle jsonb,
    -- What a bot on paper would hold; null before its first reading.
    balances jsonb,
    -- The number of its next decision.
    decision integer not null default 0,
    open_intent uuid,
    failures integer not null default 0,
    paused_code text,
    reason text not null,
    checked_at timestamptz,
    next_check timestamptz not null default now(),
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    ended_at timestamptz,
    check ((ended_at is not null) <= (open_intent is null))
  )`,
  `create unique index strategy_bots_one on strategy_bots (network, pool, strategy) where ended_at is null`,
  `create index strategy_bots_due on strategy_bots (network, next_check) where ended_at is null`,
  `create index strategy_bots_of_wallet on strategy_bots (wallet)`,

  `create table strategy_candles (
    bot_id uuid not null references strategy_bots (id),
    bucket bigint not null,
    candle jsonb not null,
    primary key (bot_id, bucket)
  )`,

  `create table strategy_decisions (
    bot_id uuid not null references strategy_bots (id),
    number integer not null,
    -- The candle that it was made at; a candle has one decision.
    bucket bigint not null,
    decision jsonb not null,
    reason text not null,
    trades jsonb not null,
    state text not null check (state in ('trading', 'done', 'failed')),
    decided_at timestamptz not null default now(),
    primary key (bot_id, number),
    unique (bot_id, bucket)
  )`,

  `create table strategy_events (
    id bigint generated always as identity primary key,
    bot_id uuid not null references strategy_bots (id),
    kind text not null check (kind in ('set', 'paused', 'deleted')),
    reason text not null,
    at timestamptz not null default now()
  )`,
  `create index strategy_events_of_bot on strategy_events (bot_id, id)`,

  `create function strategy_bots_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell('strategy.paused', b.wallet, jsonb_build_object('bot_id', b.id, 'strategy', b.strategy,
        'network', b.network, 'pool', b.pool, 'gasWallet', b.wallet, 'paper', b.mode = 'paper', 'code', b.paused_code,
        'message', new.reason))
        from strategy_bots b where b.id = new.bot_id;
      return null;
    end $$`,
  `create trigger strategy_bots_tell after insert on strategy_events for each row
    when (new.kind = 'paused') execute function strategy_bots_tell()`
]
