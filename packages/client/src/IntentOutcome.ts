/** The outcome of an intent by its id, for a program that has lost the handle of its write. */
import { textOr } from "./Answer.ts"
import type { Fields } from "./Endpoint.ts"
import { OutcomePending } from "./OutcomePending.ts"
import type { Send } from "./Transport.ts"
import { VaultTraderError } from "./VaultTraderError.ts"
import { getIntent, type OutcomeOptions, Waiting } from "./Waiting.ts"

/** The state of an intent that has ended with success, as `getIntent` returns it. */
export interface IntentOutcome {
  readonly intentId: string
  readonly endpoint: string
  readonly txHash: string | null
  readonly message: string
  /** The fields of the endpoint's success. */
  readonly result: Fields
}

/** Reads an intent until it has ended. */
export const followIntent = async (
  send: Send,
  intentId: string,
  options: OutcomeOptions
): Promise<IntentOutcome> => {
  const waiting = new Waiting(options)
  let last = "its state was not read"
  let endpoint = "getIntent"
  do {
    const read = await waiting.attempt(() => send(getIntent, { intent_id: intentId }, waiting.options()))
    if (read === undefined) continue
    const intent = read["intent"] as Fields
    const failure = intent["failure"] as Fields | null
    endpoint = String(intent["endpoint"])
    last = String(intent["message"])
    const facts = { intentId, endpoint, txHash: textOr(intent["tx_hash"], null), message: last }
    if (intent["status"] === "success") return { ...facts, result: (intent["result"] ?? {}) as Fields }
    if (intent["status"] === "fail") {
      throw new VaultTraderError(last, {
        ...facts,
        code: textOr(failure?.["status_code"], null),
        errorType: textOr(failure?.["error_type"], null),
        idempotencyKey: null,
        httpStatus: 200
      })
    }
  } while (await waiting.next())
  throw new OutcomePending({ endpoint, intentId, idempotencyKey: null, message: last })
}
