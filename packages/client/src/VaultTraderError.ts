/** The service's refusal or failure of a request. It is final: what failed can no longer be executed. */
export class VaultTraderError extends Error {
  readonly _tag = "VaultTraderError"
  override readonly name = "VaultTraderError"
  readonly endpoint: string
  /** `1000` to `1010` before anything happened, `2xxx` after the request was admitted; null for other refusals. */
  readonly code: string | null
  /** The name of a `2xxx` code, such as `insufficient_gas`. */
  readonly errorType: string | null
  /** The id of the request in the service's ledger, where it has one. */
  readonly intentId: string | null
  readonly txHash: string | null
  /** The key under which a write was sent; null for reads and changes. */
  readonly idempotencyKey: string | null
  readonly httpStatus: number

  /** `message` says what failed, whether anything moved, and the next step. */
  constructor(
    message: string,
    facts: {
      readonly endpoint: string
      readonly code: string | null
      readonly errorType: string | null
      readonly intentId: string | null
      readonly txHash: string | null
      readonly idempotencyKey: string | null
      readonly httpStatus: number
    }
  ) {
    super(message)
    this.endpoint = facts.endpoint
    this.code = facts.code
    this.errorType = facts.errorType
    this.intentId = facts.intentId
    this.txHash = facts.txHash
    this.idempotencyKey = facts.idempotencyKey
    this.httpStatus = facts.httpStatus
  }
}
