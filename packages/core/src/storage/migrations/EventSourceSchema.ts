/** More sources of events, and channels as receivers besides webhooks. */

/** `$1` is the type: channels have a column of its name. */
const receives = (alias: string) =>
  `${alias}.events @> to_jsonb($1)
    and (${alias}.wallet = of_wallet
      or ${alias}.manager in (select m.manager from manager_wallets m where m.wallet = of_wallet))`

const receiver = `c.enabled and (c.kind <> 'telegram' or c.chat_id is not null) and ${receives("c")}`

export const eventSourceSchema: ReadonlyArray<string> = [
  `create or replace function webhook_tell(kind text, of_wallet text, said jsonb) returns void language plpgsql as $$
    declare told uuid := gen_random_uuid();
    begin
      if not exists (select 1 from webhooks) and not exists (select 1 from notification_channels) then return; end if;
      -- The clock's time, not the transaction's: events of one transaction keep their order.
      insert into webhook_events (id, type, wallet, data, created_at)
        select told, $1, of_wallet, said, clock_timestamp() where exists (select 1 from webhooks w where ${
    receives("w")
  })
          or exists (select 1 from notification_channels c where ${receiver});
      if not found then return; end if;
      insert into webhook_deliveries (id, webhook, event)
        select gen_random_uuid(), w.id, told from webhooks w where ${receives("w")};
      insert into channel_deliveries (channel, event)
        select c.id, told from notification_channels c where ${receiver};
    end $$`,

  `create function exchange_bots_tell() returns trigger language plpgsql as $$
    declare account exchange_accounts;
    begin
      select * into account from exchange_accounts where id = new.account_id;
      perform webhook_tell('bot.paused', account.wallet, jsonb_build_object('kind', 'exchange', 'network', null,
        'pool', null, 'gasWallet', account.wallet, 'pair', new.pair, 'reason', new.paused_reason));
      return null;
    end $$`,
  `create trigger exchange_bots_tell after update of paused_reason on exchange_bots for each row
    when (old.paused_reason is null and new.paused_reason is not null) execute function exchange_bots_tell()`,

  `create function exchange_orders_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell(case when new.status = 'closed' then 'exchange.filled' else 'exchange.failed' end, new.wallet,
        jsonb_build_object('intent_id', new.id, 'exchange', new.exchange, 'subaccount', new.subaccount,
          'pair', new.pair, 'side', new.side, 'amount', new.amount::text, 'filled', new.filled::text,
          'usd', new.usd::float8, 'gasWallet', new.wallet,
          'message', coalesce(new.message, new.failure ->> 'message')));
      return null;
    end $$`,
  `create trigger exchange_orders_tell after update of status on exchange_orders for each row
    when (old.status <> new.status and ((new.status = 'closed' and new.filled > 0)
      or new.status in ('refused', 'lost'))) execute function exchange_orders_tell()`,

  `create function vault_order_slices_tell() returns trigger language plpgsql as $$
    declare placed vault_orders;
    begin
      select * into placed from vault_orders where id = new.order_id;
      perform webhook_tell('order.filled', placed.wallet, jsonb_build_object('order_id', new.order_id,
        'slice', new.slice, 'network', placed.network, 'pool', placed.pool, 'gasWallet', placed.wallet,
        'sold', new.sold::text, 'bought', new.bought::text, 'tx_hash', new.tx_hash, 'message', new.message));
      return null;
    end $$`,
  `create trigger vault_order_slices_tell after update of state on vault_order_slices for each row
    when (old.state <> new.state and new.state = 'succeeded') execute function vault_order_slices_tell()`,

  // A scheduled run that has legs: assets are out of their bands.
  `create function index_runs_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell('index.drifted', new.wallet, jsonb_build_object('run', new.id, 'network', new.network,
        'pool', new.pool, 'gasWallet', new.wallet, 'legs', jsonb_array_length(new.planned)));
      return null;
    end $$`,
  `create trigger index_runs_tell after update of planned on index_runs for each row
    when (old.planned is null and new.reason = 'scheduled' and jsonb_array_length(new.planned) > 0)
    execute function index_runs_tell()`,

  `create function charges_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell('charge.booked', new.wallet, jsonb_build_object('network', new.network,
        'gasWallet', new.wallet, 'action', new.action, 'usd', new.usd::float8, 'intent_id', new.intent_id));
      return null;
    end $$`,
  `create trigger charges_tell after insert on charges for each row when (new.usd > 0) execute function charges_tell()`,

  `create function settlements_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell('charge.paid', new.wallet, jsonb_build_object('network', new.network,
        'gasWallet', new.wallet, 'usd', new.usd::float8, 'charges', new.charges, 'tx_hash', new.tx_hash));
      return null;
    end $$`,
  `create trigger settlements_tell after update of status on settlements for each row
    when (old.status <> new.status and new.status = 'paid') execute function settlements_tell()`,

  // The last entry of the audit log whose event was written. Entries before this migration cause none.
  `create table audit_feed (
    singleton boolean primary key default true check (singleton),
    seq bigint not null check (seq >= 0)
  )`,
  `insert into audit_feed (seq) select greatest(coalesce((select max(seq) from audit_entries), 0),
    coalesce((select max(last_seq) from audit_seals), 0))`,

  // What watches last reported: the nodes of a network, and the health factor of a vault at a lender.
  `create table watch_reports (
    watch text not null check (watch in ('network', 'health')),
    subject text not null,
    troubled boolean not null,
    failures integer not null default 0,
    updated_at timestamptz not null default now(),
    primary key (watch, subject)
  )`
]
