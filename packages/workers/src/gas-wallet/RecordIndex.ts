/** The signing record in memory: its rules, and each lane's next nonce. Does no I/O. */
import * as Crypto from "node:crypto"
import type { RecordedEntry, SigningEntry } from "./SigningEntry.ts"

type Lane = Pick<SigningEntry, "chainId" | "wallet">
type Slot = Pick<SigningEntry, "chainId" | "wallet" | "nonce">

/** An entry without its call data and its plan, which `read` returns. */
export interface Known extends Slot, Pick<SigningEntry, "hash" | "key" | "kind"> {
  /** Digest of the call: equal for the same `to`, `data` and `value`. */
  readonly call: string
  /** Unix milliseconds. */
  readonly recordedAt: number
  readonly read: () => SigningEntry
}

/** An entry that contradicts a recorded one, and why. */
export interface Contradiction {
  readonly _tag: "Contradiction"
  readonly entry: SigningEntry
  readonly recorded: RecordedEntry | undefined
  readonly message: string
}

/** The nonces of a lane: `next` follows its highest recorded one; of those below `floor` some are not in memory. */
export interface Mark extends Lane {
  readonly next: bigint
  readonly floor: bigint
}

const laneOf = ({ chainId, wallet }: Lane) => `${chainId}/${wallet}`
const slotOf = (slot: Slot) => `${laneOf(slot)}/${slot.nonce}`

/** Returns the digest of an entry's call. */
export const callOf = ({ data, to, value }: SigningEntry): string =>
  Crypto.createHash("sha256").update(`${to}/${value}/${data}`).digest("base64url")

/** Returns true for a transaction that moves nothing. It may always be signed, also where the record has been shortened. */
const isEmpty = ({ data, to, value, wallet }: SigningEntry): boolean => to === wallet && data === "0x" && value === 0n

const recordedOf = ({ read, recordedAt }: Known): RecordedEntry => ({ ...read(), recordedAt })

const named = ({ chainId, key, nonce, wallet }: Pick<Known, keyof Slot | "key">) =>
  `${key} of wallet ${wallet} on chain ${chainId} at nonce ${nonce}`

/** Returns an entry's form in the index. */
export const knownOf = (entry: SigningEntry, recordedAt: number): Known => {
  const { chainId, hash, key, kind, nonce, wallet } = entry
  return { chainId, wallet, nonce, hash, key, kind, call: callOf(entry), recordedAt, read: () => entry }
}

const put = (map: Map<string, ReadonlyArray<Known>>, name: string, known: Known) => {
  map.set(name, [...map.get(name) ?? [], known])
}

const take = (map: Map<string, ReadonlyArray<Known>>, name: string, known: Known) => {
  const rest = (map.get(name) ?? []).filter((one) => one !== known)
  if (rest.length === 0) map.delete(name)
  else map.set(name, rest)
}

/** Entries by nonce and by submission. */
class Entries {
  readonly #slots = new Map<string, ReadonlyArray<Known>>()
  readonly #keys = new Map<string, ReadonlyArray<Known>>()

