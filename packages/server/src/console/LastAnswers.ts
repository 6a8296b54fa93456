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

/** Maximum size of all answers, in characters of their JSON; those that were read longest ago make room. */
const maxSize = 16_000_000
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

interface Noted {
  readonly data: unknown
  /** Characters of its JSON. */
  readonly size: number
  readonly now: number
}

export interface LastAnswer {
  /** Notes an answer, if the whole of it could be read. */
  readonly note: (answer: Noted) => void
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
  const answers = new Map<string, Noted>()
  let total = 0
  const remove = (key: string) => {
    total -= answers.get(key)?.size ?? 0
    answers.delete(key)
  }
  return {
    of: ({ manager, name, network, payload }) => {
      if (!isAboutNetwork(payload)) return unremembered
      const key = JSON.stringify([manager, network, name, payload])
      const isWhole = (data: unknown) => isPartial[name]?.(data) !== true
      return {
        note: (answer) => {
          if (!isWhole(answer.data)) return
          remove(key)
          answers.set(key, answer)
          total += answer.size
          for (const oldest of answers.keys()) {
            if (total <= maxSize) break
            remove(oldest)
          }
        },
        whileUnread: (result, now) => {
          const isUnread = Exit.match(result, {
            onSuccess: (data) => !isWhole(data),
            onFailure: (cause) => Option.exists(Cause.findErrorOption(cause), isUnreadFailure)
          })
          const known = answers.get(key)
          return isUnread && known !== undefined && now - known.now <= maxAgeMillis
            ? { data: known.data, read_at: known.now }
            : undefined
        }
      }
    }
  }
}
