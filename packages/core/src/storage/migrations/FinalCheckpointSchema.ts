/** A final block of each network, by which a reorg of final blocks is noticed for lanes that have nothing to do. */
export const finalCheckpointSchema: ReadonlyArray<string> = [
  `create table final_checkpoints (
    network text primary key,
    number bigint not null check (number >= 0),
    -- When this block was the newest final one, every wallet's newest final transaction was in its block.
    hash text not null check (hash ~ '^0x[0-9a-f]{64}$'),
    updated_at timestamptz not null default now()
  )`
]
