/** A contract's functions by selector. */
import { toFunctionSelector } from "viem"
import { type Env, type Message, type Outcome, silentRevert } from "../Message.ts"
import { Reader } from "../AbiWords.ts"
import type { World } from "../ChainState.ts"

/** What a function sees: who calls it, with what, in which world. `self` is the contract as that world has it. */
export interface Scene<Self> {
  readonly env: Env
  readonly world: World
  readonly message: Message
  readonly self: Self
  readonly args: Reader
}

interface Function<Self> {
  /** How many words its arguments take at least. */
  readonly words: number
  readonly run: (scene: Scene<Self>) => Outcome
}

export type Code<Self> = (self: Self, env: Env, world: World, message: Message) => Outcome

/** Four bytes, without 0x. */
export const selector = (signature: string): string => toFunctionSelector(signature).slice(2)

/** Functions by signature, with the words their arguments take at least. None takes native money, nothing answers to anything else. */
export const make = <Self>(functions: ReadonlyArray<readonly [signature: string, words: number, run: Function<Self>["run"]]>): Code<Self> => {
  const bySelector = new Map(functions.map(([signature, words, run]) => [selector(signature), { words, run }]))
  return (self, env, world, message) => {
    const called = bySelector.get(message.data.slice(2, 10))
    if (called === undefined || message.value > 0n) return silentRevert
    const args = new Reader(message.data.slice(10))
    return args.length < called.words ? silentRevert : called.run({ env, world, message, self, args })
  }
}
