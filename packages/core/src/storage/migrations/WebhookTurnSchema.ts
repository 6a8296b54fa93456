/**
 * An index that finds webhooks with pending deliveries, and the due ones of each, without reading all other deliveries.
 */
export const webhookTurnSchema: ReadonlyArray<string> = [
  `create index webhook_deliveries_turn on webhook_deliveries (webhook, next_attempt_at) where status = 'pending'`
]
