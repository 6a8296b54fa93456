/**
 * The last complete answer of each read that is about a network, in the memory of this process: for pages that are
 * opened while the network cannot be read. An answer is given only to the manager for whom it was read, and only after
 * the read was admitted again.
 */
import type { Address } from "@vault-trader/core/chain/Address"
import type { ExecutionFailure } from "@vault-trader/core/failure/Failure"
import * as Cause from "effect/Cause"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"

/** Maximum number of answers; the one that was read longest ago makes room. */
const maxAnswers = 5_000
/** An older answer says too little about the present. */
const maxAgeMillis = 24 * 60 * 60_000

interface Read {
  readonly manager: Address
  /** The network of a contract wallet's session. */
  readonly network: string | null
  readonly name: string
  readonly payload: unknown
}

interface Known {
  readonly data: unknown
  readonly read_at: number
}

export interface LastAnswer {
  /** Notes an answer, if the whole of it could be read. */
  readonly note: (data: unknown, now: number) => void
  /** Returns the last answer if `result` is that of a read for which the network did not answer. */
  readonly whileUnread: (result: Exit.Exit<unknown, unknown>, now: number) => Known | undefined
}

const rows = (answer: unknown): ReadonlyArray<Record<string, unknown>> =>
  Array.isArray(answer) ? answer as ReadonlyArray<Record<string, unknown>> : []

/** Reads that answer without what they could not read, and how to recognise it. All others fail. */
const isPartial: Readonly<Record<string, (answer: unknown) => boolean>> = {
  gasBalances: (answer) => rows(answer).some(({ balance }) => balance === null),
  managedVaults: (answer) => rows(answer).some(({ vaults }) => vaults === null)
}

const isUnreadFailure = (failure: unknown): boolean =>
  (failure as Partial<ExecutionFailure>)._tag === "ExecutionFailure" &&
  (failure as ExecutionFailure).errorType === "rpc_unavailable"

const isAboutNetwork = (payload: unknown): boolean =>
  typeof payload === "object" && payload !== null && "network" in payload && payload.network !== undefined

const unremembered: LastAnswer = { note: () => undefined, whileUnread: () => undefined }

export const make = (): { readonly of: (read: Read) => LastAnswer } => {
  const answers = new Map<string, Known>()
  return {
    of: ({ manager, name, network, payload }) => {
      if (!isAboutNetwork(payload)) return unremembered
      const key = JSON.stringify([manager, network, name, payload])
      const isWhole = (data: unknown) => isPartial[name]?.(data) !== true
      return {
        note: (data, now) => {
          if (!isWhole(data)) return
          answers.delete(key)
          answers.set(key, { data, read_at: now })
          const [oldest] = answers.keys()
          if (answers.size > maxAnswers && oldest !== undefined) answers.delete(oldest)
        },
        whileUnread: (result, now) => {
          const isUnread = Exit.match(result, {
            onSuccess: (data) => !isWhole(data),
            onFailure: (cause) => Option.exists(Cause.findErrorOption(cause), isUnreadFailure)
          })
          const known = answers.get(key)
          return isUnread && known !== undefined && now - known.read_at <= maxAgeMillis ? known : undefined
        }
      }
    }
  }
}
