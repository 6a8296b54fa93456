/** The reason why a signing record cannot be opened, in one sentence the operator can act on. */
import * as Data from "effect/Data"

export class RecordRefused extends Data.TaggedError("RecordRefused")<{ readonly message: string }> {}
