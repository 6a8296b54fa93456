/** Dispatches a contract's functions by selector. */
import { toFunctionSelector } from "viem"
import { type Env, type Message, type Outcome, silentRevert } from "../Message.ts"
import { Reader } from "../AbiWords.ts"
import type { World } from "../ChainState.ts"

/** The context of a function: message, state, arguments. `self` is the contract in that state. */
export interface CallContext<Self> {
  readonly env: Env
  readonly world: World
  readonly message: Message
  readonly self: Self
  readonly args: Reader
}

interface Function<Self> {
  /** Minimum number of words of its arguments. */
  readonly words: number
  readonly run: (scene: CallContext<Self>) => Outcome
}

export type Code<Self> = (self: Self, env: Env, world: World, message: Message) => Outcome

/** Four bytes, without 0x. */
export const selector = (signature: string): string => toFunctionSelector(signature).slice(2)

/**
 * Makes a contract from functions by signature, with the minimum number of words of their arguments. No function
 * accepts native token; any other call reverts.
 */
export const make = <Self>(
  functions: ReadonlyArray<readonly [signature: string, words: number, run: Function<Self>["run"]]>
): Code<Self> => {
  const bySelector = new Map(functions.map(([signature, words, run]) => [selector(signature), { words, run }]))
  return (self, env, world, message) => {
    const called = bySelector.get(message.data.slice(2, 10))
    if (called === undefined || message.value > 0n) return silentRevert
    const args = new Reader(message.data.slice(10))
    return args.length < called.words ? silentRevert : called.run({ env, world, message, self, args })
  }
}
