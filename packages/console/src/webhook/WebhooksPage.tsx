/** To be written. */
export function WebhooksPage() {
  return null
}