  at(slot: Slot): ReadonlyArray<Known> {
    return this.#slots.get(slotOf(slot)) ?? []
  }
  under(key: string): ReadonlyArray<Known> {
    return this.#keys.get(key) ?? []
  }
  put(known: Known) {
    put(this.#slots, slotOf(known), known)
    put(this.#keys, known.key, known)
  }
  take(known: Known) {
    take(this.#slots, slotOf(known), known)
    take(this.#keys, known.key, known)
  }
}

/** Returns the recorded entry that this one contradicts, with the reason. */
const conflicting = (entry: Known, all: ReadonlyArray<Entries>) => {
  const other = all.flatMap((each) => each.at(entry)).find(({ key }) => key !== entry.key)
  if (other !== undefined) return { known: other, reason: "the record has another submission at this nonce" }
  const underKey = all.flatMap((each) => each.under(entry.key))
  const moved = underKey.find((known) => slotOf(known) !== slotOf(entry))
  if (moved !== undefined) return { known: moved, reason: "the record has this submission at another nonce" }
  if (entry.kind === "cancel") return undefined
  const changed = underKey.find(({ call, kind }) => kind === "call" && call !== entry.call)
  return changed === undefined
    ? undefined
    : { known: changed, reason: "the record has another call of this submission" }
}

/** The entries in memory. Changed by one caller at a time, because nothing in it waits. */
export class RecordIndex {
  readonly #entries = new Entries()
  readonly #order = new Set<Known>()
  readonly #marks = new Map<string, Mark>()

  /** Returns true where this transaction is recorded for this submission. */
  has(entry: Slot & Pick<SigningEntry, "hash" | "key">): boolean {
    return this.#entries.at(entry).some(({ hash, key }) => hash === entry.hash && key === entry.key)
  }

  /** Returns the first contradiction between these entries and those of the index, or among them. */
  contradiction(entries: ReadonlyArray<SigningEntry>): Contradiction | undefined {
    return this.stage()(entries)
  }

  /**
   * Returns a function that checks group after group, each also against the groups before it that have no
   * contradiction.
   */
  stage(): (entries: ReadonlyArray<SigningEntry>) => Contradiction | undefined {
    const staged = new Entries()
    return (entries) => {
      const added: Array<Known> = []
      for (const entry of entries) {
        if (this.has(entry)) continue
        const candidate = knownOf(entry, 0)
        const found = this.#contradicted(entry, candidate, staged)
        if (found !== undefined) {
          for (const known of added) staged.take(known)
          return found
        }
        staged.put(candidate)
        added.push(candidate)
      }
      return undefined
    }
  }

  #contradicted(entry: SigningEntry, candidate: Known, staged: Entries): Contradiction | undefined {
    const found = conflicting(candidate, [this.#entries, staged])
    if (found !== undefined) {
      const message = `${named(entry)} is refused: ${found.reason} (${named(found.known)}, ${found.known.hash}).`
      return { _tag: "Contradiction", entry, recorded: recordedOf(found.known), message }
    }
    if (!this.isForgotten(entry) || isEmpty(entry)) return undefined
    const message = `${named(entry)} is refused: nonces below ${this.#floor(entry)} are used, and the record no ` +
      "longer holds their transactions."
    return { _tag: "Contradiction", entry, recorded: undefined, message }
  }

  #floor(lane: Lane): bigint {
    return this.#marks.get(laneOf(lane))?.floor ?? 0n
  }

  /** Returns true for a nonce below its lane's floor without an entry in memory. */
  isForgotten(slot: Slot): boolean {
    return slot.nonce < this.#floor(slot) && this.#entries.at(slot).length === 0
  }

  /** Adds an entry that is not there yet. */
  add(known: Known): void {
    const { chainId, nonce, wallet } = known
    this.mark({ chainId, wallet, next: nonce + 1n, floor: 0n })
    if (this.has(known)) return
    this.#entries.put(known)
    this.#order.add(known)
  }

  /** Raises a lane's next nonce and floor; neither ever falls. */
  mark({ chainId, floor, next, wallet }: Mark): void {
    const lane = laneOf({ chainId, wallet })
    const before = this.#marks.get(lane) ?? { next: 0n, floor: 0n }
    this.#marks.set(lane, {
      chainId,
      wallet,
      next: next > before.next ? next : before.next,
      floor: floor > before.floor ? floor : before.floor
    })
  }

  /** Returns the marks of all lanes. */
  get marks(): ReadonlyArray<Mark> {
    return [...this.#marks.values()]
  }

  /** Removes the entries that were recorded before a time, and raises the floors to match. */
  dropBefore(time: number): void {
    for (const known of this.#order) {
      if (known.recordedAt >= time) break
      const { chainId, nonce, wallet } = known
      this.#order.delete(known)
      this.#entries.take(known)
      this.mark({ chainId, wallet, next: 0n, floor: nonce + 1n })
    }
  }

  /** Returns the nonce after the highest recorded one of a lane. */
  next(lane: Lane): bigint | undefined {
    return this.#marks.get(laneOf(lane))?.next
  }

  find(slot: Slot): ReadonlyArray<RecordedEntry> {
    return this.#entries.at(slot).map(recordedOf)
  }

  findKey(key: string): ReadonlyArray<RecordedEntry> {
    return this.#entries.under(key).map(recordedOf)
  }

  /** All entries in the order in which they were recorded. */
  get all(): IterableIterator<Known> {
    return this.#order.values()
  }

  get size(): number {
    return this.#order.size
  }
}
