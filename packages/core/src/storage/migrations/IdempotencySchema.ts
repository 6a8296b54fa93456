/**
 * The request that a caller's idempotency key names, of any kind. The primary key decides between concurrent requests
 * on any server. A row with a key that another request has is not inserted, as with a unique index of its table.
 */
export const idempotencySchema: ReadonlyArray<string> = [
  `create table idempotency_keys (
    wallet evm_address not null,
    key text not null,
    -- An intent, an exchange order or a rebalance run.
    id uuid not null,
    primary key (wallet, key)
  )`,
  `insert into idempotency_keys (wallet, key, id)
    select wallet, idempotency_key, id from intents where idempotency_key is not null
    union all select wallet, idempotency_key, id from exchange_orders where idempotency_key is not null
    union all select wallet, idempotency_key, run_id from index_run_keys
    on conflict do nothing`,

  `create function take_idempotency_key() returns trigger language plpgsql as $$
    declare
      taker uuid;
    begin
      if tg_table_name = 'index_run_keys' then taker := new.run_id; else taker := new.id; end if;
      insert into idempotency_keys (wallet, key, id) values (new.wallet, new.idempotency_key, taker) on conflict do nothing;
      if found then return new; end if;
      return null;
    end $$`,
  `create function release_idempotency_key() returns trigger language plpgsql as $$
    begin
      delete from idempotency_keys where wallet = old.wallet and key = old.idempotency_key;
      return null;
    end $$`,

  ...["intents", "exchange_orders"].flatMap((table) => [
    `create trigger take_idempotency_key before insert on ${table} for each row when (new.idempotency_key is not ` +
    "null) execute function take_idempotency_key()",
    `create trigger release_idempotency_key after update of idempotency_key on ${table} for each row
      when (old.idempotency_key is not null and new.idempotency_key is null) execute function release_idempotency_key()`
  ]),
  `create trigger take_idempotency_key before insert on index_run_keys for each row execute function take_idempotency_key()`,
  `create trigger release_idempotency_key after delete on index_run_keys for each row execute function release_idempotency_key()`,

  // For retention.
  `create index exchange_orders_named on exchange_orders (created_at, id) where idempotency_key is not null`
]
