/** The event of a bracket that was triggered at an exchange. */
export const exchangeExitEventSchema: ReadonlyArray<string> = [
  `create function exchange_exits_tell() returns trigger language plpgsql as $$
    declare account exchange_accounts;
    begin
      select * into account from exchange_accounts where id = new.account_id;
      perform webhook_tell('exchange.triggered', account.wallet, jsonb_build_object('exchange', account.exchange,
        'subaccount', account.name, 'pair', new.pair, 'condition', new.exit ->> 'condition',
        'entry', new.exit ->> 'entry', 'price', new.exit ->> 'price', 'amount', new.exit ->> 'amount',
        'gasWallet', account.wallet,
        'message', case new.exit ->> 'condition' when 'stop_loss' then 'The stop-loss' else 'The take-profit' end ||
          ' was triggered at ' || (new.exit ->> 'price') || '; ' || (new.exit ->> 'amount') || ' is sold.'));
      return null;
    end $$`,
  `create trigger exchange_exits_tell after update of exit on exchange_bots for each row
    when (old.exit is null and new.exit is not null) execute function exchange_exits_tell()`
]
