/**
 * Transaction counts of gas wallets at the last check. Transactions beyond them that no row of the lane explains were
 * signed elsewhere.
 */
export const nonceBaselineSchema: ReadonlyArray<string> = [
  `create table nonce_baselines (
    network text not null,
    wallet evm_address not null references gas_wallets (address),
    -- Every nonce below is explained: by a submission, by an alert, or because it was used before the first check.
    nonce bigint not null check (nonce >= 0),
    updated_at timestamptz not null default now(),
    primary key (network, wallet)
  )`
]
