/** Notifies every server when an API key ends, so that none of them keeps it in memory. */
export const keyNotificationSchema: ReadonlyArray<string> = [
  `create function notify_ended_key() returns trigger language plpgsql as $$
  begin
    perform pg_notify('vault_trader_keys', 'ended/' || old.wallet);
    return null;
  end $$`,
  `create trigger api_keys_ended after update of revoked_at on api_keys
    for each row when (new.revoked_at is distinct from old.revoked_at) execute function notify_ended_key()`,
  `create trigger api_keys_deleted after delete on api_keys for each row execute function notify_ended_key()`
]
