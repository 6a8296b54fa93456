import * as Schema from "effect/Schema"

/** A network, or a token of a network, that the devnet does not have. */
export class NotInDevnet extends Schema.TaggedError<NotInDevnet>()("NotInDevnet", { what: Schema.String }) {
  override get message() {
    return `The devnet has no ${this.what}.`
  }
}
