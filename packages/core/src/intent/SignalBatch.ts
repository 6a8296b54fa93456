/**
 * Accepts signals that arrive together in one transaction: they share its locks, its entries of the audit log and its
 * commit. A batch that cannot be committed as it is, because of any of its signals, is undone, and each is accepted
 * alone. A batch that the database does not answer ends in a defect, as a lost COMMIT does: its signals may be accepted,
 * and none is offered again.
 */
import type { SqlError } from "effect/sql/SqlError"
import type * as Arr from "effect/Array"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { Scope } from "effect/Scope"
import type { Address } from "../chain/Address.ts"
import * as Audit from "../audit/Audit.ts"
import type { Actor } from "../audit/AuditEntry.ts"
import { ActingManager } from "../gas-wallet/ActingManager.ts"
import * as AnswerLimit from "../storage/AnswerLimit.ts"
import * as Batcher from "../storage/Batcher.ts"

/** Signals that one transaction accepts at most. */
const maximum = 64

/**
 * Transactions at the same time: the next one sets its bots while one waits for its commit, and one that waits for a
 * lock does not hold back all others.
 */
const concurrency = 2

/** A signal that is accepted, and on whose behalf. */
export interface Waiting<A> {
  readonly item: A
  readonly actor: Actor
  readonly manager: Address | null
}

/**
 * Builds the function that accepts an item together with others that wait. `together` fails without a trace where they
 * cannot be accepted together; each is then accepted alone, by its own caller, so that none waits for another.
 */
export const make = <A, B, E, E2>(options: {
  readonly alone: (item: A) => Effect.Effect<B, SqlError | E>
  readonly together: (
    items: Arr.NonEmptyReadonlyArray<Waiting<A>>
  ) => Effect.Effect<ReadonlyArray<B>, SqlError | E2>
}): Effect.Effect<(item: A) => Effect.Effect<B, SqlError | E>, never, Scope> => {
  const run = (waiting: Arr.NonEmptyReadonlyArray<Waiting<A>>): Effect.Effect<ReadonlyArray<Option.Option<B>>> =>
    Effect.match(
      options.together(waiting),
      {
        onSuccess: (answers) => answers.map(Option.some),
        // Nothing was committed: where that is not certain, the transaction ends in a defect.
        onFailure: () => waiting.map(() => Option.none())
      }
    )
  return Effect.map(
    Batcher.make({ maximum, concurrency, run, limit: AnswerLimit.ofTransaction }),
    (enqueue) => (item) =>
      Effect.gen(function*() {
        const answer = yield* enqueue({ item, actor: yield* Audit.Actor, manager: yield* ActingManager })
        return Option.isSome(answer) ? answer.value : yield* options.alone(item)
      })
  )
}
