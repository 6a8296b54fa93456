/** A call between accounts and its outcome. Calls return a new state; a revert discards it. */
import type { Address, Hash, Hex } from "@vault-trader/core/chain/Address"
import { textToHex } from "./AbiWords.ts"
import * as AbiWords from "./AbiWords.ts"
import type { World } from "./ChainState.ts"

export interface Message {
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: bigint
}

/** The block a call sees, and the function for further calls. */
export interface Env {
  readonly number: bigint
  /** Unix seconds. */
  readonly timestamp: bigint
  readonly call: (env: Env, world: World, message: Message) => Outcome
}

export interface Log {
  readonly address: Address
  readonly topics: ReadonlyArray<Hash>
  readonly data: Hex
}

export interface Returned {
  readonly _tag: "Returned"
  readonly world: World
  readonly output: Hex
  readonly logs: ReadonlyArray<Log>
  readonly gas: bigint
}
export interface Reverted {
  readonly _tag: "Reverted"
  readonly data: Hex
  readonly gas: bigint
}
export type Outcome = Returned | Reverted

export const returned = (
  world: World,
  output: Hex = "0x",
  { gas = 0n, logs = [] }: { readonly gas?: bigint; readonly logs?: ReadonlyArray<Log> } = {}
): Returned => ({ _tag: "Returned", world, output, logs, gas })

/** Reverts with the given data: a custom error, or none at all. */
export const revertData = (data: Hex, gas = 0n): Reverted => ({ _tag: "Reverted", data, gas })

/** A revert without a reason, as Solidity does for an unknown function or arguments that do not decode. */
export const silentRevert: Reverted = revertData("0x")

/** Reverts with `Error(string)`, as `require(…, reason)` does. */
export const revert = (reason: string): Reverted =>
  revertData(AbiWords.hex("08c379a0", AbiWords.uint(32), AbiWords.bytes(textToHex(reason))))

/** Continues after a call that returned, keeping its logs and gas. */
export const andThen = (first: Outcome, next: (first: Returned) => Outcome): Outcome => {
  if (first._tag === "Reverted") return first
  const second = next(first)
  const gas = first.gas + second.gas
  return second._tag === "Reverted"
    ? { ...second, gas }
    : { ...second, gas, logs: first.logs.length === 0 ? second.logs : [...first.logs, ...second.logs] }
}

/** Runs all items in order, each in the state that the one before left. */
export const inTurn = <A>(world: World, items: ReadonlyArray<A>, run: (world: World, item: A) => Outcome): Outcome =>
  items.reduce<Outcome>((before, item) => andThen(before, (done) => run(done.world, item)), returned(world))
