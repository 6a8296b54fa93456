/**
 * Webhook events of orders of vaults, written in the transaction of the trigger or the end that they report; and the
 * index of results of signals that wait for an exchange account.
 */
export const orderNotificationSchema: ReadonlyArray<string> = [
  `create function vault_orders_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell(case when new.kind = 'triggered' then 'order.triggered' else 'order.ended' end, o.wallet,
        jsonb_build_object('order_id', o.id, 'network', o.network, 'pool', o.pool, 'gasWallet', o.wallet,
          'type', o.terms ->> 'type', 'side', o.terms ->> 'side', 'pair', o.terms ->> 'pair', 'paper', o.paper,
          'state', new.kind, 'message', new.reason))
        from vault_orders o where o.id = new.order_id;
      return null;
    end $$`,
  `create trigger vault_orders_tell after insert on vault_order_events for each row
    when (new.kind in ('triggered', 'done', 'cancelled', 'expired')) execute function vault_orders_tell()`,
  `create index signal_results_unanswered on signal_results (signal) where kind = 'exchange' and state = 'waiting'`
]
