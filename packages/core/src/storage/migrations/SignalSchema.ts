/** The inbox of signals: each call that asked bots for a side, and its result at each bot. */
export const signalSchema: ReadonlyArray<string> = [
  `create table signals (
    id uuid primary key,
    -- The order of acceptance: drawn while the bots that a signal sets are locked.
    seq bigint generated always as identity,
    source text not null check (source in ('alert', 'setBot', 'replay')),
    wallet evm_address not null references gas_wallets (address),
    token uuid references webhook_tokens (id) on delete set null,
    -- The client's network; null where a signal did not come over HTTP.
    origin text,
    media_type text,
    -- Without credentials; the first 8192 characters.
    body text not null check (length(body) <= 8192),
    body_length integer not null,
    understood jsonb not null,
    state text not null check (state in ('accepted', 'waiting', 'ignored', 'refused')),
    reason text,
    replay_of uuid references signals (id) on delete set null,
    received_at timestamptz not null default now()
  )`,
  `create index signals_of_wallet on signals (wallet, id desc)`,
  `create index signals_of_token on signals (token, id desc) where token is not null`,
  // A signal is replayed at most once: a repeated replay finds the first one.
  `create unique index signals_replays on signals (replay_of) where replay_of is not null`,
  `create table signal_results (
    signal uuid not null references signals (id) on delete cascade,
    position smallint not null,
    kind text not null check (kind in ('threshold', 'index', 'exchange')),
    -- The vault; null for a bot of an exchange account, which has a subaccount.
    network text,
    pool evm_address,
    subaccount text,
    pair text,
    side text,
    state text not null check (state in ('accepted', 'waiting', 'ignored', 'refused')),
    reason text,
    -- The intent of the bot's turn, or the exchange order.
    intent_id uuid,
    primary key (signal, position)
  )`,
  `create index signal_results_of_vault on signal_results (network, pool, signal desc) where pool is not null`,
  // The signal that a waiting setting came from: the outcome of the setting is that of the signal.
  `alter table waiting_settings add column signal uuid`,
  `create function settle_waiting_signal() returns trigger language plpgsql as $$
    begin
      if tg_op = 'UPDATE' and new.id = old.id and new.refused is null then return null; end if;
      update signal_results r set state = 'refused', reason = case when tg_op = 'UPDATE' and new.id = old.id
          then new.refused
          else 'Another setting took its place, or it was removed or too old, before a node answered.' end
        where r.signal = old.signal and r.kind = 'threshold' and r.network = old.network and r.pool = old.pool
          and r.pair = (old.terms ->> 'base') || '-' || (old.terms ->> 'quote') and r.state = 'waiting';
      update signals s set state = (select r.state from signal_results r where r.signal = s.id
          order by array_position(array['accepted', 'waiting', 'ignored', 'refused'], r.state) limit 1)
        where s.id = old.signal;
      return null;
    end $$`,
  `create trigger settle_waiting_signal after update or delete on waiting_settings
    for each row when (old.signal is not null) execute function settle_waiting_signal()`
]
