/** Lanes that sign nothing, and the lifetimes of submissions. */
export const laneQuarantineSchema: ReadonlyArray<string> = [
  // One open row per lane. A released row stays, with the evidence, as a record of what happened.
  `create table lane_quarantines (
    id bigint generated always as identity primary key,
    network text not null,
    wallet evm_address not null references gas_wallets (address),
    kind text not null check (kind in ('unexplained_nonce', 'rows_behind_chain', 'unknown_transaction',
      'record_conflict')),
    reason text not null,
    evidence jsonb not null,
    created_at timestamptz not null default now(),
    released_at timestamptz,
    -- 'service' when the lane was explained, otherwise the operator's word.
    released_by text
  )`,
  `create unique index lane_quarantines_open on lane_quarantines (network, wallet) where released_at is null`,
  // Seconds for which a transaction of the intent may be mined, where the caller chose them.
  `alter table intents add column valid_for integer check (valid_for > 0)`,
  // Null for submissions without a lifetime: payments, top-ups, fillers, rows of earlier versions, and transactions
  // that a reorg removed after they were mined in time.
  `alter table submissions add column valid_until timestamptz`,
  // Why the transaction that was mined is the cancellation, and not the call.
  `alter table submissions add column cancelled text check (cancelled in ('expired', 'stopped'))`,
  `alter table attempts add column cancels boolean not null default false`,
  `alter table kill_switches add column cancels boolean not null default false`,
  // Null for wallets of earlier versions: it is not known whether their keys were used elsewhere before.
  `alter table gas_wallets add column imported boolean`
]
