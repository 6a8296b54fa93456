/** The client of the service: one method for each endpoint. README.md and docs/clients.md have examples. */
import { withoutStatus } from "./Answer.ts"
import type { CallOptions, Endpoint, Fields } from "./Endpoint.ts"
import { type EventOptions, events, type IntentEvent } from "./Events.ts"
import { Endpoints } from "./generated/Endpoints.ts"
import { followIntent, type IntentOutcome } from "./IntentOutcome.ts"
import * as Transport from "./Transport.ts"
import type { OutcomeOptions } from "./Waiting.ts"
import { Write } from "./Write.ts"

export { ConnectionError, type ConnectionErrorReason } from "./ConnectionError.ts"
export type { CallOptions } from "./Endpoint.ts"
export type { EventOptions, IntentEvent } from "./Events.ts"
export type * from "./generated/Endpoints.ts"
export type { IntentOutcome } from "./IntentOutcome.ts"
export { OutcomePending } from "./OutcomePending.ts"
export type { Fetch, Settings } from "./Transport.ts"
export { VaultTraderError } from "./VaultTraderError.ts"
export type { OutcomeOptions } from "./Waiting.ts"
export { Write } from "./Write.ts"

/** Makes an idempotency key: 128 random bits. */
const newIdempotencyKey = (): string =>
  Array.from(globalThis.crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0"))
    .join("")

/** A client of one service for one gas wallet. Neither its text, its JSON nor its errors contain the API key. */
export class VaultTrader extends Endpoints {
  readonly #transport: Transport.Transport

  constructor(settings: Transport.Settings) {
    super()
    this.#transport = Transport.make(settings)
  }

  /** Waits for the outcome of an earlier write by the id that its handle or its error had. */
  followIntent(intentId: string, options: OutcomeOptions = {}): Promise<IntentOutcome> {
    return followIntent(this.#transport.send, intentId, options)
  }

  /**
   * Yields the wallet's requests as they change, until the signal ends it. What changes while the service is away is
   * yielded when it is back; `since` yields what changed before the first read, for instance while the program was down.
   */
  events(options: EventOptions = {}): AsyncGenerator<IntentEvent, void, void> {
    return events(this, options)
  }

  override toString(): string {
    return `VaultTrader(${this.#transport.url})`
  }

  toJSON(): { readonly url: string } {
    return { url: this.#transport.url }
  }

  protected override async call(endpoint: Endpoint, request: object, options: CallOptions = {}): Promise<never> {
    return withoutStatus(await this.#transport.send(endpoint, request as Fields, options)) as never
  }

  protected override async callWrite(endpoint: Endpoint, request: object, options: CallOptions = {}): Promise<never> {
    const { idempotency_key, ...fields } = request as Fields
    const keyed: Fields = { ...fields, idempotency_key: idempotency_key ?? newIdempotencyKey() }
    const sentAt = Date.now()
    const answer = await this.#transport.send(endpoint, keyed, options)
    if (fields["dryRun"] === true) return withoutStatus(answer) as never
    return new Write<unknown>({ endpoint, request: keyed, send: this.#transport.send, sentAt }, answer) as never
  }
}
