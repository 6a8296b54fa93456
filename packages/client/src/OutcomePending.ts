/** A write whose outcome was not known when `outcome` stopped waiting. It continues; wait again, or later. */
export class OutcomePending extends Error {
  readonly _tag = "OutcomePending"
  override readonly name = "OutcomePending"
  readonly endpoint: string
  readonly intentId: string | null
  readonly idempotencyKey: string | null

  constructor(
    facts: {
      readonly endpoint: string
      readonly intentId: string | null
      readonly idempotencyKey: string | null
      /** The service's last message about it. */
      readonly message: string
    }
  ) {
    super(`${facts.endpoint} is still pending: ${facts.message}`)
    this.endpoint = facts.endpoint
    this.intentId = facts.intentId
    this.idempotencyKey = facts.idempotencyKey
  }
}
