/** Finds the webhooks with something to deliver, and what is due for each, without reading the deliveries of all others. */
export const webhookTurnSchema: ReadonlyArray<string> = [
  `create index webhook_deliveries_turn on webhook_deliveries (webhook, next_attempt_at) where status = 'pending'`
]
