/** Changes that wait for approvals, and the votes on them. A vote counts by its signature, never because it has a row. */
export const approvalSchema: ReadonlyArray<string> = [
  `create table approval_requests (
    id uuid primary key,
    kind text not null check (kind in ('limits', 'treasury', 'policy', 'lanes')),
    -- Null for a change of settings.
    wallet evm_address references gas_wallets (address),
    network text,
    -- The exact change with the request's id, as canonical JSON. Votes are signatures over its digest.
    change text not null,
    digest text not null check (digest ~ '^0x[0-9a-f]{64}$'),
    -- For people; not covered by signatures on its own.
    summary text not null,
    -- A manager's address, or 'operator' or 'service'.
    proposer text not null,
    status text not null default 'open' check (status in ('open', 'applied', 'vetoed', 'cancelled', 'expired')),
    created_at timestamptz not null,
    expires_at timestamptz not null,
    decided_at timestamptz,
    -- Why the request ended.
    note text
  )`,
  // One open request per subject: a newer one replaces it.
  `create unique index approval_requests_open on approval_requests (kind, coalesce(wallet, ''), coalesce(network, ''))
    where status = 'open'`,
  `create index approval_requests_of_wallet on approval_requests (wallet, id desc)`,

  // The whole statement of a vote, so that it can be verified again whenever it is counted.
  `create table approval_votes (
    request uuid not null references approval_requests (id) on delete cascade,
    approver evm_address not null,
    verdict text not null check (verdict in ('approve', 'veto')),
    chain_id bigint not null,
    issued_at bigint not null,
    nonce text not null,
    salt text,
    signature text not null,
    signature_digest text not null unique,
    at timestamptz not null,
    -- Why the vote does not count, found when it was verified.
    refused text,
    primary key (request, approver)
  )`,

  `create function approval_requests_tell() returns trigger language plpgsql as $$
    begin
      perform webhook_tell(
        case when new.status = 'open' then 'approval.requested' else 'approval.decided' end,
        new.wallet,
        jsonb_build_object('request', new.id, 'kind', new.kind, 'network', new.network, 'gasWallet', new.wallet,
          'state', new.status, 'message', new.summary, 'note', new.note));
      return null;
    end $$`,
  `create trigger approval_requests_tell_new after insert on approval_requests for each row
    when (new.wallet is not null and new.status = 'open') execute function approval_requests_tell()`,
  `create trigger approval_requests_tell_end after update of status on approval_requests for each row
    when (new.wallet is not null and old.status = 'open' and new.status <> 'open') execute function approval_requests_tell()`
]
