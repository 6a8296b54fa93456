import * as Schema from "effect/Schema"

/** The devnet has no such network, or no such token there. */
export class NotInDevnet extends Schema.TaggedError<NotInDevnet>()("NotInDevnet", { what: Schema.String }) {
  override get message() {
    return `The devnet has no ${this.what}.`
  }
}
