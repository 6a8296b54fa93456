/** The handle of an accepted write: what is known of it, and the wait for its outcome. */
import { textOr, withoutStatus } from "./Answer.ts"
import type { Endpoint, Fields } from "./Endpoint.ts"
import { OutcomePending } from "./OutcomePending.ts"
import type { Send } from "./Transport.ts"
import { getIntent, type OutcomeOptions, Waiting } from "./Waiting.ts"

/** How long the service keeps an idempotency key, minus a day, in milliseconds: a repeat after it could execute again. */
const maxAge = 6 * 24 * 3600 * 1000

/** A write that the service accepted; `Result` has the fields of its success. */
export class Write<Result> {
  readonly endpoint: string
  /** The key under which it was sent: the same request with it is never executed again. */
  readonly idempotencyKey: string
  readonly #call: { readonly endpoint: Endpoint; readonly request: Fields; readonly send: Send }
  readonly #sentAt: number
  #answer: Fields

  /** `answer` has the status `success` or `pending`. */
  constructor(
    call: { readonly endpoint: Endpoint; readonly request: Fields; readonly send: Send; readonly sentAt: number },
    answer: Fields
  ) {
    this.endpoint = call.endpoint.name
    this.idempotencyKey = String(call.request["idempotency_key"])
    this.#call = call
    this.#sentAt = call.sentAt
    this.#answer = answer
  }

  /** `success` once it is executed; until then `pending`. */
  get status(): "success" | "pending" {
    return this.#answer["status"] === "success" ? "success" : "pending"
  }

  /** The id in the service's ledger, for `client.followIntent`; null while the first of several has not started. */
  get intentId(): string | null {
    return textOr(this.#answer["intent_id"], null)
  }

  get txHash(): string | null {
    return textOr(this.#answer["tx_hash"], null)
  }

  /** The service's last message about it. */
  get message(): string {
    return textOr(this.#answer["message"], "")
  }

  /**
   * Waits for the outcome and returns the fields of the success. Fails with `VaultTraderError` when the write failed,
   * and with `OutcomePending` when the time is over; then it can be called again.
   */
  async outcome(options: OutcomeOptions = {}): Promise<Result> {
    const waiting = new Waiting(options)
    while (this.status === "pending") {
      if (!await waiting.next()) {
        throw new OutcomePending({
          endpoint: this.endpoint,
          intentId: this.intentId,
          idempotencyKey: this.idempotencyKey,
          message: this.message
        })
      }
      await this.#refresh(waiting)
    }
    return withoutStatus(this.#answer) as Result
  }

  /**
   * Reads the intent. Once it has ended, or while there is none, repeats the request under its key: the service then
   * answers from its ledger, with the endpoint's own fields, and knows if further intents follow.
   */
  async #refresh(waiting: Waiting): Promise<void> {
    const { endpoint, request, send } = this.#call
    const { intentId } = this
    if (intentId !== null) {
      const read = await waiting.attempt(() => send(getIntent, { intent_id: intentId }, waiting.options()))
      if (read === undefined) return
      const { message, status, tx_hash } = read["intent"] as Fields
      this.#answer = { ...this.#answer, message, tx_hash }
      if (status === "pending") return
    }
    if (Date.now() - this.#sentAt > maxAge) return
    this.#answer = await waiting.attempt(() => send(endpoint, request, waiting.options())) ?? this.#answer
  }
}
