/** Why a strategy was stopped. The code is stable; the message names what the module did. */
import * as Data from "effect/Data"

/**
 * `missing`: the folder has no such file. `invalid_module`: it cannot be read as a strategy. `threw`: it failed with an
 * error. `timeout`: it did not answer within its time. `memory`: it allocated more than its share. `invalid_decision`:
 * what it returned is no decision. `changed`: its file is not the one that the bot was set with. `not_repeatable`: the
 * same state gave another decision. `trades_failed`: several of its trades failed in a row.
 */
export const strategyFailureCodes = [
  "missing",
  "invalid_module",
  "threw",
  "timeout",
  "memory",
  "invalid_decision",
  "changed",
  "not_repeatable",
  "trades_failed"
] as const
export type StrategyFailureCode = (typeof strategyFailureCodes)[number]

export class StrategyFailure extends Data.TaggedError("StrategyFailure")<{
  readonly code: StrategyFailureCode
  readonly message: string
}> {}
