/** One step that is still to be made, and the rules by which steps are made one after the other. */
import type { Failure } from "@vault-trader/core/failure/Failure"
import * as Effect from "effect/Effect"
import { failed, isOutage, type Step, step, type Title } from "./Step.ts"

export interface Attempt<R> extends Title {
  readonly run: Effect.Effect<Step, Failure, R>
}

/** Maximum time of one step: planning reads, quotes and simulates. */
export const limitSeconds = 60

/** Makes a step whose result is known already. */
export const known = (made: Step): Attempt<never> => ({ area: made.area, name: made.name, run: Effect.succeed(made) })

const limited = <R>(
  { area, name, run }: Attempt<R>
): Effect.Effect<{ readonly made: Step; readonly out: boolean }, never, R> =>
  run.pipe(
    Effect.map((made) => ({ made, out: false })),
    Effect.catch((failure) => Effect.succeed({ made: failed({ area, name }, failure), out: isOutage(failure) })),
    Effect.timeoutOrElse({
      duration: `${limitSeconds} seconds`,
      orElse: () =>
        Effect.succeed({
          made: step({ area, name }, "fails", `No answer within ${limitSeconds} s. Try again, or give another node.`),
          out: true
        })
    }),
    Effect.catchDefect((defect) =>
      Effect.as(Effect.logError(`${name} could not be rehearsed`, defect), {
        made: step({ area, name }, "fails", "An unexpected error of this program; its log has the cause."),
        out: false
      })
    )
  )

/** Makes the steps in order. After one that no node answered the others are not tried. */
export const makeAll = <R>(attempts: ReadonlyArray<Attempt<R>>): Effect.Effect<ReadonlyArray<Step>, never, R> =>
  Effect.gen(function*() {
    const steps: Array<Step> = []
    let isOut = false
    for (const attempt of attempts) {
      if (isOut) {
        steps.push(step(attempt, "not_tried", "The node stopped answering"))
        continue
      }
      const { made, out } = yield* limited(attempt)
      steps.push(made)
      isOut = out
    }
    return steps
  })
