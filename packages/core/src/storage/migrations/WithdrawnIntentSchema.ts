/**
 * The outcome of an intent whose bot, order or follower has withdrawn it before it was planned. It ends with it once its
 * wallet's rows explain the chain: they may come from a backup and lack its execution.
 */
export const withdrawnIntentSchema: ReadonlyArray<string> = [
  `alter table intents add column withdrawn jsonb`
]
