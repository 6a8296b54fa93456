/** The transaction slot of the database: its one session serves one transaction at a time. */
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { IoGate } from "./IoGate.ts"
import type { Process } from "./Process.ts"
import type { Writes } from "./StatementExecutor.ts"

export interface Transaction extends Writes {
  readonly process: Process
  /** Its connection broke: the server has rolled it back, and every further statement fails. */
  lost: boolean
}

export interface TransactionSlot {
  /** Returns whether no process is inside a transaction. */
  readonly isFree: () => boolean
  /** Waits for the session and releases it at the end: what was not committed is rolled back. */
  readonly begin: (process: Process) => Effect.Effect<Transaction, never, Scope.Scope>
  /** Breaks the connection of a transaction. */
  readonly breakConnection: (transaction: Transaction) => void
  /** Breaks the connection of a transaction that is still open and whose process is frozen. */
  readonly endIdle: (transaction: Transaction) => void
}

export const make = (gate: IoGate, rollback: () => void): TransactionSlot => {
  let active: Transaction | undefined

  const end = (transaction: Transaction) => {
    if (active !== transaction) return
    active = undefined
    rollback()
  }
  const isFree = () => {
    if (active?.process.state() === "dead") end(active)
    return active === undefined
  }
  const breakConnection = (transaction: Transaction) => {
    transaction.lost = true
    end(transaction)
  }

  return {
    isFree,
    breakConnection,
    endIdle: (transaction) => {
      if (active === transaction && transaction.process.state() === "frozen") breakConnection(transaction)
    },
    begin: (process) =>
      Effect.acquireRelease(
        Effect.callback<Transaction>((resume) => {
          const withdraw = gate.enqueue({
            process,
            ready: () => process.state() === "runs" && isFree(),
            run: () => {
              const transaction: Transaction = { process, lost: false, wrote: undefined, signed: false }
              active = transaction
              process.deliver(() => resume(Effect.succeed(transaction)))
            }
          })
          return Effect.sync(withdraw)
        }),
        (transaction) => Effect.sync(() => end(transaction))
      )
  }
}
