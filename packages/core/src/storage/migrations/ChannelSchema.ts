/** Notification channels, their messages, and what chats may command. */
export const channelSchema: ReadonlyArray<string> = [
  `create table notification_channels (
    id uuid primary key,
    -- Whose it is: a wallet's, or a manager's, for every wallet in the manager's list.
    wallet evm_address references gas_wallets (address),
    manager evm_address references managers (address),
    kind text not null check (kind in ('telegram', 'discord', 'slack', 'email', 'ntfy', 'http')),
    name text not null check (length(name) between 1 and 64),
    -- Where messages go, without anything secret.
    settings jsonb not null,
    events jsonb not null check (jsonb_typeof(events) = 'array'),
    rules jsonb not null,
    templates jsonb not null default '{}',
    enabled boolean not null default true,
    -- The URL, token or password, under the key-encryption key.
    ciphertext text not null,
    -- Of Telegram: the digest of the bot's token, and the chat and the user that sent the code.
    bot text,
    chat_id text,
    user_id text,
    bound_at timestamptz,
    bind_digest text unique,
    bind_expires_at timestamptz,
    -- The runner that sends for the channel, for as long as an attempt may take.
    claim uuid,
    claimed_until timestamptz,
    attempted_at timestamptz not null default now(),
    tested_at timestamptz,
    created_at timestamptz not null default now(),
    check ((wallet is null) <> (manager is null)),
    check ((kind = 'telegram') = (bot is not null)),
    check ((chat_id is null) = (user_id is null))
  )`,
  `create unique index notification_channels_of_wallet on notification_channels (wallet, name) where wallet is not null`,
  `create unique index notification_channels_of_manager on notification_channels (manager, name)
    where manager is not null`,
  `create index notification_channels_of_bot on notification_channels (bot) where bot is not null`,

  // A message is composed once, and repeated as it is. It is committed as 'sending' before each attempt.
  `create table channel_messages (
    id uuid primary key,
    channel uuid not null references notification_channels (id) on delete cascade,
    kind text not null check (kind in ('events', 'answer')),
    title text not null,
    body text not null,
    link text,
    urgent boolean not null,
    state text not null default 'pending' check (state in ('pending', 'sending', 'sent', 'dropped')),
    attempts integer not null default 0,
    -- True once an attempt may have arrived although its outcome is unknown.
    uncertain boolean not null default false,
    next_attempt_at timestamptz not null default now(),
    last_error text,
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    check ((state in ('sent', 'dropped')) = (ended_at is not null))
  )`,
  `create index channel_messages_of_channel on channel_messages (channel, created_at desc)`,
  `create index channel_messages_open on channel_messages (channel, next_attempt_at)
    where state in ('pending', 'sending')`,
  `create index channel_messages_old on channel_messages (created_at)`,

  // The events that a channel receives; null: not in a message yet.
  `create table channel_deliveries (
    channel uuid not null references notification_channels (id) on delete cascade,
    event uuid not null references webhook_events (id) on delete cascade,
    message uuid references channel_messages (id) on delete cascade,
    not_before timestamptz not null default now(),
    created_at timestamptz not null default now(),
    primary key (channel, event)
  )`,
  `create index channel_deliveries_waiting on channel_deliveries (channel, not_before) where message is null`,
  `create index channel_deliveries_of_message on channel_deliveries (message) where message is not null`,
  `create index channel_deliveries_of_event on channel_deliveries (event)`,

  // Reading of one bot's updates: by one runner at a time, each update once.
  `create table telegram_bots (
    digest text primary key,
    next_update bigint not null default 0,
    holder uuid,
    held_until timestamptz,
    last_error text,
    created_at timestamptz not null default now()
  )`,

  `create table chat_confirmations (
    id uuid primary key,
    channel uuid not null references notification_channels (id) on delete cascade,
    chat_id text not null,
    user_id text not null,
    code_digest text not null,
    command text not null check (command in ('pause', 'resume')),
    wallets jsonb not null,
    wrong integer not null default 0,
    expires_at timestamptz not null,
    used_at timestamptz
  )`,
  `create index chat_confirmations_of_channel on chat_confirmations (channel, expires_at)`
]
