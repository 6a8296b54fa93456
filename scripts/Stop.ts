/** Why the service cannot start, in one sentence a person can act on. */
import * as Data from "effect/Data"

export class CannotStart extends Data.TaggedError("CannotStart")<{ readonly message: string }> {}
