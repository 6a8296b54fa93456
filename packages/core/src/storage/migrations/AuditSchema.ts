/** The audit log: a chain of entries that only grows, and the ranges of it that were moved to sealed files. */

const refusal = (message: string) =>
  `begin
    raise exception '${message}' using errcode = 'insufficient_privilege';
  end`

export const auditSchema: ReadonlyArray<string> = [
  `create table audit_entries (
    seq bigint primary key check (seq > 0),
    at timestamptz not null,
    actor_kind text not null,
    -- The id of a key, a manager's address, the name of an operator; null for the service itself.
    actor text,
    -- The network of a client's address, or a host's name.
    origin text,
    credential text,
    action text not null,
    subject text not null,
    wallet text,
    details jsonb not null,
    -- A chain has no fork: two entries never follow the same one.
    previous text not null unique check (previous ~ '^[0-9a-f]{64}$'),
    digest text not null unique check (digest ~ '^[0-9a-f]{64}$')
  )`,
  `create index audit_entries_of_wallet on audit_entries (wallet, seq desc) where wallet is not null`,
  // For what belongs to a manager and to no wallet, such as sign-ins.
  `create index audit_entries_of_subject on audit_entries (subject, seq desc) where wallet is null`,
  `create index audit_entries_of_action on audit_entries (action, seq desc)`,
  `create index audit_entries_at on audit_entries (at)`,

  // A range of entries that a sealed file has, and the database no longer.
  `create table audit_seals (
    first_seq bigint primary key,
    last_seq bigint not null unique,
    entries bigint not null check (entries = last_seq - first_seq + 1),
    -- The digest before the first entry, and the last entry's.
    previous text not null,
    last_digest text not null,
    file text not null,
    file_digest text not null check (file_digest ~ '^[0-9a-f]{64}$'),
    sealed_at timestamptz not null default now()
  )`,

  // The signed transactions that the chain has, with their entry.
  `create table audited_attempts (
    hash evm_hash primary key references attempts (hash) on delete cascade,
    seq bigint not null
  )`,
  `create index attempts_signed_at on attempts (created_at)`,

  `create function audit_refuse() returns trigger language plpgsql as $$
    ${
    refusal("the audit log only grows: rows of % are never changed. Nothing was changed.").replace(
      "' using",
      "', tg_table_name using"
    )
  }
  $$`,
  // Tables are named with their schema: a temporary table of the same name must not be able to stand in for a seal.
  `create function audit_remove() returns trigger language plpgsql as $$
    declare
      lowest bigint;
      highest bigint;
      removed bigint;
      sealed boolean;
    begin
      select min(seq), max(seq), count(*) into lowest, highest, removed from gone;
      if removed = 0 then
        return null;
      end if;
      execute format('select exists (select 1 from %1$I.audit_seals s join %1$I.audit_entries e
          on e.seq > s.last_seq and e.action = ''audit.sealed'' and e.details ->> ''file_digest'' = s.file_digest
        where s.first_seq = $1 and s.last_seq = $2 and s.entries = $3 and s.last_digest = $4)
        and not exists (select 1 from %1$I.audit_entries e where e.seq <= $2)', tg_table_schema)
        into sealed using lowest, highest, removed, (select digest from gone where seq = highest);
      if not sealed then
        raise exception 'entries of the audit log are removed only after they were sealed. Nothing was changed.'
          using errcode = 'insufficient_privilege', hint = 'Run vault-trader audit seal.';
      end if;
      return null;
    end
  $$`,
  ...["update", "truncate"].map((event) =>
    `create trigger audit_entries_${event} before ${event} on audit_entries for each statement
      execute function audit_refuse()`
  ),
  `create trigger audit_entries_delete after delete on audit_entries referencing old table as gone
    for each statement execute function audit_remove()`,
  `create trigger audit_seals_change before update or delete or truncate on audit_seals for each statement
    execute function audit_refuse()`,
  // "Always": also in a session that applies changes of a replica.
  ...["update", "truncate", "delete"].map((event) =>
    `alter table audit_entries enable always trigger audit_entries_${event}`
  ),
  `alter table audit_seals enable always trigger audit_seals_change`
]
