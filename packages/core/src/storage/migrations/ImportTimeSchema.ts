/**
 * The time at which a gas wallet's key was imported: only transactions from before it are certainly not this service's own.
 * Absent for wallets that were created here, and for those of earlier versions, where `created_at` stands for it.
 */
export const importTimeSchema: ReadonlyArray<string> = [
  `alter table gas_wallets add column imported_at timestamptz`
]
